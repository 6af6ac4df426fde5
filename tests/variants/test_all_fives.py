"""All Fives, from the deal to the count: each rule has a test named for it, here or in test_all_fives_*.py."""

from __future__ import annotations

import pytest

from games.engine.decide import deal_explicit, deal_round, new_match
from games.engine.events import Played, Points, RoundDealt, Standing, Term
from games.engine.evolve import evolve, start_state
from games.engine.moves import Play
from games.engine.refusal import Refusal
from games.engine.rules import Deal
from games.engine.state import Round, State
from games.engine.tiles import double_set
from games.engine.variants import rules_for
from tests.engine.positions import board, legal, move, move_events, position, refused, tile, tiles

FIVES = rules_for("all_fives")
FULL = double_set(6)


# Set-up


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_fives_players__two_to_four_each_for_himself(seats: int) -> None:
    state = start_state(new_match(FIVES, seats, {}))
    assert state.setup.sides == tuple(range(seats))
    assert state.standing == (Standing(0),) * seats
    assert FIVES.tile_set == FULL


def test_all_fives_players__partners_sit_opposite_each_other() -> None:
    state = start_state(new_match(FIVES, 4, {"partners": "yes"}))
    assert state.setup.sides == (0, 1, 0, 1)
    assert state.standing == (Standing(0),) * 2


@pytest.mark.parametrize(("seats", "options"), [(1, {}), (5, {}), (2, {"partners": "yes"}), (3, {"partners": "yes"})])
def test_all_fives_players__no_other_number_and_partners_only_of_four(seats: int, options: dict[str, str]) -> None:
    with pytest.raises(Refusal) as caught:
        new_match(FIVES, seats, options)
    assert caught.value.code == "bad_request"


DEALS = {
    "9-7-5": {2: (9, 10), 3: (7, 7), 4: (5, 8)},
    "5-5-5": {2: (5, 18), 3: (5, 13), 4: (5, 8)},
    "7-5-5": {2: (7, 14), 3: (5, 13), 4: (5, 8)},
}


