"""The value of a move in two numbers."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple


class Outcome(NamedTuple):
    """``points`` gained on the average of the other sides up to the end of the round, and the ``chance`` to win the
    match after it. More is better in every game.
    """

    points: float
    chance: float


def mean_outcome(outcomes: Sequence[Outcome]) -> Outcome:
    return Outcome(*map(fmean, zip(*outcomes, strict=True)))
