"""Kozel, from the deal to the end of a round: every rule has a test named for it, here or in test_kozel_points.py."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.engine.decide import deal_explicit, deal_round, new_match
from games.engine.events import DealVoided, RoundDealt, Standing
from games.engine.evolve import evolve, start_state
from games.engine.layout.line import Line
from games.engine.moves import Draw, Move, Pass, Play
from games.engine.refusal import Refusal
from games.engine.rules import Deal
from games.engine.tiles import double_set
from games.engine.variants import rules_for
from tests.engine.positions import in_round, layout_of, legal, move, position, refused, round_end, tile, tiles, totals
from tests.variants.kozel_lines import K06_BEFORE, K07_BEFORE

KOZEL = rules_for("kozel")
FULL = double_set(6)


def dealt(hands: list[str], boneyard: str = "") -> RoundDealt:
    """Deal round 1 exactly so."""
    state = start_state(new_match(KOZEL, len(hands), {}))
    (event,) = deal_explicit(KOZEL, state, Deal(tuple(map(tiles, hands)), tiles(boneyard)))
    assert isinstance(event, RoundDealt)
    return event


def rest_of(*texts: str) -> str:
    """Return all tiles of the set that the texts do not name."""
    named = {entry for text in texts for entry in tiles(text)}
    return " ".join(f"{high}-{low}" for high, low in FULL if (high, low) not in named)


# Set-up


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_kozel_players__two_to_four_each_for_himself(seats: int) -> None:
    state = start_state(new_match(KOZEL, seats, {}))
    assert state.standing == (Standing(0, opened=False),) * seats
    assert len(KOZEL.tile_set) == 28


@pytest.mark.parametrize(("seats", "bazaar"), [(2, 14), (3, 7), (4, 0)])
def test_kozel_deal__seven_tiles_each_and_the_rest_is_the_bazaar(seats: int, bazaar: int) -> None:
    state = start_state(new_match(KOZEL, seats, {}))
    # This order gives nobody five doubles or six tiles of a value.
    order = [0, 27, 1, 26, 8, 19, 12, 3, 16, 22, 9, 6, 25, 14, 2, 11, 20, 5, 17, 23, 7, 4, 10, 13, 15, 18, 21, 24]
    (event,) = deal_round(KOZEL, state, lambda attempt: order)
    assert isinstance(event, RoundDealt)
    assert [len(hand) for hand in event.hands] == [7] * seats
    assert len(event.boneyard) == bazaar
    assert event.hands[0] == tuple(FULL[index] for index in order[:7])
    assert [*sum(event.hands, ()), *event.boneyard] == [FULL[index] for index in order]


REDEALS = {
    "five doubles (K-19)": "0-0 1-1 2-2 3-3 4-4 5-6 1-2",
    "six tiles of a value (K-19)": "6-0 6-1 6-2 6-3 6-4 6-5 1-2",
    "six doubles": "0-0 1-1 2-2 3-3 4-4 5-5 1-2",
    "seven of a value, the double as one": "6-0 6-1 6-2 6-3 6-4 6-5 6-6",
    "five of a value and its double": "6-0 6-1 6-2 6-3 6-4 6-6 1-2",
}
NO_REDEALS = {
    "four doubles": "0-0 1-1 2-2 3-3 4-5 5-6 1-2",
    "five of a value": "6-0 6-1 6-2 6-3 6-4 5-0 1-2",
    "four of a value and its double": "6-0 6-1 6-2 6-3 6-6 5-0 1-2",
}


@pytest.mark.parametrize("hand", REDEALS.values(), ids=REDEALS)
@pytest.mark.parametrize("seat", [0, 1])
def test_kozel_redeal__any_such_hand_voids_the_deal(hand: str, seat: int) -> None:
    rest = rest_of(hand).split()
    other = " ".join(rest[1::3][:7])  # every third tile: neither doubles nor one value in plenty
    hands = [hand, other] if seat == 0 else [other, hand]
    with pytest.raises(Refusal) as caught:
        dealt(hands, rest_of(hand, other))
    assert (caught.value.code, caught.value.rule) == ("void_deal", "kozel.redeal")


@pytest.mark.parametrize("hand", NO_REDEALS.values(), ids=NO_REDEALS)
def test_kozel_redeal__one_tile_less_is_played(hand: str) -> None:
    other = " ".join(rest_of(hand).split()[1::3][:7])
    assert dealt([hand, other], rest_of(hand, other)).hands[0] == tiles(hand)


def test_kozel_redeal__the_bazaar_does_not_count() -> None:
    hands = ["6-5 4-3 2-1 6-0 5-4 3-2 1-0", "6-4 5-3 4-2 3-1 2-0 6-3 5-2"]
    assert "0-0 1-1 2-2 3-3 4-4 5-5 6-6" in " ".join(sorted(rest_of(*hands).split(), key=lambda t: t[0] != t[2]))
    assert dealt(hands, rest_of(*hands)).attempt == 1


def test_kozel_redeal__all_is_dealt_again_and_every_void_deal_is_kept() -> None:
    state = start_state(new_match(KOZEL, 2, {}))
    hand, other = tiles("6-0 6-1 6-2 6-3 6-4 6-5 1-2"), tiles("5-0 4-1 3-3 2-0 5-4 3-1 2-2")
    rest = [entry for entry in FULL if entry not in {*hand, *other}]
    void = [FULL.index(entry) for entry in (*hand, *other, *rest)]
    fine = [*void[2:9], *void[0:2], *void[9:]]
    fine[0], fine[20] = fine[20], fine[0]
    shuffles = {1: void, 2: void, 3: fine}
    first, second, third = deal_round(KOZEL, state, lambda attempt: shuffles[attempt], commitment="c0")
    assert isinstance(first, DealVoided)
    assert first == DealVoided(1, 1, (hand, other), tuple(rest), "kozel.redeal", "c0")
    assert second == replace(first, attempt=2)
    assert isinstance(third, RoundDealt)
    assert (third.round, third.attempt, third.commitment) == (1, 3, "c0")


def test_kozel_redeal__does_not_change_who_leads() -> None:
    state = position(KOZEL, hands=["6-4", "5-4"], laid="1-6", to_move=0)
    after = move(KOZEL, state, "6-4 right")
    hand = tiles("6-0 6-1 6-2 6-3 6-4 6-5 1-2")
    void = [FULL.index(entry) for entry in (*hand, *(entry for entry in FULL if entry not in hand))]
    fine = list(range(1, 28, 2)) + list(range(0, 28, 2))
    *voided, deal = deal_round(KOZEL, after, lambda attempt: void if attempt == 1 else fine)
    assert len(voided) == 1
    assert isinstance(deal, RoundDealt)
    assert (deal.to_move, deal.rule) == (0, "kozel.lead_next")


# The lead

LEADS = {
    "1-1 before all": (["6-5 1-1 6-6", "2-2 3-3 0-0"], 0, "1-1"),
    "2-2 where 1-1 lies in the bazaar": (["6-5 3-3 6-6", "2-2 0-0 4-4"], 1, "2-2"),
    "3-3 before 6-6 and 0-0 (K-20)": (["6-6 0-0", "3-3"], 1, "3-3"),
    "0-0 last of the doubles": (["6-5 6-4", "0-0 1-0"], 1, "0-0"),
    "6-6 before 0-0": (["0-0 6-5", "6-6 1-0"], 1, "6-6"),
    "no double: the highest sum": (["6-4 5-4", "6-5 1-0"], 1, "6-5"),
    "equal sums: the higher half": (["5-4 1-0", "6-3 2-0"], 1, "6-3"),
    "5-4 before 6-2": (["6-2 1-0", "5-4 2-0"], 1, "5-4"),
    "4-3 after 5-2": (["4-3 1-0", "5-2 2-0"], 1, "5-2"),
}


def test_kozel_lead_first__the_first_tile_of_the_list_in_a_hand() -> None:
    for hands, seat, lead in LEADS.values():
        state = start_state(new_match(KOZEL, len(hands), {}))
        first = KOZEL.leader(state, Deal(tuple(map(tiles, hands))), lambda seats: seats[0])
        assert (first.seat, first.tiles, first.rule) == (seat, (tile(lead),), "kozel.lead_first")


def test_kozel_lead_first__the_whole_list_in_its_order() -> None:
    doubles = "1-1 2-2 3-3 4-4 5-5 6-6 0-0"
    mixed = "6-5 6-4 6-3 5-4 6-2 5-3 6-1 5-2 4-3 6-0 5-1 4-2 5-0 4-1 3-2 4-0 3-1 3-0 2-1 2-0 1-0"
    order = tiles(f"{doubles} {mixed}")
    state = start_state(new_match(KOZEL, 2, {}))
    for place, lead in enumerate(order):
        deal = Deal((tuple(reversed(order[place + 1 :])), (lead,)))
        assert KOZEL.leader(state, deal, lambda seats: seats[0]).tiles == (lead,)


def test_kozel_lead_first__exactly_that_tile_must_be_led() -> None:
    """K-20: A holds 6-6 and 0-0, B 3-3, nobody lower."""
    hands = ["6-6 0-0 6-5 6-4 5-4 2-1 3-0", "3-3 6-3 5-0 4-1 5-3 2-0 6-1"]
    state = evolve(start_state(new_match(KOZEL, 2, {})), dealt(hands, rest_of(*hands)))
    assert state.round.to_move == 1
    assert legal(KOZEL, state) == ["3-3"]
    assert refused(KOZEL, state, "6-3") == (
        "illegal_move",
        "kozel.lead_first",
    )
    assert refused(KOZEL, state, "3-3", seat=0) == ("not_your_turn", None)
    assert layout_of(move(KOZEL, state, "3-3"), Line).left_end == 3


def test_kozel_lead_next__who_went_out_leads_any_tile() -> None:
    state = position(KOZEL, hands=["6-4 1-0", "5-4", "4-2"], laid="6-1", to_move=1, boneyard="")
    state = move(KOZEL, in_round(state, layout=layout_of(state, Line).place(tile("5-1"), "right")), "5-4 right")
    assert state.round.over is not None
    assert (state.round.over.seat, state.round.over.lead) == (1, 1)
    hands = ["1-1 6-5 6-4 5-4 2-1 3-0 0-0", "3-3 6-3 5-0 4-1 5-3 2-0 6-1", "2-2 4-4 5-1 6-2 4-0 3-1 5-2"]
    (event,) = deal_explicit(KOZEL, state, Deal(tuple(map(tiles, hands)), tiles(rest_of(*hands))))
    state = evolve(state, event)
    assert state.round.to_move == 1
    assert legal(KOZEL, state) == ["2-0", "3-3", "4-1", "5-0", "5-3", "6-1", "6-3"]


@pytest.mark.parametrize(
    ("hands", "reason"),
    [
        (["1-1", "3-0", "6-6 1-0", "5-0 5-2"], "fish"),
        (["3-0", "6-6 1-1", "5-5 4-0", "3-1 5-2"], "fish_drawn"),
    ],
)
def test_kozel_lead_next__the_fisherman_leads_after_a_drawn_fish_too(hands: list[str], reason: str) -> None:
    state = position(KOZEL, hands=hands, laid=K06_BEFORE, to_move=3, options={"fish": "one"})
    ended = round_end(KOZEL, state, "5-2 right")
    assert (ended.reason, ended.seat, ended.lead) == (reason, 3, 3)


def test_kozel__moves_are_written_as_the_protocol_says() -> None:
    state = position(KOZEL, hands=["6-4", "1-0"], laid="6-1")
    written: dict[str, Move] = {
        "draw": Draw(),
        "pass": Pass(),
        "6-4 left": Play((6, 4), "left"),
        "6-4": Play((6, 4), ""),
    }
    for text, sums in written.items():
        assert KOZEL.move_text(sums) == text
        assert KOZEL.parse_move(state, text) == sums
    assert KOZEL.parse_move(state, "4-6 right") == Play((6, 4), "right")


# The turn


def test_kozel_turn__clockwise_one_tile_on_either_end() -> None:
    state = position(KOZEL, hands=["6-4 5-0 1-1", "4-4", "5-4 1-0", "3-3"], laid="6-3 3-5")
    assert legal(KOZEL, state) == ["5-0 right", "6-4 left"]
    state = move(KOZEL, state, "6-4 left")
    assert (layout_of(state, Line).left_end, layout_of(state, Line).right_end, state.round.to_move) == (4, 5, 1)


def test_kozel_turn__a_tile_that_fits_both_ends_has_two_moves() -> None:
    assert legal(KOZEL, position(KOZEL, hands=["6-5 1-1", "4-4"], laid="6-3 3-5")) == ["6-5 left", "6-5 right"]
    assert legal(KOZEL, position(KOZEL, hands=["6-5 1-1", "4-4"], laid="6-3 3-6")) == ["6-5 left", "6-5 right"]
    assert legal(KOZEL, position(KOZEL, hands=["6-6 1-1", "4-4"], laid="6-3 3-6")) == ["6-6 left", "6-6 right"]


def test_kozel_turn__a_lead_is_the_tile_alone_its_higher_half_left() -> None:
    state = position(KOZEL, hands=["2-6 1-1", "4-4"])
    assert legal(KOZEL, state) == ["1-1", "6-2"]
    after = move(KOZEL, state, "2-6")
    assert (layout_of(after, Line).left_end, layout_of(after, Line).right_end) == (6, 2)
    assert refused(KOZEL, state, "6-2 left") == ("illegal_move", "kozel.turn")


def test_kozel_turn__doubles_are_no_spinners() -> None:
    state = move(KOZEL, position(KOZEL, hands=["6-6 1-0", "6-5 6-4", "6-3 1-1"]), "6-6", "6-5 left", "6-3 right")
    assert (layout_of(state, Line).left_end, layout_of(state, Line).right_end) == (5, 3)
    with pytest.raises(Refusal) as caught:
        KOZEL.parse_move(state, "6-4 up")
    assert caught.value.code == "bad_move"


@pytest.mark.parametrize("text", ["5-0 left", "1-1 right", "4-4 left", "6-4"])
def test_kozel_turn__a_tile_that_does_not_fit_or_is_not_held_is_refused(text: str) -> None:
    state = position(KOZEL, hands=["6-4 5-0 1-1", "4-4"], laid="6-3 3-5")
    assert refused(KOZEL, state, text) == ("illegal_move", "kozel.turn")


def test_kozel_must_play__no_voluntary_draw_and_no_voluntary_pass() -> None:
    """K-21: with 5-0 in hand, draw and pass are refused."""
    state = position(KOZEL, hands=["0-1 2-2 5-0", "4-4"], laid="3-1 1-5", boneyard="4-6 0-6 3-6 1-1")
    assert legal(KOZEL, state) == ["5-0 right"]
    for text in ("draw", "pass"):
        assert refused(KOZEL, state, text) == (
            "illegal_move",
            "kozel.must_play",
        )


def test_kozel_draw__one_by_one_until_one_fits_which_must_be_played() -> None:
    """K-21: draws three, must play 3-6; ends 6/5; bazaar [1-1]."""
    state = position(KOZEL, hands=["0-1 2-2", "4-4"], laid="3-1 1-5", boneyard="4-6 0-6 3-6 1-1")
    assert legal(KOZEL, state) == ["draw"]
    assert refused(KOZEL, state, "pass") == ("illegal_move", "kozel.draw")
    state = move(KOZEL, state, "draw", "draw")
    assert (state.round.to_move, state.round.drawn, legal(KOZEL, state)) == (0, 2, ["draw"])
    state = move(KOZEL, state, "draw")
    assert legal(KOZEL, state) == ["6-3 left"]
    assert refused(KOZEL, state, "draw") == ("illegal_move", "kozel.must_play")
    state = move(KOZEL, state, "3-6 left")
    assert (layout_of(state, Line).left_end, layout_of(state, Line).right_end) == (6, 5)
    assert state.boneyard == tiles("1-1")
    assert state.hands[0] == tiles("0-1 2-2 4-6 0-6")


def test_kozel_draw__the_last_tile_too() -> None:
    state = position(KOZEL, hands=["0-1 2-2", "4-4"], laid="3-1 1-5", boneyard="5-0")
    state = move(KOZEL, state, "draw")
    assert (state.boneyard, legal(KOZEL, state)) == ((), ["5-0 right"])


def test_kozel_knock__only_when_nothing_fits_and_the_bazaar_is_empty() -> None:
    state = position(KOZEL, hands=["0-1 2-2", "5-4 4-4"], laid="3-1 1-5", boneyard="6-0")
    state = move(KOZEL, state, "draw")
    assert legal(KOZEL, state) == ["pass"]
    assert refused(KOZEL, state, "draw") == ("illegal_move", "kozel.knock")
    state = move(KOZEL, state, "pass")
    assert (state.round.to_move, legal(KOZEL, state)) == (1, ["5-4 right"])
    assert state.hands[0] == tiles("0-1 2-2 6-0")


# The end of a round


def test_kozel_out__the_last_tile_ends_the_round_at_once() -> None:
    state = position(KOZEL, hands=["6-4", "6-5 6-0"], laid="6-1", boneyard="5-5")
    ended = round_end(KOZEL, state, "6-4 left")
    assert (ended.reason, ended.seat, ended.rule) == ("out", 0, "kozel.out")
    assert move(KOZEL, state, "6-4 left").round.to_move is None


def test_kozel_out__also_when_that_tile_closes_the_line() -> None:
    """K-09: 5-2 was Serg's last tile: he went out, no fish, he leads next."""
    state = position(KOZEL, hands=["1-1", "3-0", "6-6 1-0", "5-2"], laid=K06_BEFORE, to_move=3)
    ended = round_end(KOZEL, state, "5-2 right")
    assert (ended.reason, ended.seat, ended.lead) == ("out", 3, 3)
    assert totals(ended) == [2, 3, 13, 0]


