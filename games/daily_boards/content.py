"""Plain values for the pages of daily boards."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import NamedTuple


class OwnBoard(NamedTuple):
    """A board of an open day. ``stage``: played, playing or waiting. ``slug`` is that of the viewer's match, or ""."""

    number: int
    stage: str
    slug: str = ""


@dataclass(frozen=True, slots=True)
class OwnDay:
    """The boards of a day that is not closed, as far as their viewer has played them.

    ``next_number`` is the board that the viewer can begin, None for none and while they play one.
    """

    variant: str
    boards: tuple[OwnBoard, ...]
    next_number: int | None
    is_open: bool

    @property
    def played(self) -> int:
        return sum(board.stage == "played" for board in self.boards)

    @property
    def playing(self) -> OwnBoard | None:
        return next((board for board in self.boards if board.stage == "playing"), None)


class ChoiceLoss(NamedTuple):
    """The mean number of points lost by a choice, right within ``error`` 19 times in 20."""

    mean: float
    error: float


class StandingLine(NamedTuple):
    """A line of a standing. ``played`` counts boards of a day, or days of a month, which alone has a ``loss``.

    ``is_short`` marks a day on which not all boards were played.
    """

    name: str
    rank: int
    result: Fraction
    played: int
    is_own: bool
    is_short: bool = False
    loss: ChoiceLoss | None = None


class BoardResult(NamedTuple):
    """The result of a person on a board: the match, and the points by which they beat the mean of the other sides.

    ``points`` is None if a bot finished the board.
    """

    name: str
    slug: str
    seat: int
    points: Fraction | None
    share: Fraction
    is_viewer: bool = False


@dataclass(frozen=True, slots=True)
class BoardComparison:
    """The results of a board in one seat.

    ``own`` is that of the viewer, or in a review of its player; ``best`` is that of a person, ``levels`` of the bots.
    """

    number: int
    mean: Fraction
    levels: tuple[tuple[str, Fraction], ...]
    own: BoardResult | None = None
    best: BoardResult | None = None


@dataclass(frozen=True, slots=True)
class DayResults:
    """The results of a closed day. ``own_line`` is the viewer's, also if it is not listed.

    ``own_share`` is the result of a viewer who is not ranked.
    """

    variant: str
    date: date
    commitment: str
    lines: tuple[StandingLine, ...]
    people: int
    own_line: StandingLine | None
    own_share: Fraction | None
    boards: tuple[BoardComparison, ...]


@dataclass(frozen=True, slots=True)
class MonthResults:
    first_day: date
    lines: tuple[StandingLine, ...]
    own_line: StandingLine | None
