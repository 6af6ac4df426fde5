"""A match report: what the choices of a match cost, and how far its results were luck. Plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

VERSION = 1
"""Rises whenever the same record makes another report. Older reports are shown no more, and made anew."""
KEY_MOMENTS = 5
DECIMALS = 2


class Choice(NamedTuple):
    """One of several legal moves that a player made.

    ``seq`` is its place in the record, from 1. ``loss`` are the points, 0 or more, that it was worth less to the seat
    than ``best``, with what the seat knew. ``made`` and ``best`` are moves in notation.
    """

    seq: int
    seat: int
    loss: float
    made: str
    best: str


class RoundReport(NamedTuple):
    """A round, and for each seat in points, more being better, whatever counts in the game.

    ``result`` is what the seat's side got in the round, less the average of all seats. ``luck`` is what this is on
    average where all play the same deal on alike, and ``error`` the standard error of that. What is not luck is play.
    """

    number: int
    result: tuple[float, ...]
    luck: tuple[float, ...]
    error: tuple[float, ...]

    @property
    def play(self) -> tuple[float, ...]:
        """Return the part of the result that is not luck."""
        return tuple(round(whole - lucky, DECIMALS) for whole, lucky in zip(self.result, self.luck, strict=True))


class Player(NamedTuple):
    """What the choices of a seat come to: ``lost`` are points, ``best`` is how many choices cost nothing."""

    lost: float
    choices: int
    best: int

    @property
    def average(self) -> float:
        """Return the points lost a choice."""
        return self.lost / self.choices if self.choices else 0.0

    @property
    def share(self) -> float:
        """Return the share of choices that cost nothing, 0 to 1."""
        return self.best / self.choices if self.choices else 0.0


class Report(NamedTuple):
    """What a match comes to. ``curve`` is the score of each side after each event (its place) that changed it."""

    choices: tuple[Choice, ...]
    rounds: tuple[RoundReport, ...]
    curve: tuple[tuple[int, tuple[int, ...]], ...]

    @property
    def key_moments(self) -> tuple[Choice, ...]:
        """Return the choices that cost most, the dearest first."""
        dear = [choice for choice in self.choices if choice.loss > 0]
        return tuple(sorted(dear, key=lambda choice: (-choice.loss, choice.seq))[:KEY_MOMENTS])

    def player(self, seat: int) -> Player:
        """Return what the choices of a seat come to."""
        losses = [choice.loss for choice in self.choices if choice.seat == seat]
        return Player(round(sum(losses), DECIMALS), len(losses), losses.count(0.0))

    @property
    def match(self) -> RoundReport | None:
        """Return all rounds together as one with number 0, None if no round was finished."""
        if not self.rounds:
            return None
        return RoundReport(
            0,
            _sums(each.result for each in self.rounds),
            _sums(each.luck for each in self.rounds),
            tuple(
                round(sqrt(sum(error * error for error in column)), DECIMALS)
                for column in zip(*(each.error for each in self.rounds), strict=True)
            ),
        )

    def to_data(self) -> dict[str, Any]:
        """Return it as JSON would hold it."""
        return {"choices": self.choices, "rounds": self.rounds, "curve": self.curve}


def from_data(data: Mapping[str, Sequence[Any]]) -> Report:
    """Read what ``Report.to_data`` returns, after a way through JSON too."""
    return Report(
        tuple(Choice(*row) for row in data["choices"]),
        tuple(RoundReport(number, *map(tuple, columns)) for number, *columns in data["rounds"]),
        tuple((seq, tuple(points)) for seq, points in data["curve"]),
    )


def _sums(rows: Iterable[Sequence[float]]) -> tuple[float, ...]:
    return tuple(round(sum(column), DECIMALS) for column in zip(*rows, strict=True))
