"""Farming: one person wins nearly all rated matches against another, who gives them up or loses at once.

Strong players beat weak ones again and again, so winning alone says little while ratings are uncertain. What innocent
play makes as improbable as ``THRESHOLD`` is both together, or matches given up one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, erf, exp, log, sqrt
from typing import NamedTuple

ENOUGH = 5
"""Meetings of two people within a week, below which nothing is said."""
THRESHOLD = 1e-4
"""So improbable are results that are reported."""
USUALLY_SHORT = 0.1
"""So many matches may be given up, or over at once, by people who are only impatient."""
LUCK = 5.9
"""The spread of a result of two, as the ratings take it: 25/6 · √2."""
STEPS, REACH = 60, 4.0
"""How finely the difference of two skills is summed up, and as far as how many standard deviations."""


class Meeting(NamedTuple):
    """A rated match of two people on different sides: whether the first finished ahead, and whether it was no match.

    ``short``: the other one left it, or it was over within a minute.
    """

    won: bool
    short: bool


class Skills(NamedTuple):
    """By how much the first was better when the meetings began, by the ratings, and how uncertain that is."""

    ahead: float
    spread: float


def chance(meetings: Sequence[Meeting], skills: Skills) -> float:
    """Return how probable results like these, or worse, are among innocent people, 0 to 1."""
    if len(meetings) < ENOUGH:
        return 1.0
    won = sum(meeting.won for meeting in meetings)
    short = sum(meeting.won and meeting.short for meeting in meetings)
    both = wins(won, len(meetings), skills) * at_least(short, len(meetings), USUALLY_SHORT)
    # Two improbable things: the product of two chances is smaller than its own chance, by Fisher's method.
    return min(1.0, both * (1 - log(both)))


def wins(won: int, met: int, skills: Skills) -> float:
    """Return how probable so many wins are, over all differences of skill that the ratings leave open."""
    weight = total = 0.0
    for step in range(STEPS + 1):
        deviation = REACH * (2 * step / STEPS - 1)
        density = exp(-deviation * deviation / 2)
        ahead = skills.ahead + deviation * skills.spread
        weight += density
        total += density * at_least(won, met, (1 + erf(ahead / LUCK / sqrt(2))) / 2)
    return total / weight


def at_least(hits: int, tries: int, chance: float) -> float:
    """Return how probable so many hits or more are.

    >>> at_least(2, 2, 0.5), at_least(0, 9, 0.5)
    (0.25, 1.0)
    """
    return sum(comb(tries, hit) * chance**hit * (1 - chance) ** (tries - hit) for hit in range(hits, tries + 1))
