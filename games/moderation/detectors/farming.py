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
RESULT_DEVIATION = 5.9  # standard deviation of the result of two players in the rating model: 25/6 · √2
INTEGRAL_STEPS = 60  # for the integral over the difference of two skills
INTEGRAL_DEVIATIONS = 4.0  # standard deviations to either side that the integral covers


class Meeting(NamedTuple):
    """A rated match of two people on different sides.

    ``won``: the first one finished ahead. ``short``: the other one left, or the match was over within a minute.
    """

    won: bool
    short: bool


class Skills(NamedTuple):
    """The rating advantage of the first person before the meetings, and its standard deviation."""

    advantage: float
    deviation: float


def innocence_probability(meetings: Sequence[Meeting], skills: Skills) -> float:
    """Return the probability of results at least as suspicious as these among innocent people."""
    if len(meetings) < MIN_MEETINGS:
        return 1.0
    won = sum(meeting.won for meeting in meetings)
    short = sum(meeting.won and meeting.short for meeting in meetings)
    product = probability_of_wins(won, len(meetings), skills) * probability_of_at_least(
        short, len(meetings), SHORT_RATE
    )
    # Fisher's method combines the two probabilities: their product alone would be too small.
    return min(1.0, product * (1 - log(product)))


def probability_of_wins(won: int, meetings: int, skills: Skills) -> float:
    """Return the probability of at least this many wins, averaged over the possible differences of skill."""
    weight = total = 0.0
    for step in range(INTEGRAL_STEPS + 1):
        deviation = INTEGRAL_DEVIATIONS * (2 * step / INTEGRAL_STEPS - 1)
        density = exp(-deviation * deviation / 2)
        advantage = skills.advantage + deviation * skills.deviation
        weight += density
        total += density * probability_of_at_least(
            won, meetings, (1 + erf(advantage / RESULT_DEVIATION / sqrt(2))) / 2
        )
    return total / weight


def probability_of_at_least(min_hits: int, tries: int, probability: float) -> float:
    """Return the probability of at least ``min_hits`` hits.

    >>> probability_of_at_least(2, 2, 0.5), probability_of_at_least(0, 9, 0.5)
    (0.25, 1.0)
    """
    return sum(
        comb(tries, hits) * probability**hits * (1 - probability) ** (tries - hits)
        for hits in range(min_hits, tries + 1)
    )
