"""The JSON that endpoints return."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from ninja import Schema


class PlayerOut(Schema):
    """The player in a seat.

    ``kind`` is ``human``, ``bot`` or ``empty``; ``level`` is that of a bot of the site; ``state`` is ``active``,
    ``late``, ``held`` or ``forfeited``; ``bank_ms`` is the time bank at the beginning of the turn.
    """

    seat: int
    name: str
    kind: str
    person: int | None
    guest: bool
    level: str
    ready: bool
    away: bool
    state: str
    bank_ms: int


class TermsOut(Schema):
    """The terms of a table."""

    variant: str
    options: dict[str, str]
    rated: bool
    visibility: str
    clock: str
    delay: str


class MatchOut(TermsOut):
    """A match as the caller may see it: spectators may see it with a delay. Streams send the same.

    ``version`` counts the events. ``move_ms`` is the free time of a move, 0 without a clock. ``deadline_ms`` is when
    the time of the seat to move is up, or the next round is dealt, in milliseconds since 1970. ``seat`` is the seat of
    a bot's token, and ``view`` what that seat may see, or a spectator without one; None before the start.
    """

    slug: str
    status: str
    version: int
    round: int
    commitment: str
    move_ms: int
    deadline_ms: int | None
    players: list[PlayerOut]
    seat: int | None
    view: dict[str, Any] | None


class ListedPlayerOut(Schema):
    name: str
    kind: str
    guest: bool
    score: str | None = None


class ListedTableOut(TermsOut):
    """A table in the lists of the lobby. ``exhibition``: only bots of the site play."""

    slug: str
    status: str
    round: int
    players: list[ListedPlayerOut]
    spectators: int
    exhibition: bool


class TablesOut(Schema):
    """Public tables, as in the lobby: up to 40 open ones and up to 40 running ones."""

    open: list[ListedTableOut]
    running: list[ListedTableOut]


class FinishedPlayerOut(Schema):
    """``gain``: rating points of Kozel. ``outcome``: ``won``, ``lost``, ``left``, ``timeout`` or ``stopped``."""

    seat: int
    name: str
    kind: str
    person: int | None
    guest: bool
    outcome: str
    gain: int | None


class FinishedSideOut(Schema):
    """The players of a side. ``place`` 1 is the best; None if nobody won."""

    place: int | None
    score: str | None
    players: list[FinishedPlayerOut]


class FinishedMatchOut(TermsOut):
    slug: str
    status: str
    finished_at: datetime
    rounds: int
    sides: list[FinishedSideOut]


class HistoryOut(Schema):
    """A page of finished matches, newest first. ``next``: pass it as ``after`` for the next page; None on the last."""

    matches: list[FinishedMatchOut]
    next: str | None


class RatingOut(Schema):
    rating: int
    provisional: bool


class GameOfPersonOut(Schema):
    """The public results of a person in a game."""

    variant: str
    matches: int
    won: int
    lost: int
    left: int
    timeout: int
    stopped: int
    points: int | None
    rating: RatingOut | None


class PersonOut(Schema):
    id: int
    name: str
    guest: bool
    games: list[GameOfPersonOut]


class LeaderOut(Schema):
    """``place`` counts from 1."""

    place: int
    person: int
    name: str
    rating: int


class LeaderboardOut(Schema):
    variant: str
    leaders: list[LeaderOut]


class RatedBotOut(Schema):
    """A bot on the ladder. ``spread``: the true rating is within this many points 19 times in 20.

    ``anchored``: results connect it with a level, whose rating is fixed. Other ratings compare bots that have met.
    """

    bot: int
    name: str
    owner: int
    owner_name: str
    rating: int
    spread: int
    matches: int
    anchored: bool


class LevelRatingOut(Schema):
    level: str
    rating: int


class BotLadderOut(Schema):
    """The bots of a game, the strongest first, those that are not anchored last."""

    variant: str
    bots: list[RatedBotOut]
    levels: list[LevelRatingOut]


class PuzzleOut(Schema):
    """The puzzle of a day. ``difficulty`` is empty until ten people have tried it."""

    variant: str
    day: date
    number: int
    difficulty: str
    address: str


class BoardDayOut(Schema):
    """A set of daily boards. ``commitment`` is the fingerprint of its secret, published a day before."""

    variant: str
    date: date
    commitment: str
    boards: int
    opened_at: datetime | None
    closed_at: datetime | None


class TodayOut(Schema):
    puzzles: list[PuzzleOut]
    boards: list[BoardDayOut]


RecordOut = dict[str, Any]  # docs/records.md
