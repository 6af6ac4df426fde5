"""Facts of playouts: what happens more often, or scores more, after one of two moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

from games.bots.outcomes import Course
from games.engine.outcome import standard_error
from games.explanations.fact import Fact
from games.explanations.standpoint import Standpoint

MIN_STANDARD_ERRORS = 3
MIN_SAMPLES = 24
MIN_CHANCE_DIFFERENCE = 0.12
MIN_POINTS_DIFFERENCE = 3.0  # twice as much for the end of the round


class Measure(NamedTuple):
    """A column of ``Course`` and its kind of fact. Without ``is_points`` it is a chance.

    ``is_result``: it is about the end of the round, and not about what leads to it.
    """

    column: str
    kind: str
    is_more_better: bool
    is_points: bool
    is_result: bool = False


class CourseFact(NamedTuple):
    """A fact, and its difference in units of the least that is worth a sentence."""

    is_result: bool
    weight: float
    fact: Fact


# For games in which moves score, and for those in which only the tiles left in hand do.
COMMON_MEASURES = (
    Measure("next_stuck", "often_stuck", is_more_better=True, is_points=False),
    Measure("plays_next", "often_plays", is_more_better=True, is_points=False),
    Measure("goes_out", "often_out", is_more_better=True, is_points=False, is_result=True),
)
MEASURES = {
    False: (
        *COMMON_MEASURES,
        Measure("replies", "fewer_replies", is_more_better=False, is_points=True),
        Measure("own_points", "next_points", is_more_better=True, is_points=True),
        Measure("points_of_others", "others_lose", is_more_better=False, is_points=True, is_result=True),
    ),
    True: (
        *COMMON_MEASURES,
        Measure("opens", "often_opens", is_more_better=False, is_points=False),
        Measure("points_at_end", "lighter_hand", is_more_better=False, is_points=True, is_result=True),
        Measure("points_of_others", "heavier_hands", is_more_better=True, is_points=True, is_result=True),
    ),
}


def course_facts(before: Standpoint, better: Sequence[Course], worse: Sequence[Course]) -> Iterator[CourseFact]:
    """Yield what clearly differs in playouts of the same positions to the advantage of the better move."""
    if len(better) < MIN_SAMPLES:
        return
    for measure in MEASURES[before.rules.are_points_bad]:
        column, other = (
            [float(getattr(course, measure.column)) for course in move_courses] for move_courses in (better, worse)
        )
        differences = [one - two for one, two in zip(column, other, strict=True)]
        sign = 1 if measure.is_more_better else -1
        difference, error = sign * fmean(differences), standard_error(differences)
        minimum = (1 + measure.is_result) * MIN_POINTS_DIFFERENCE if measure.is_points else MIN_CHANCE_DIFFERENCE
        if difference >= minimum and difference >= MIN_STANDARD_ERRORS * error:
            yield CourseFact(
                measure.is_result, difference / minimum, _fact(before, measure, fmean(column), fmean(other))
            )


def _fact(before: Standpoint, measure: Measure, better: float, worse: float) -> Fact:
    if measure.is_points:
        values: tuple[int, ...] = (round(abs(better - worse)),)
    else:
        values = round(100 * better), round(100 * worse)
    if measure.column in ("plays_next", "goes_out", "own_points"):
        values = before.seat, *values
    elif measure.column == "next_stuck":
        values = before.next_seat, *values
    return Fact(measure.kind, True, values)
