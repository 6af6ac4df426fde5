"""The mathematics of ratings: Plackett-Luce by openskill (https://openskill.me), for single players or sides.

A skill is a normal distribution with mean ``mu`` and deviation ``sigma``. It is displayed as a whole number on the
scale known from chess: 1500 at the start, and 200 points more win about two times in three.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating

MODEL = PlackettLuce()
START_RATING = 1500  # displayed rating of a newcomer
RATING_PER_MU = 48  # displayed points per 1 of ``mu``
MAX_SETTLED_SIGMA = 5.5  # a rating with a greater ``sigma`` is provisional: some 16 matches of two players, 23 of four


class Skill(NamedTuple):
    """The estimated strength of a person in a game."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma

    @property
    def rating(self) -> int:
        """The rating as it is displayed.

        >>> Skill().rating, Skill(27.5, 3.0).rating
        (1500, 1620)
        """
        return round(START_RATING + RATING_PER_MU * (self.mu - MODEL.mu))

    @property
    def is_provisional(self) -> bool:
        return self.sigma > MAX_SETTLED_SIGMA


def rate_sides(
    sides: Sequence[Sequence[Skill]], places: Sequence[int], weights: Sequence[Sequence[float]]
) -> list[list[Skill]]:
    """Return the skills after a match by the ``places`` of the sides, 1 being the best; places can be shared.

    ``weights`` are the fractions of the changes that count, from 0 to 1, for each player.
    """
    after = MODEL.rate(_model_ratings(sides), ranks=[float(place) for place in places])
    return [
        [
            Skill(old.mu + weight * (new.mu - old.mu), old.sigma + weight * (new.sigma - old.sigma))
            for old, new, weight in zip(*rows, strict=True)
        ]
        for rows in zip(sides, after, weights, strict=True)
    ]


def expected_places(sides: Sequence[Sequence[Skill]]) -> list[float]:
    """Return the expected place of each side: 1 plus the probabilities that the other sides beat it.

    >>> expected_places([[Skill()], [Skill()], [Skill()]])
    [2.0, 2.0, 2.0]
    """
    teams = _model_ratings(sides)
    places = []
    for team_index, team in enumerate(teams):
        opponents = teams[:team_index] + teams[team_index + 1 :]
        places.append(1 + sum(MODEL.predict_win([opponent, team])[0] for opponent in opponents))
    return places


def _model_ratings(sides: Sequence[Sequence[Skill]]) -> list[list[PlackettLuceRating]]:
    return [[MODEL.create_rating([skill.mu, skill.sigma]) for skill in side] for side in sides]
