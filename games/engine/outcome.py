"""The value of a move in two numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple


class Outcome(NamedTuple):
    """``points`` gained on the average of the other sides up to the end of the round, and the ``chance`` to win the
    match after it. More is better in every game.
    """

    points: float
    chance: float


def mean_outcome(outcomes: Sequence[Outcome]) -> Outcome:
    return Outcome(*map(fmean, zip(*outcomes, strict=True)))


def standard_error(values: Sequence[float]) -> float:
    """Return the standard error of the mean of two or more values."""
    return stdev(values) / sqrt(len(values))
