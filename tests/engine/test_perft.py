"""Move sequences counted: pinned, and compared with a second, naive program."""

from __future__ import annotations

import random

import pytest

from games.engine.decide import deal_given, deal_round, decide, new_match
from games.engine.evolve import evolve, start_state
from games.engine.perft import perft
from games.engine.rules import Deal
from games.engine.state import State
from games.engine.variants import rules_for
from tests.engine.brute import count_sequences
from tests.engine.positions import tiles

KOZEL = rules_for("kozel")

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
    "two": (TWO, [1, 2, 8, 20, 68, 164, 384]),
    "three": (THREE, [1, 6, 12, 40, 84, 202, 520]),
    "four": (FOUR, [1, 6, 22, 72, 174, 510, 1640]),
}


def dealt(hands: list[str], boneyard: str) -> State:
    state = start_state(new_match(KOZEL, len(hands), {}))
    (event,) = deal_given(KOZEL, state, Deal(tuple(map(tiles, hands)), tiles(boneyard)))
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
        None if state.plays or not state.must_lead else state.must_lead[0],
    )


def somewhere(seed: int, seats: int, moves: int) -> State:
    """Return the position after that many random moves, or as many as the round has."""
    chance = random.Random(seed)
    state = start_state(new_match(KOZEL, seats, {}))
    for event in deal_round(KOZEL, state, lambda attempt: chance.sample(range(28), 28)):
        state = evolve(state, event)
    for _ in range(moves):
        (made, *_) = decide(KOZEL, state, state.to_move, chance.choice(KOZEL.legal_moves(state)))
        after = evolve(state, made)
        if after.to_move is None:
            break
        state = after
    return state


@pytest.mark.parametrize(("deal", "nodes"), PINNED.values(), ids=PINNED)
def test_perft_is_what_it_was(deal: tuple[list[str], str], nodes: list[int]) -> None:
    assert [perft(KOZEL, dealt(*deal), depth) for depth in range(1, 8)] == nodes


@pytest.mark.parametrize(("deal", "nodes"), PINNED.values(), ids=PINNED)
def test_a_naive_program_counts_the_same_from_the_deal(deal: tuple[list[str], str], nodes: list[int]) -> None:
    assert [counted_naively(dealt(*deal), depth) for depth in range(1, 8)] == nodes


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(8))
def test_a_naive_program_counts_the_same_to_the_end_of_the_round(seed: int, seats: int) -> None:
    state = somewhere(seed, seats, moves=16)
    for depth in (1, 4, 8):
        assert perft(KOZEL, state, depth) == counted_naively(state, depth)


def test_a_sequence_that_ends_with_the_round_counts_one() -> None:
    state = somewhere(1, 4, moves=100)
    assert perft(KOZEL, state, 1) >= 1
    assert perft(KOZEL, state, 1000) >= 1