def test_kozel_fish__both_ends_one_value_and_its_six_non_doubles_laid() -> None:
    """K-06."""
    state = position(KOZEL, hands=["1-1", "3-0", "6-6 1-0", "5-0 5-2"], laid=K06_BEFORE, to_move=3)
    ended = round_end(KOZEL, state, "5-2 right")
    assert (ended.reason, ended.seat, ended.rule) == ("fish", 3, "kozel.fish")


@pytest.mark.parametrize(
    ("masha", "bazaar"), [("1-1", "2-2"), ("1-1 2-2", "")], ids=["2-2 in the bazaar", "2-2 in a hand"]
)
def test_kozel_fish__wherever_the_double_lies(masha: str, bazaar: str) -> None:
    """K-07: nobody may play 2-2 any more, and nobody draws."""
    state = position(KOZEL, hands=[masha, "3-0", "6-6", "5-0 5-2"], laid=K07_BEFORE, boneyard=bazaar, to_move=3)
    after = move(KOZEL, state, "5-2 right")
    assert after.round.over is not None
    assert after.round.over.reason == "fish"
    assert KOZEL.legal_moves(after) == ()


def test_kozel_fish__not_with_five_non_doubles() -> None:
    """K-08: K-06 without the last 5-2; the ends 2 and 2 come from 2-3."""
    state = position(KOZEL, hands=["1-1", "3-0", "2-3 1-0", "5-2"], laid="2-4 4-1 1-2 2-2 2-6 6-0 0-3", to_move=2)
    after = move(KOZEL, state, "2-3 right")
    assert (layout_of(after, Line).left_end, layout_of(after, Line).right_end) == (2, 2)
    assert after.round.over is None
    assert after.round.to_move == 3
    assert legal(KOZEL, after) == ["5-2 left", "5-2 right"]


def test_kozel_fish__not_with_two_values_at_the_ends() -> None:
    state = position(KOZEL, hands=["5-6 1-1", "3-0"], laid="5-2 2-4 4-1 1-2 2-2 2-6 6-0 0-2 2-3")
    after = move(KOZEL, state, "5-6 left")
    assert (layout_of(after, Line).left_end, layout_of(after, Line).right_end, after.round.over) == (6, 3, None)
