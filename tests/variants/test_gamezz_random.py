"""Compares Classic goat with a naive implementation of its rules: scores of rounds, and counts of move sequences."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.events import MatchEnded, Passed, Played, RoundDealt, RoundEnded
from games.engine.evolve import evolve
from games.engine.layout.line import Line
from games.engine.moves import Draw, Move, Pass, Play
from games.engine.playout import playout
from games.engine.referee import perft
from games.engine.state import State
from games.engine.variants import rules_for
from tests.engine.brute import Pair
from tests.engine.positions import begun, broken, layout_of, somewhere
from tests.engine.sequences import DEALS, count_naively, dealt_state

GAMEZZ = rules_for("gamezz")


def pips_of(hand: tuple[tuple[int, ...], ...]) -> int:
    return sum(one + other for one, other in hand)


def must_lead(hands: tuple[tuple[tuple[int, ...], ...], ...]) -> tuple[int, tuple[int, ...]]:
    """Return who leads and with which tile."""
    owners = [(tile, seat) for seat, hand in enumerate(hands) for tile in hand]
    doubles = [(tile, seat) for tile, seat in owners if tile[0] == tile[1]]
    for tile, seat in doubles:
        if tile == (0, 0):
            return seat, tile
    if doubles:
        tile, seat = max(doubles)
    else:
        tile, seat = max(owners, key=lambda entry: (sum(entry[0]), max(entry[0])))
    return seat, tile


def is_stalled(ends: Pair, laid: frozenset[Pair]) -> bool:
    """Return True if both ends show one value and all seven tiles with it are on the table."""
    return ends[0] == ends[1] and sum(ends[0] in tile for tile in laid) == 7


@settings(max_examples=20, deadline=None)
@given(st.sampled_from([2, 3, 4]), st.integers(0, 10**6))
def test_gamezz_matches_agree_with_a_naive_implementation(seats: int, seed: int) -> None:
    events = playout(GAMEZZ, seats, {}, str(seed))
    state, scores = begun(events[0]), [0] * seats
    for event in events[1:]:
        if isinstance(event, RoundDealt):
            assert (event.to_move, *event.must_lead) == must_lead(event.hands)
        if isinstance(event, RoundEnded):
            assert max(scores) < 101
            last = state.round.plays[-1].seat
            assert event.seat == last
            laid = frozenset((high, low) for high, low in (play.tile for play in state.round.plays))
            assert event.reason == ("blocked" if state.hands[last] else "out")
            assert event.reason == "out" or is_stalled(
                (layout_of(state, Line).left_end, layout_of(state, Line).right_end), laid
            )
            points = [0 if seat == last else pips_of(hand) for seat, hand in enumerate(state.hands)]
            assert [entry.total for entry in event.points] == points
            scores = [before + gained for before, gained in zip(scores, points, strict=True)]
            assert [entry.points for entry in event.standing] == scores
        if isinstance(event, MatchEnded):
            assert event.losers == tuple(seat for seat, score in enumerate(scores) if score > 100)
            assert event.losers
            assert event.places == tuple(1 + sum(other < score for other in scores) for score in scores)
        if isinstance(event, Played | Passed) and event.to_move is not None:
            assert event.to_move == (event.seat + 1) % seats
        state = evolve(state, event)


# Move sequences

# of lengths 1 to 7
PINNED = {
    "two": [1, 4, 10, 30, 80, 196, 444],
    "three": [1, 2, 6, 22, 54, 118, 310],
    "four": [1, 6, 22, 60, 174, 522, 1612],
}


@pytest.mark.parametrize("name", PINNED)
def test_perft_counts_are_unchanged_and_agree_with_a_naive_implementation(name: str) -> None:
    state = dealt_state(GAMEZZ, *DEALS[name])
    assert [perft(GAMEZZ, state, depth) for depth in range(1, 8)] == PINNED[name]
    assert [count_naively(state, depth, is_stalled) for depth in range(1, 8)] == PINNED[name]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(2))
def test_naive_implementation_agrees_to_the_end_of_the_round(seed: int, seats: int) -> None:
    state = somewhere(GAMEZZ, seed, seats, moves=16)
    for depth in (1, 4, 8):
        assert perft(GAMEZZ, state, depth) == count_naively(state, depth, is_stalled)


# Illegal moves


def broken_rule(state: State, move: Move) -> str:
    """Return the rule that a move breaks, by a naive reading; "" if none."""
    assert state.round.to_move is not None
    hand, line = state.hands[state.round.to_move], layout_of(state, Line)
    leading = not state.round.plays
    ends = {"left": line.left_end, "right": line.right_end}
    if isinstance(move, Play):
        if leading and move.tile not in state.must_lead:
            return "gamezz.lead"
        fits = move.place == "" if leading else move.place in ends and ends[move.place] in move.tile
        return "" if fits and move.tile in hand else "gamezz.turn"
    if leading or any(value in tile for tile in hand for value in ends.values()):
        return "gamezz.turn"
    return "" if isinstance(move, Draw) == bool(state.boneyard) else "gamezz.draw"


@pytest.mark.parametrize("seed", range(6))
def test_random_moves_are_judged_like_a_naive_reading(seed: int) -> None:
    chance = random.Random(seed)
    rules = set()
    for moves in (0, 1, 5, 12, 20, 30):
        state = somewhere(GAMEZZ, seed, 2 + seed % 3, moves)
        before = hash(state)
        for _ in range(100):
            tile = chance.choice(GAMEZZ.tile_set)
            moves_there: list[Move] = [Draw(), Pass(), *(Play(tile, place) for place in ("", "left", "right", "up"))]
            move = chance.choice(moves_there)
            rules.add(broken_rule(state, move))
            assert broken(GAMEZZ, state, move) == broken_rule(state, move), move
        assert hash(state) == before
    assert {"", "gamezz.lead", "gamezz.turn"} <= rules
