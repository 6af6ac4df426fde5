"""Stalling: using nearly all of the free time in nearly every turn, while the opponents do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

SLOW_SHARE = 0.9  # a turn that takes a greater share of its free time is slow
MIN_TURNS = 8  # of the person, and of the opponents together
THRESHOLD = 0.75


class Turn(NamedTuple):
    """The share of its free time that a move took; above 1 the time bank was used."""

    seat: int
    share: float


class Slowness(NamedTuple):
    """How many turns of a person were slow, and the share of slow turns among the opponents'."""

    slow_turns: int = 0
    turns: int = 0
    opponents_share: float = 1.0

    @property
    def measure(self) -> float:
        """How much greater the person's share of slow turns is than the opponents', 0 to 1.

        >>> Slowness(slow=12, turns=16, opponents=0.25).measure
        0.5
        """
        return max(0.0, self.slow_turns / self.turns - self.opponents_share) if self.turns else 0.0


def measure_slowness(turns: Sequence[Turn], seat: int) -> Slowness:
    """Return how slow a seat was, an empty result if it or its opponents had too few turns."""
    own = [turn.share > SLOW_SHARE for turn in turns if turn.seat == seat]
    opponents = [turn.share > SLOW_SHARE for turn in turns if turn.seat != seat]
    if min(len(own), len(opponents)) < MIN_TURNS:
        return Slowness()
    return Slowness(sum(own), len(own), sum(opponents) / len(opponents))
