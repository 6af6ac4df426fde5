"""The mathematics of ratings: Plackett-Luce by openskill (https://openskill.me), everybody for themselves or in sides.

A skill is a normal distribution: ``mu``, and ``sigma`` for how little is known. It is shown as a whole number on the
scale that people know from chess: 1500 at the start, and 200 points more win about two times in three.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce

MODEL = PlackettLuce()
START, SCALE = 1500, 48
"""What the first ``mu`` is shown as, and how many points one of ``mu`` is."""
SETTLED = 5.5
"""A rating is provisional as long as its ``sigma`` is greater: for some 16 matches of two, 23 of four."""


class Skill(NamedTuple):
    """What is known of how well a person plays a game."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma

    @property
    def shown(self) -> int:
        """The rating as people see it.

        >>> Skill().shown, Skill(27.5, 3.0).shown
        (1500, 1620)
        """
        return round(START + SCALE * (self.mu - MODEL.mu))

    @property
    def provisional(self) -> bool:
        return self.sigma > SETTLED


def rated(
    sides: Sequence[Sequence[Skill]], places: Sequence[int], weights: Sequence[Sequence[float]]
) -> list[list[Skill]]:
    """Return the skills after a match. ``places`` are those of the sides, 1 is best, equal ones share it.

    ``weights`` says for each player how much of the change counts, from 0 to 1.
    """
    before = [[MODEL.create_rating([skill.mu, skill.sigma]) for skill in side] for side in sides]
    after = MODEL.rate(before, ranks=[float(place) for place in places])
    return [
        [_part(skill, Skill(new.mu, new.sigma), weight) for skill, new, weight in zip(*rows, strict=True)]
        for rows in zip(sides, after, weights, strict=True)
    ]


def expected(sides: Sequence[Sequence[Skill]]) -> list[float]:
    """Return the mean place that each side could expect: 1, and one more for each other side that beats it.

    >>> expected([[Skill()], [Skill()], [Skill()]])
    [2.0, 2.0, 2.0]
    """
    teams = [[MODEL.create_rating([skill.mu, skill.sigma]) for skill in side] for side in sides]
    return [
        1 + sum(MODEL.predict_win([other, team])[0] for number, other in enumerate(teams) if number != own)
        for own, team in enumerate(teams)
    ]


def _part(before: Skill, after: Skill, weight: float) -> Skill:
    return Skill(before.mu + weight * (after.mu - before.mu), before.sigma + weight * (after.sigma - before.sigma))