@pytest.mark.parametrize("hands", DEALS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_fives_deal__by_the_number_of_players(hands: str, seats: int) -> None:
    """A-03: boneyards 10/7/8, 18/13/8, 14/13/8."""
    state = start_state(new_match(FIVES, seats, {"hands": hands}))
    (event,) = deal_round(FIVES, state, lambda attempt: range(28))
    assert isinstance(event, RoundDealt)
    size, rest = DEALS[hands][seats]
    assert [len(hand) for hand in event.hands] == [size] * seats
    assert len(event.boneyard) == rest
    assert [*sum(event.hands, ()), *event.boneyard] == list(FULL)


def test_all_fives_deal__is_never_void_and_nine_seven_five_is_the_default() -> None:
    state = start_state(new_match(FIVES, 2, {}))
    doubles = tiles("0-0 1-1 2-2 3-3 4-4 5-5 6-6 6-5 6-4")
    rest = tuple(entry for entry in FULL if entry not in doubles)
    (event,) = deal_explicit(FIVES, state, Deal((doubles, rest[:9]), rest[9:]), lead=0)
    assert isinstance(event, RoundDealt)
    assert event.hands[0] == doubles


# The lead


@pytest.mark.parametrize("lot", [0, 1, 2])
def test_all_fives_lead__lots_are_drawn_in_the_first_hand_and_any_tile_may_be_led(lot: int) -> None:
    state = start_state(new_match(FIVES, 3, {}))
    order = range(28)
    (event,) = deal_round(FIVES, state, lambda attempt: order if attempt else [9, lot, *range(28)])
    assert isinstance(event, RoundDealt)
    assert (event.to_move, event.lots, event.must_lead) == (lot, (0, 1, 2), ())
    state = evolve(state, event)
    assert {play.tile for play in FIVES.plays(state)} == set(state.hands[lot])


def next_deal(state: State) -> RoundDealt:
    (event,) = deal_round(FIVES, state, lambda attempt: range(28) if attempt else [1, *range(28)])
    assert isinstance(event, RoundDealt)
    return event


def test_all_fives_lead__later_who_went_out() -> None:
    state = move(FIVES, position(FIVES, hands=["6-4", "1-0", "5-5"], laid="6-1", to_move=0), "6-4 left")
    dealt = next_deal(state)
    assert (dealt.to_move, dealt.lots, dealt.rule) == (0, (), "all_fives.lead")


def test_all_fives_lead__after_a_blocked_hand_lots_again() -> None:
    state = move(FIVES, position(FIVES, hands=["6-4 2-2", "1-0", "5-5"], laid="6-3"), "6-4 left")
    assert state.round.over is not None
    assert (state.round.over.reason, state.lead) == ("blocked", None)
    dealt = next_deal(state)
    assert (dealt.to_move, dealt.lots) == (1, (0, 1, 2))


# The turn


def test_all_fives_turn__clockwise_one_tile_on_an_open_end() -> None:
    """A-01: lead 4-5: 5-3 legal, 6-3 refused."""
    state = move(FIVES, position(FIVES, hands=["4-5 1-1", "5-3 6-3", "4-0"]), "4-5")
    assert (state.round.to_move, legal(FIVES, state)) == (1, ["5-3 left"])
    assert refused(FIVES, state, "6-3 right") == ("illegal_move", "all_fives.turn")
    assert refused(FIVES, state, "5-3 right") == ("illegal_move", "all_fives.turn")
    assert refused(FIVES, state, "5-3") == ("illegal_move", "all_fives.turn")
    assert refused(FIVES, state, "4-0 right") == ("illegal_move", "all_fives.turn")
    assert move(FIVES, state, "5-3 left").round.to_move == 2


def test_all_fives_turn__a_tile_that_fits_several_ends_has_as_many_moves() -> None:
    state = position(FIVES, hands=["6-3", "1-1"], laid="6-6, 6-3 left, 6-1 right")
    assert legal(FIVES, state) == ["6-3 down", "6-3 left", "6-3 up"]
    assert legal(FIVES, position(FIVES, hands=["6-3", "1-1"], laid="6-6")) == ["6-3 left", "6-3 right"]


def test_all_fives_turn__who_can_play_must() -> None:
    state = position(FIVES, hands=["3-0 1-1", "4-4"], laid="6-3", boneyard="6-6")
    for text in ("draw", "pass"):
        assert refused(FIVES, state, text) == ("illegal_move", "all_fives.turn")


def test_all_fives_turn__draw_until_one_fits_which_is_played_at_once() -> None:
    """A-20: ends 3/4; draws three, 4-6 is played at once: 3 + 6 = 9; boneyard [1-1]."""
    state = position(FIVES, hands=["0-1 6-6", "3-3"], laid="3-5, 5-4 left", boneyard="5-5 2-0 4-6 1-1")
    for _ in range(3):
        assert legal(FIVES, state) == ["draw"]
        assert refused(FIVES, state, "pass") == ("illegal_move", "all_fives.turn")
        state = move(FIVES, state, "draw")
    assert legal(FIVES, state) == ["6-4 left"]
    assert refused(FIVES, state, "draw") == ("illegal_move", "all_fives.turn")
    (event,) = move_events(FIVES, state, "4-6 left")
    assert isinstance(event, Played)
    assert [term.text for term in event.points.terms] == ["6 + 3 = 9"]
    state = evolve(state, event)
    assert (state.boneyard, state.round.scored, state.round.to_move) == (tiles("1-1"), 0, 1)


def test_all_fives_turn__the_last_tile_may_be_drawn_and_then_one_passes() -> None:
    state = position(FIVES, hands=["0-1 6-6", "3-3"], laid="3-5, 5-4 left", boneyard="1-1")
    state = move(FIVES, state, "draw")
    assert (state.boneyard, legal(FIVES, state)) == ((), ["pass"])
    assert refused(FIVES, state, "draw") == ("illegal_move", "all_fives.turn")
    state = move(FIVES, state, "pass")
    assert (state.round.to_move, legal(FIVES, state)) == (1, ["3-3 right"])


# The layout


def test_all_fives_spinner__its_ends_open_when_both_sides_are_occupied() -> None:
    """A-08: 6-6, 6-3 left; 6-4 up is refused, 6-4 right is 3 + 4 = 7."""
    state = position(FIVES, hands=["6-4 6-2 1-0", "6-5"], laid="6-6, 6-3 left")
    for text in ("6-4 up", "6-4 down"):
        assert refused(FIVES, state, text) == ("illegal_move", "all_fives.spinner")
    (event,) = move_events(FIVES, state, "6-4 right")
    assert isinstance(event, Played)
    assert [term.text for term in event.points.terms] == ["3 + 4 = 7"]
    after = evolve(state, event)
    assert legal(FIVES, after) == ["6-5 down", "6-5 up"]


def test_all_fives_spinner__there_is_none_before_the_first_double() -> None:
    state = position(FIVES, hands=["6-4 1-0", "6-5"], laid="6-3, 3-1 right")
    assert refused(FIVES, state, "6-4 up") == ("illegal_move", "all_fives.spinner")
    assert refused(FIVES, state, "6-5 up") == ("illegal_move", "all_fives.turn"), "not in the hand"


def test_all_fives_spinner__a_line_it_was_attached_to_is_its_first_neighbour() -> None:
    state = position(FIVES, hands=["4-1 6-4", "4-0"], laid="2-5, 4-2 right, 4-4 right")
    assert refused(FIVES, state, "4-1 down") == ("illegal_move", "all_fives.spinner")
    assert legal(FIVES, state) == ["4-1 right", "6-4 right"]
    assert legal(FIVES, move(FIVES, state, "4-1 right")) == ["4-0 down", "4-0 up"]


def test_all_fives_spinner__is_the_first_double_only() -> None:
    """A-10: a tile on the ends of 3-3 is refused."""
    state = position(FIVES, hands=["3-4 1-1", "3-2"], laid="5-5, 5-3 left, 3-3 left, 3-0 left")
    for text in ("4-3 up", "4-3 down"):
        assert refused(FIVES, state, text) == ("illegal_move", "all_fives.spinner")
    state = position(FIVES, hands=["3-4 5-1", "3-2"], laid="5-5, 5-3 left, 3-3 left, 3-0 left, 5-2 right")
    assert refused(FIVES, state, "4-3 up") == ("illegal_move", "all_fives.turn")
    assert legal(FIVES, state) == ["5-1 down", "5-1 up"]


# The count


def counts(text: str) -> list[tuple[str, int]]:
    """Return the sum and the points of each tile, laid one after the other."""
    layout, rows = FIVES.layout, []
    for part in text.split(", "):
        placed, place = layout.read(part)
        points = FIVES.play_points(Round(layout), Play(placed, place))
        assert points.total == points.terms[0].value
        rows.append((points.terms[0].text, points.total))
        layout = layout.place(placed, place)
    return rows


def test_all_fives_count__one_tile_alone_counts_both_its_halves() -> None:
    """A-04."""
    leads = {"5-5": 10, "6-4": 10, "5-0": 5, "4-1": 5, "3-2": 5, "6-6": 0, "5-4": 0, "0-0": 0}
    for lead, points in leads.items():
        halves = lead.split("-")
        text = f"2 × {halves[0]}" if halves[0] == halves[1] else " + ".join(halves)
        assert counts(lead) == [(f"{text} = {sum(map(int, halves))}", points)]


COUNTS = {
    "no double": ("4-2, 4-3 left", ["4 + 2 = 6", "3 + 2 = 5"], 5),
    "A-06: the spinner with one side used": ("4-2, 4-4 left", ["4 + 2 = 6", "2 × 4 + 2 = 10"], 10),
    "A-07": (
        "6-6, 6-3 left, 6-1 right, 6-4 up, 6-2 down",
        ["2 × 6 = 12", "3 + 2 × 6 = 15", "3 + 1 = 4", "3 + 1 + 4 = 8", "3 + 1 + 4 + 2 = 10"],
        10,
    ),
    "A-10": (
        "5-5, 5-3 left, 3-3 left, 3-0 left",
        ["2 × 5 = 10", "3 + 2 × 5 = 13", "2 × 3 + 2 × 5 = 16", "0 + 2 × 5 = 10"],
        10,
    ),
    "A-14": ("0-0, 0-5 left, 0-2 right", ["2 × 0 = 0", "5 + 2 × 0 = 5", "5 + 2 = 7"], 0),
    "a double at the end of an arm": (
        "6-6, 6-3 left, 6-1 right, 6-4 up, 4-4 up",
        ["2 × 6 = 12", "3 + 2 × 6 = 15", "3 + 1 = 4", "3 + 1 + 4 = 8", "3 + 1 + 2 × 4 = 12"],
        0,
    ),
    "the spinner between two tiles": (
        "5-4, 4-4 right, 4-0 right",
        ["5 + 4 = 9", "5 + 2 × 4 = 13", "5 + 0 = 5"],
        5,
    ),
}


def test_all_fives_count__the_outer_ends_of_all_arms() -> None:
    for text, sums, last in COUNTS.values():
        rows = counts(text)
        assert [total for total, _ in rows] == sums
        assert rows[-1][1] == last


def test_all_fives_count__stands_in_the_event_scored_or_not() -> None:
    layout = board(FIVES.layout, "6-6, 6-3 left, 6-1 right, 6-4 up")
    plain = FIVES.play_points(Round(layout), Play(tile("6-0"), "down"))
    assert plain == Points(0, (Term("all_fives.count", "3 + 1 + 4 + 0 = 8", 0),))
    scored = FIVES.play_points(Round(layout), Play(tile("6-2"), "down"))
    assert scored == Points(10, (Term("all_fives.score", "3 + 1 + 4 + 2 = 10", 10),))


@pytest.mark.parametrize(
    ("laid", "text", "points"),
    [("4-2", "4-3 left", 5), ("4-2", "4-4 left", 10), ("6-6", "6-3 right", 15), ("0-0", "5-0 left", 5)],
)
def test_all_fives_score__a_multiple_of_five_is_scored_in_full_and_at_once(laid: str, text: str, points: int) -> None:
    state = position(FIVES, hands=["6-3 4-4 4-3 5-0", "6-5 5-4 3-2"], laid=laid, standing=[30, 40], boneyard="6-2 3-1")
    (event,) = move_events(FIVES, state, text)
    assert isinstance(event, Played)
    assert (event.points.total, event.points.terms[0].rule) == (points, "all_fives.score")
    after = evolve(state, event)
    assert (after.round.scored, [standing.points for standing in after.standing]) == (points, [30 + points, 40])


@pytest.mark.parametrize(("laid", "text"), [("4-2", "4-0 left"), ("", "0-0"), ("6-6, 6-3 left", "6-4 right")])
def test_all_fives_score__nothing_else_and_no_zero(laid: str, text: str) -> None:
    state = position(FIVES, hands=["4-0 0-0 6-4 1-1", "6-5 5-4 3-2"], laid=laid, standing=[30, 40], boneyard="2-1 0-3")
    after = move(FIVES, state, text)
    assert (after.round.scored, [standing.points for standing in after.standing]) == (0, [30, 40])
