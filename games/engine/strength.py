"""Estimates how strong players are from their results against each other (Bradley-Terry), on the scale of the site.

200 points more win two times in three. The ratings maximise the likelihood of the results; the information matrix
gives their intervals.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from operator import mul
from typing import NamedTuple, TypeVar

RATING_PER_DOUBLE = 200.0  # 200 points more win two times in three
MIDDLE_RATING = 1500.0
PER_POINT = log(2) / RATING_PER_DOUBLE
DEVIATIONS_OF_INTERVAL = 1.96  # 95 %
MAX_STEPS = 100
PRECISION = 0.01  # points

Player = TypeVar("Player", bound=Hashable)
Matrix = list[list[float]]


class Score(NamedTuple):
    """What the first of two players has won in their matches: a draw is half a point. Matches can have weights."""

    matches: float
    points: float


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating with the half-width of its 95 % interval, in points of the site's scale.

    ``is_anchored``: results connect the player with one whose rating is fixed. Other ratings compare the players that
    are connected with each other, whose mean is 1500.
    """

    points: float
    spread: float
    is_anchored: bool = True

    def __str__(self) -> str:
        return f"{self.points:.0f} ± {self.spread:.0f}"


def estimate_ratings(
    scores: Mapping[tuple[Player, Player], Score], fixed: Mapping[Player, float]
) -> dict[Player, Rating]:
    """Return the ratings that explain best the scores of pairs of players. ``fixed`` ratings are known.

    Every player needs a result other than wins only or losses only.

    >>> str(estimate_ratings({("Ann", "steady"): Score(100, 50)}, {"steady": 1500})["Ann"])
    '1500 ± 113'
    """
    ratings: dict[Player, Rating] = {}
    for group in _connected_groups(scores, fixed):
        own_scores = {pair: score for pair, score in scores.items() if not group.isdisjoint(pair)}
        ratings |= _rate_group(sorted(group, key=str), own_scores, fixed)
    return ratings


def _connected_groups(
    scores: Mapping[tuple[Player, Player], Score], fixed: Mapping[Player, float]
) -> Iterator[set[Player]]:
    """Yield the players without fixed ratings whom their results connect, also through others."""
    opponents: dict[Player, set[Player]] = defaultdict(set)
    for one, other in scores:
        opponents[one].add(other)
        opponents[other].add(one)
    waiting = opponents.keys() - fixed.keys()
    while waiting:
        group, queue = set(), {waiting.pop()}
        while queue:
            group.add(player := queue.pop())
            queue |= opponents[player] & waiting
            waiting -= queue
        yield group


def _rate_group(
    players: Sequence[Player], scores: Mapping[tuple[Player, Player], Score], fixed: Mapping[Player, float]
) -> dict[Player, Rating]:
    """Rate connected players by Newton's method; the likelihood is concave."""
    is_anchored = any(player in fixed for pair in scores for player in pair)
    points = dict.fromkeys(players, MIDDLE_RATING)
    for _ in range(MAX_STEPS):
        slopes, information = _derivatives(points, scores, fixed)
        # Without a fixed rating only differences count: this keeps the mean, and adds ``pinned`` to each variance.
        pin = 0.0 if is_anchored else sum(information[i][i] for i in range(len(players))) / len(players) ** 2
        lower = _cholesky_factor([[value + pin for value in row] for row in information])
        steps = _solve_upper(lower, _solve_lower(lower, slopes))
        largest = max(map(abs, steps))
        share = min(1.0, RATING_PER_DOUBLE / max(largest, PRECISION))
        points = {player: points[player] + share * step for player, step in zip(players, steps, strict=True)}
        if largest < PRECISION:
            break
    pinned = 0.0 if is_anchored else 1 / (pin * len(players) ** 2)
    return {
        player: Rating(points[player], DEVIATIONS_OF_INTERVAL * (_variance(lower, i) - pinned) ** 0.5, is_anchored)
        for i, player in enumerate(players)
    }


def _derivatives(
    points: Mapping[Player, float], scores: Mapping[tuple[Player, Player], Score], fixed: Mapping[Player, float]
) -> tuple[list[float], Matrix]:
    """Return the first derivatives of the logarithm of the likelihood, and the negative second ones."""
    index = {player: number for number, player in enumerate(points)}
    slopes, information = [0.0] * len(index), [[0.0] * len(index) for _ in index]
    ratings = {**points, **fixed}
    for (one, other), score in scores.items():
        chance = 1 / (1 + 2 ** ((ratings[other] - ratings[one]) / RATING_PER_DOUBLE))
        slope = PER_POINT * (score.points - score.matches * chance)
        weight = PER_POINT**2 * score.matches * chance * (1 - chance)
        for player, sign in ((one, 1), (other, -1)):
            if player in index:
                slopes[index[player]] += sign * slope
                information[index[player]][index[player]] += weight
        if one in index and other in index:
            information[index[one]][index[other]] -= weight
            information[index[other]][index[one]] -= weight
    return slopes, information


def _cholesky_factor(matrix: Matrix) -> Matrix:
    """Return the lower triangle whose product with its transpose is this positive definite matrix."""
    lower: Matrix = []
    for i, values in enumerate(matrix):
        row: list[float] = []
        for j in range(i):
            row.append((values[j] - sum(map(mul, row, lower[j]))) / lower[j][j])
        row.append((values[i] - sum(map(mul, row, row))) ** 0.5)
        lower.append(row)
    return lower


def _solve_lower(lower: Matrix, values: Sequence[float]) -> list[float]:
    """Solve the equations of a lower triangle."""
    solution: list[float] = []
    for row, value in zip(lower, values, strict=True):
        solution.append((value - sum(map(mul, row, solution))) / row[-1])
    return solution


def _solve_upper(lower: Matrix, values: Sequence[float]) -> list[float]:
    """Solve the equations of the transpose of a lower triangle."""
    rest, solution = list(values), []
    for row in reversed(lower):
        solution.append(rest.pop() / row[-1])
        rest = [value - solution[-1] * factor for value, factor in zip(rest, row, strict=False)]
    return solution[::-1]


def _variance(lower: Matrix, index: int) -> float:
    """Return an element of the diagonal of the inverse of the matrix with this factor."""
    column = _solve_lower(lower, [float(i == index) for i in range(len(lower))])
    return sum(value * value for value in column)
