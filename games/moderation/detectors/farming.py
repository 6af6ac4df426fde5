"""Farming: one person wins nearly all rated matches against another, who leaves them or loses at once.

A strong player always beats a weak one, so winning alone proves little while ratings are uncertain. Innocent play is
as improbable as ``THRESHOLD`` only if many matches are also short, or if one after the other is given up.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, erf, exp, log, sqrt
from typing import NamedTuple

MIN_MEETINGS = 5  # within a week
THRESHOLD = 1e-4  # results this improbable are reported
SHORT_RATE = 0.1  # share of matches that impatient but innocent people give up or lose at once
LUCK = 5.9  # standard deviation of the result of two players in the rating model: 25/6 · √2
STEPS = 60  # for the integral over the difference of two skills
REACH = 4.0  # standard deviations to either side that the integral covers


class Meeting(NamedTuple):
    """A rated match of two people on different sides.

    ``won``: the first one finished ahead. ``short``: the other one left, or the match was over within a minute.
    """

    won: bool
    short: bool


class Skills(NamedTuple):
    """The rating advantage of the first person before the meetings, and its standard deviation."""

    ahead: float
    spread: float


def chance(meetings: Sequence[Meeting], skills: Skills) -> float:
    """Return the probability of results at least as suspicious as these among innocent people."""
    if len(meetings) < MIN_MEETINGS:
        return 1.0
    won = sum(meeting.won for meeting in meetings)
    short = sum(meeting.won and meeting.short for meeting in meetings)
    both = wins(won, len(meetings), skills) * at_least(short, len(meetings), SHORT_RATE)
    # Fisher's method combines the two probabilities: their product alone would be too small.
    return min(1.0, both * (1 - log(both)))


def wins(won: int, met: int, skills: Skills) -> float:
    """Return the probability of at least this many wins, averaged over the possible differences of skill."""
    weight = total = 0.0
    for step in range(STEPS + 1):
        deviation = REACH * (2 * step / STEPS - 1)
        density = exp(-deviation * deviation / 2)
        ahead = skills.ahead + deviation * skills.spread
        weight += density
        total += density * at_least(won, met, (1 + erf(ahead / LUCK / sqrt(2))) / 2)
    return total / weight


def at_least(hits: int, tries: int, chance: float) -> float:
    """Return the probability of at least ``hits`` hits.

    >>> at_least(2, 2, 0.5), at_least(0, 9, 0.5)
    (0.25, 1.0)
    """
    return sum(comb(tries, hit) * chance**hit * (1 - chance) ** (tries - hit) for hit in range(hits, tries + 1))
