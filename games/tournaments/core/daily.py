"""The daily sets of a game: who plays which boards, the results of the day, and the standing of the month.

All sets of a day have one secret, whose commitment is published a day before. The entropy comes from the nonces of the
entrants of the day before, who gave them after that. So nobody can choose a deal: the site knew no nonce when it drew
the secret, and no entrant knew the secret.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.engine.ranking import ranks
from games.tournaments.core.duplicate import DAILY_BOARDS, set_of_person
from games.tournaments.core.matchpoints import day_result, month_result, share_of_field

Raws = Mapping[str, int | None]  # raw results by person; None for a board that its person left, or a bot finished
SET_NAME = re.compile(r"daily-(?P<variant>\w+)-(?P<date>\d{4}-\d\d-\d\d)-\d+")


def set_name(variant: str, date: str, number: int) -> str:
    """Return the name of a set, from which its keys are derived. Sets of a day are numbered from 1.

    >>> set_name("kozel", "2026-11-28", 1)
    'daily-kozel-2026-11-28-1'
    """
    return f"daily-{variant}-{date}-{number}"


def day_of_set(name: str) -> tuple[str, str] | None:
    """Return the game and the date of a daily set, None for the name of anything else.

    >>> day_of_set("daily-all_fives-2026-11-28-1"), day_of_set("board-abc")
    (('all_fives', '2026-11-28'), None)
    """
    parts = SET_NAME.fullmatch(name)
    return (parts["variant"], parts["date"]) if parts else None


def set_number(secret: str, person: str, sets: int) -> int:
    """Return the number of a person's set, from 1."""
    return set_of_person(secret, person, sets) + 1


def next_board(begun: Collection[int]) -> int | None:
    """Return the board that a person plays next: in order, each once. None after the last.

    >>> next_board(()), next_board((1, 2)), next_board(range(1, 9))
    (1, 3, None)
    """
    return next((board for board in range(1, DAILY_BOARDS + 1) if board not in begun), None)


@dataclass(frozen=True, slots=True)
class BoardField:
    """The results of a board in one seat: those of ranked people, and of the bots by level."""

    people: Raws
    levels: Mapping[str, int]

    def matchpoints(self, raw: int | None, *, is_ranked: bool = True) -> Fraction:
        """Return the share of the field that a result beat. One that is not ranked is compared without joining it."""
        if raw is None:
            return Fraction(0)
        field = self.raws
        return share_of_field(raw, field if is_ranked else [*field, raw])

    @property
    def raws(self) -> list[int]:
        return [*(raw for raw in self.people.values() if raw is not None), *self.levels.values()]

    @property
    def mean(self) -> Fraction:
        """The mean of the field, with which a raw result is compared."""
        return Fraction(sum(self.raws), max(1, len(self.raws)))


@dataclass(frozen=True, slots=True)
class Line:
    """A person in a standing. ``result`` is 0 to 1; ``played`` counts boards of a day, or days of a month."""

    person: str
    rank: int
    result: Fraction
    played: int


def day_results(fields: Iterable[BoardField]) -> dict[str, tuple[Fraction, int]]:
    """Return the result of the day of each ranked person, and how many boards they played."""
    boards: dict[str, list[Fraction]] = {}
    for field in fields:
        for person, raw in field.people.items():
            boards.setdefault(person, []).append(field.matchpoints(raw))
    return {person: (day_result(points, DAILY_BOARDS), len(points)) for person, points in boards.items()}


def month_standing(days: Mapping[str, Sequence[Fraction]], closed: int) -> tuple[Line, ...]:
    """Return the standing of a month, of which ``closed`` days are over, from the results of each person's days."""
    return standing({person: (month_result(results, closed), len(results)) for person, results in days.items()})


def standing(results: Mapping[str, tuple[Fraction, int]]) -> tuple[Line, ...]:
    """Return the standing of people with results, best first. Equal results share a rank."""
    order = sorted(results, key=lambda person: (-results[person][0], person))
    numbers = {result: index for index, result in enumerate(sorted({result for result, _ in results.values()}))}
    places = ranks([(False, -numbers[results[person][0]]) for person in order])
    return tuple(Line(person, place, *results[person]) for person, place in zip(order, places, strict=True))
