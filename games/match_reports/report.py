"""A match report: what the choices of a match cost, and how far its results were luck. Plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot
from typing import Any, NamedTuple

# Incremented whenever the same record gives another report. Older reports are hidden and made again.
REPORT_VERSION = 1
MAX_KEY_MOMENTS = 5
DECIMALS = 2


class Choice(NamedTuple):
    """One of several legal moves that a player made.

    ``seq`` is the number of the event, from 1. ``loss`` is the expected loss in points (0 or more) compared to
    ``best``, with what the seat knew. ``made`` and ``best`` are moves in notation.
    """

    seq: int
    seat: int
    loss: float
    made: str
    best: str


class RoundReport(NamedTuple):
    """A round, with values in points for each seat; more is better in every game.

    ``result`` is the score of the seat's side in the round minus the average of all seats. ``luck`` is its expected
    value if all seats play the same deal alike, and ``error`` the standard error of that. The rest is ``play``.
    """

    number: int
    result: tuple[float, ...]
    luck: tuple[float, ...]
    error: tuple[float, ...]

    @property
    def play(self) -> tuple[float, ...]:
        return tuple(round(result - luck, DECIMALS) for result, luck in zip(self.result, self.luck, strict=True))


class PlayerReport(NamedTuple):
    """The choices of a seat: the points ``lost`` by them, their number, and how many were ``best``, losing nothing."""

    lost: float
    choices: int
    best: int

    @property
    def average_loss(self) -> float:
        """Return the points lost per choice."""
        return self.lost / self.choices if self.choices else 0.0

    @property
    def best_share(self) -> float:
        """Return the share of choices that cost nothing, 0 to 1."""
        return self.best / self.choices if self.choices else 0.0


class Report(NamedTuple):
    """A match report. ``curve`` is the score of each side after each event (by number) that changed it."""

    choices: tuple[Choice, ...]
    rounds: tuple[RoundReport, ...]
    curve: tuple[tuple[int, tuple[int, ...]], ...]

    @property
    def key_moments(self) -> tuple[Choice, ...]:
        """Return the choices that lost most, in that order."""
        costly = [choice for choice in self.choices if choice.loss > 0]
        return tuple(sorted(costly, key=lambda choice: (-choice.loss, choice.seq))[:MAX_KEY_MOMENTS])

    def player_report(self, seat: int) -> PlayerReport:
        losses = [choice.loss for choice in self.choices if choice.seat == seat]
        return PlayerReport(round(sum(losses), DECIMALS), len(losses), losses.count(0.0))

    @property
    def match_total(self) -> RoundReport | None:
        """Return all rounds together as one with number 0, None if no round was finished."""
        if not self.rounds:
            return None
        return RoundReport(
            0,
            tuple(round(sum(column), DECIMALS) for column in zip(*(row.result for row in self.rounds), strict=True)),
            tuple(round(sum(column), DECIMALS) for column in zip(*(row.luck for row in self.rounds), strict=True)),
            tuple(round(hypot(*column), DECIMALS) for column in zip(*(row.error for row in self.rounds), strict=True)),
        )

    def to_data(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return self._asdict()


def report_from_data(data: Mapping[str, Sequence[Any]]) -> Report:
    """Read the result of ``Report.to_data``, before or after serialization as JSON."""
    return Report(
        tuple(Choice(*row) for row in data["choices"]),
        tuple(RoundReport(number, *map(tuple, columns)) for number, *columns in data["rounds"]),
        tuple((seq, tuple(points)) for seq, points in data["curve"]),
    )
