"""Move sequences counted: pinned, and compared with a second, naive program."""

from __future__ import annotations

import pytest

from games.engine.referee import perft
from games.engine.variants import rules_for
from tests.engine.positions import somewhere
from tests.engine.sequences import DEALS, count_naively, dealt_state

KOZEL = rules_for("kozel")

# Of the first to the seventh move; the naive program agrees.
PINNED = {
    "two": [1, 2, 8, 20, 68, 164, 384],
    "three": [1, 6, 12, 40, 84, 202, 520],
    "four": [1, 6, 22, 72, 174, 510, 1640],
}


@pytest.mark.parametrize("name", PINNED)
def test_perft_counts_are_unchanged(name: str) -> None:
    assert [perft(KOZEL, dealt_state(KOZEL, *DEALS[name]), depth) for depth in range(1, 8)] == PINNED[name]


@pytest.mark.parametrize("name", PINNED)
def test_naive_program_agrees_from_the_deal(name: str) -> None:
    assert [count_naively(dealt_state(KOZEL, *DEALS[name]), depth) for depth in range(1, 8)] == PINNED[name]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(8))
def test_naive_program_agrees_to_the_end_of_the_round(seed: int, seats: int) -> None:
    state = somewhere(KOZEL, seed, seats, moves=16)
    for depth in (1, 4, 8):
        assert perft(KOZEL, state, depth) == count_naively(state, depth)


def test_a_sequence_that_ends_with_the_round_counts_one() -> None:
    state = somewhere(KOZEL, 1, 4, moves=100)
    assert perft(KOZEL, state, 1) >= 1
    assert perft(KOZEL, state, 1000) >= 1
