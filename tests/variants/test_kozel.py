"""Kozel, set-up and lead: each rule of the game has a test named for it, here or in test_kozel_*.py."""

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
from tests.engine.positions import in_round, layout_of, legal, move, position, refused, round_end, tile, tiles
from tests.variants.kozel_lines import K06_BEFORE

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
