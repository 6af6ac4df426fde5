"""Stalling: nearly all of the free time in nearly every turn, at a table where the others do not need it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

NEARLY_ALL = 0.9
"""A turn that takes more of its free time is slow."""
ENOUGH = 8
"""Turns of a person, and of the others, below which nothing is said."""
THRESHOLD = 0.75


class Turn(NamedTuple):
    """How much of the free time of a move the person in a seat took: 1 is all of it, more is from the time bank."""

    seat: int
    part: float


class Slowness(NamedTuple):
    """How many turns of a person were slow, and what part of the others' turns."""

    slow: int = 0
    turns: int = 0
    others: float = 1.0

    @property
    def measure(self) -> float:
        """By how much more of the turns the person was slow than the others were, 0 to 1.

        >>> Slowness(slow=12, turns=16, others=0.25).measure
        0.5
        """
        return max(0.0, self.slow / self.turns - self.others) if self.turns else 0.0


def slowness(turns: Sequence[Turn], seat: int) -> Slowness:
    """Return how slow a seat was; nothing can be said of a few turns, or beside a few."""
    own = [turn.part > NEARLY_ALL for turn in turns if turn.seat == seat]
    others = [turn.part > NEARLY_ALL for turn in turns if turn.seat != seat]
    if min(len(own), len(others)) < ENOUGH:
        return Slowness()
    return Slowness(sum(own), len(own), sum(others) / len(others))
