"""Rates of alarms in trials."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

Z = 1.96  # 95 % of a normal distribution lie within this many standard deviations


class Rate(NamedTuple):
    """Alarms among a number of trials."""

    alarms: int
    trials: int

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the true rate.

        >>> [round(end, 3) for end in Rate(0, 100).interval], [round(end, 3) for end in Rate(50, 100).interval]
        ([0.0, 0.037], [0.404, 0.596])
        """
        if not self.trials:
            return 0.0, 1.0
        share, squared = self.alarms / self.trials, Z * Z / self.trials
        middle = share + squared / 2
        reach = Z * sqrt(share * (1 - share) / self.trials + squared / self.trials / 4)
        return max(0.0, (middle - reach) / (1 + squared)), min(1.0, (middle + reach) / (1 + squared))


class Trial(NamedTuple):
    """The rates of a detector for innocent and for guilty play."""

    innocent: Rate
    guilty: Rate
