"""Classic goat beside a naive reading of the rule file: rounds scored again, move sequences counted again."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.decide import deal_given, decide, new_match
from games.engine.events import MatchEnded, Passed, Played, RoundDealt, RoundEnded
from games.engine.evolve import evolve, start_state
from games.engine.moves import Draw, Move, Pass, Play
from games.engine.perft import perft
from games.engine.playout import playout
from games.engine.refusal import Refusal
from games.engine.rules import Deal
from games.engine.state import State
from games.engine.variants import rules_for
from tests.engine.brute import Pair, count_sequences
from tests.engine.positions import somewhere, tiles

GAMEZZ = rules_for("gamezz")


def worth(hand: tuple[tuple[int, ...], ...]) -> int:
    return sum(one + other for one, other in hand)


def must_lead(hands: tuple[tuple[tuple[int, ...], ...], ...]) -> tuple[int, tuple[int, ...]]:
    """Return who leads and with which tile."""
    held = [(tile, seat) for seat, hand in enumerate(hands) for tile in hand]
    doubles = [(tile, seat) for tile, seat in held if tile[0] == tile[1]]
    for tile, seat in doubles:
        if tile == (0, 0):
            return seat, tile
    if doubles:
        tile, seat = max(doubles)
    else:
        tile, seat = max(held, key=lambda each: (sum(each[0]), max(each[0])))
    return seat, tile


def is_stalled(ends: Pair, laid: frozenset[Pair]) -> bool:
    """Tell whether both ends show one value and all seven tiles with it are on the table."""
    return ends[0] == ends[1] and sum(ends[0] in tile for tile in laid) == 7


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([2, 3, 4]), st.integers(0, 10**6))
def test_gamezz_matches_agree_with_a_naive_reading(seats: int, seed: int) -> None:
    events = playout(GAMEZZ, seats, {}, str(seed))
    state, scores = start_state(events[0]), [0] * seats
    for event in events[1:]:
        if isinstance(event, RoundDealt):
            assert (event.to_move, *event.must_lead) == must_lead(event.hands)
        if isinstance(event, RoundEnded):
            assert max(scores) < 101
            last = state.plays[-1].seat
            assert event.seat == last
            laid = frozenset((high, low) for high, low in (play.tile for play in state.plays))
            assert event.reason == ("blocked" if state.hands[last] else "out")
            assert event.reason == "out" or is_stalled((state.layout.left, state.layout.right), laid)
            points = [0 if seat == last else worth(hand) for seat, hand in enumerate(state.hands)]
            assert [each.total for each in event.points] == points
            scores = [before + gained for before, gained in zip(scores, points, strict=True)]
            assert [each.points for each in event.standing] == scores
        if isinstance(event, MatchEnded):
            assert event.losers == tuple(seat for seat, score in enumerate(scores) if score > 100)
            assert event.losers
            assert event.places == tuple(1 + sum(other < score for other in scores) for score in scores)
        if isinstance(event, Played | Passed) and event.to_move is not None:
            assert event.to_move == (event.seat + 1) % seats
        state = evolve(state, event)


# Move sequences

TWO = (
    ["6-6 0-0 6-5 6-4 5-4 2-1 3-0", "3-3 6-3 5-0 4-1 5-3 2-0 6-1"],
    "1-0 1-1 2-2 3-1 3-2 4-0 4-2 4-3 4-4 5-1 5-2 5-5 6-0 6-2",
)
THREE = (
    ["6-5 3-2 6-6 3-3 6-2 5-5 2-0", "3-0 4-1 5-0 5-1 5-4 4-2 4-4", "1-0 2-2 0-0 4-3 4-0 2-1 5-3"],
    "6-1 3-1 5-2 6-4 6-0 6-3 1-1",
)
FOUR = (
    ["2-0 6-4 3-1 1-0 6-0 4-1 5-4", "6-1 4-3 5-5 3-0 5-0 2-1 5-2", "6-2 6-6 4-0 4-2 3-3 2-2 6-3",
     "6-5 4-4 3-2 1-1 5-1 0-0 5-3"],
    "",
)  # fmt: skip

# Of the first to the seventh move; the naive program agrees.
PINNED = {
    "two": (TWO, [1, 4, 10, 30, 80, 196, 444]),
    "three": (THREE, [1, 2, 6, 22, 54, 118, 310]),
    "four": (FOUR, [1, 6, 22, 60, 174, 522, 1612]),
}


def dealt(hands: list[str], boneyard: str) -> State:
    state = start_state(new_match(GAMEZZ, len(hands), {}))
    (event,) = deal_given(GAMEZZ, state, Deal(tuple(map(tiles, hands)), tiles(boneyard)))
    return evolve(state, event)


def counted_naively(state: State, depth: int) -> int:
    """Count from here with the second program."""
    assert state.to_move is not None
    line = state.layout
    return count_sequences(
        tuple(frozenset((one, other) for one, other in hand) for hand in state.hands),
        tuple((one, other) for one, other in state.boneyard),
        None if line.left is None else (line.left, line.right),
        frozenset((one, other) for one, other in (play.tile for play in state.plays)),
        state.to_move,
        depth,
        None if state.plays else state.must_lead[0],
        is_stalled,
    )


@pytest.mark.parametrize(("deal", "nodes"), PINNED.values(), ids=PINNED)
def test_perft_is_what_it_was_and_a_naive_program_counts_the_same(
    deal: tuple[list[str], str], nodes: list[int]
) -> None:
    assert [perft(GAMEZZ, dealt(*deal), depth) for depth in range(1, 8)] == nodes
    assert [counted_naively(dealt(*deal), depth) for depth in range(1, 8)] == nodes


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(8))
def test_a_naive_program_counts_the_same_to_the_end_of_the_round(seed: int, seats: int) -> None:
    state = somewhere(GAMEZZ, seed, seats, moves=16)
    for depth in (1, 4, 8):
        assert perft(GAMEZZ, state, depth) == counted_naively(state, depth)


# Illegal moves


def judged(state: State, move: Move) -> str:
    """Return the rule that a move breaks, by a naive reading; "" if none."""
    assert state.to_move is not None
    hand, line = state.hands[state.to_move], state.layout
    leading = not state.plays
    ends = {"left": line.left, "right": line.right}
    if isinstance(move, Play):
        if leading and move.tile not in state.must_lead:
            return "gamezz.lead"
        fits = move.place == "" if leading else move.place in ends and ends[move.place] in move.tile
        return "" if fits and move.tile in hand else "gamezz.turn"
    if leading or any(value in tile for tile in hand for value in ends.values()):
        return "gamezz.turn"
    return "" if isinstance(move, Draw) == bool(state.boneyard) else "gamezz.draw"


@pytest.mark.parametrize("seed", range(6))
def test_a_random_move_is_judged_as_a_naive_reading_does(seed: int) -> None:
    chance = random.Random(seed)
    rules = set()
    for moves in (0, 1, 5, 12, 20, 30):
        state = somewhere(GAMEZZ, seed, 2 + seed % 3, moves)
        before = hash(state)
        for _ in range(100):
            tile = chance.choice(GAMEZZ.tile_set)
            move = chance.choice([Draw(), Pass(), *(Play(tile, place) for place in ("", "left", "right", "up"))])
            rules.add(judged(state, move))
            assert broken(state, move) == judged(state, move), move
        assert hash(state) == before
    assert {"", "gamezz.lead", "gamezz.turn"} <= rules


def broken(state: State, move: Move) -> str:
    """Return the rule that a move breaks, by the engine; "" if none."""
    assert state.to_move is not None
    try:
        decide(GAMEZZ, state, state.to_move, move)
    except Refusal as refusal:
        return refusal.rule or refusal.code
    return ""
