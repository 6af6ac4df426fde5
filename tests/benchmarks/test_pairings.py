"""A sample of the benchmark of pairings, compared with all possible rounds, and faults that it finds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import pytest

from benchmarks import pairings
from benchmarks.pairings import RandomSwiss, Round, is_failure
from games.tournaments.core import swiss
from games.tournaments.core.grouping import slices
from games.tournaments.core.standings import party_points
from games.tournaments.core.state import State
from tests.tournaments.test_pairing import least_cost

TOURNAMENTS = 25


def exhaustive_cost(count: int, cost: Callable[[int, int], int]) -> int:
    return least_cost({pair: cost(*pair) for pair in combinations(range(count), 2)}, count)


def sample() -> list[Round]:
    return [
        row for number in range(TOURNAMENTS) for row in RandomSwiss(f"sample {number}", 4, 12).rounds(exhaustive_cost)
    ]


def test_random_rounds_cost_and_repeat_as_little_as_any() -> None:
    rounds = sample()
    assert not any(map(is_failure, rounds))
    assert all(row.is_exact for row in rounds)
    assert {row.sides for row in rounds} == {2, 3, 4}
    assert any(row.repeats for row in rounds)


@pytest.mark.parametrize("name", ["cheapest_pairs", "cheapest_tables"])
def test_worse_rounds_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = {
        "cheapest_pairs": lambda count, _cost: [(index, index + 1) for index in range(0, count, 2)],
        "cheapest_tables": lambda parties, sizes, _costs: slices(parties, sizes),
    }
    monkeypatch.setattr(swiss, name, planted[name])
    assert any(map(is_failure, sample()))


def test_wrong_points_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def generous(state: State) -> dict[str, Fraction]:
        return {party: points + (party == "p000") for party, points in party_points(state).items()}

    monkeypatch.setattr(pairings, "party_points", generous)
    with pytest.raises(AssertionError):
        sample()
