"""How often something happened in trials."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

Z = 1.96
"""95 % of a normal distribution lie within so many standard deviations."""


class Rate(NamedTuple):
    """How many of the cases that were looked at gave an alarm."""

    alarms: int
    looked: int

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval, in which the true rate lies in 95 of 100 trials.

        >>> [round(end, 3) for end in Rate(0, 100).interval], [round(end, 3) for end in Rate(50, 100).interval]
        ([0.0, 0.037], [0.404, 0.596])
        """
        if not self.looked:
            return 0.0, 1.0
        part, squared = self.alarms / self.looked, Z * Z / self.looked
        middle = part + squared / 2
        reach = Z * sqrt(part * (1 - part) / self.looked + squared / self.looked / 4)
        return max(0.0, (middle - reach) / (1 + squared)), min(1.0, (middle + reach) / (1 + squared))


class Trial(NamedTuple):
    """A detector on innocent play, and on the same with somebody guilty."""

    innocent: Rate
    guilty: Rate
