"""The row of a running match as the services work on it: read under a lock, written back with the events.

Every move comes through here, so the row is a plain object, and what every move and every round reads and writes is
SQL. With the ORM a move would miss its target (docs/performance.md). The credit for lag, which few moves change, goes
through the ORM.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Self, overload

from django.db import OperationalError, connection

from games.engine.state import replace_fields
from games.enums import SeatState
from games.match.time_control import TIME_CONTROLS, TimeControl
from games.models import Seat
from infrastructure.outages import is_contention
from infrastructure.runtime import PerProcess

STUCK_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """The player in a seat: a user, a bot, or a bot in a user's place.

    The other fields are those of ``Seat``.
    """

    user_id: int | None
    bot: str
    state: str = SeatState.ACTIVE
    holds: int = 0
    ready: bool = False
    lag_ms: int = 0
    lag_credited_ms: int = 0


@dataclass(frozen=True)
class MatchRow:
    """The row of a match. ``banks`` has milliseconds by seat."""

    match_id: int
    slug: str
    variant: str
    status: str
    rated: bool
    clock: str
    absence: str
    version: int
    revision: int
    deal_version: int
    round: int
    to_move: int | None
    turn_started_at: datetime | None
    banks: tuple[int, ...]
    due_at: datetime | None
    due_kind: str
    holders: tuple[SeatHolder, ...]

    @property
    def time_control(self) -> TimeControl:
        return TIME_CONTROLS[self.clock]

    @property
    def seats_of_people(self) -> tuple[int, ...]:
        """Return the seats that people play, not bots."""
        return tuple(seat for seat, holder in enumerate(self.holders) if holder.user_id and not holder.bot)

    def with_seat(self, seat: int, **holder_changes: Any) -> Self:
        """Return the row with a changed holder of a seat."""
        holder = replace(self.holders[seat], **holder_changes)
        return replace_fields(self, holders=(*self.holders[:seat], holder, *self.holders[seat + 1 :]))

    def seat_of(self, user_id: int | None) -> int | None:
        """Return the seat of a user, None for anybody else."""
        if user_id is None:
            return None
        return next((seat for seat, holder in enumerate(self.holders) if holder.user_id == user_id), None)


# The columns of a row in the order of its fields; ``match_id`` is the column ``id``.
COLUMNS = tuple(field.name for field in fields(MatchRow))[:-1]
WRITTEN_COLUMNS = COLUMNS[COLUMNS.index("version") :]  # those that change while a match runs
SELECT_MATCHES = f"SELECT id, {', '.join(COLUMNS[1:])} FROM games_match WHERE id IN ({{ids}}) ORDER BY id {{lock}}"  # noqa: S608
SELECT_SEATS = (
    "SELECT match_id, user_id, bot, state, holds, ready, lag_ms, lag_credited_ms FROM games_seat "
    'WHERE match_id IN ({ids}) ORDER BY match_id, "index"'
)
UPDATE_READY = 'UPDATE games_seat SET ready = %s WHERE match_id = %s AND "index" = %s'
RESET_READINESS = "UPDATE games_seat SET ready = %s, vote = '' WHERE match_id = %s AND (ready OR vote <> '')"
UPDATE_MATCH = f"UPDATE games_match SET {', '.join(f'{name} = %s' for name in WRITTEN_COLUMNS)} WHERE id = %s"  # noqa: S608


class StuckRows:
    """The matches whose locks this process failed to get in time.

    For a while nothing waits for them, so that a few stuck matches cannot occupy all database threads.
    """

    def __init__(self) -> None:
        self.until: dict[int, float] = {}

    @contextmanager
    def recording_lock_failures(self, match_ids: Collection[int]) -> Iterator[None]:
        """Lock these rows inside the block. Raises OperationalError at once if one of them is stuck."""
        now = time.monotonic()
        if any(self.until.get(match_id, 0) > now for match_id in match_ids):
            raise OperationalError("a row of a match was locked a moment ago")
        try:
            yield
        except OperationalError as error:
            if is_contention(error) and len(match_ids) == 1:
                self.until |= dict.fromkeys(match_ids, time.monotonic() + STUCK_SECONDS)
            raise
        for match_id in match_ids:
            self.until.pop(match_id, None)


_stuck_rows = PerProcess(StuckRows)


def lock_rows(match_ids: Collection[int], *, skip_locked: bool = False) -> dict[int, MatchRow]:
    """Read and lock the rows, in ascending order so that two transactions cannot deadlock.

    The locks do not block checks of foreign keys to the rows (``NO KEY``). ``skip_locked`` leaves out rows that others
    have locked. SQLite has one writer and needs no locks.
    """
    ids = ", ".join(["%s"] * len(match_ids))
    locking = "FOR NO KEY UPDATE SKIP LOCKED" if skip_locked else "FOR NO KEY UPDATE"
    select = SELECT_MATCHES.format(ids=ids, lock=locking if connection.features.has_select_for_update else "")
    with connection.cursor() as cursor:
        with nullcontext() if skip_locked else _stuck_rows().recording_lock_failures(match_ids):
            cursor.execute(select, list(match_ids))
        rows = cursor.fetchall()
        cursor.execute(SELECT_SEATS.format(ids=ids), list(match_ids))
        holders_by_match: dict[int, list[SeatHolder]] = {}
        for match_id, *holder in cursor.fetchall():
            holders_by_match.setdefault(match_id, []).append(SeatHolder(*holder))
    return {row[0]: _row_from_values(row, tuple(holders_by_match.get(row[0], ()))) for row in rows}


def save_rows(rows: Iterable[MatchRow]) -> None:
    """Write the rows back, with one statement."""
    with connection.cursor() as cursor:
        cursor.executemany(UPDATE_MATCH, [_written_values(row) for row in rows])


def save_ready(row: MatchRow, seat: int) -> MatchRow:
    """Write that the person in a seat is ready for the next round, and return the row with it."""
    with connection.cursor() as cursor:
        cursor.execute(UPDATE_READY, [True, row.match_id, seat])
    return row.with_seat(seat, ready=True)


def reset_readiness(row: MatchRow) -> None:
    """Reset who is ready for the next round, and the votes about an absence."""
    with connection.cursor() as cursor:
        cursor.execute(RESET_READINESS, [False, row.match_id])


def save_lag_credits(row_changes: Iterable[tuple[MatchRow, MatchRow]]) -> None:
    """Write the credited lag of the seats in which it differs between two states of a row."""
    for before, after in row_changes:
        for seat, (was, holder) in enumerate(zip(before.holders, after.holders, strict=True)):
            if was.lag_credited_ms != holder.lag_credited_ms:
                seats = Seat.objects.filter(match_id=after.match_id, index=seat)
                seats.update(lag_credited_ms=holder.lag_credited_ms)


def _row_from_values(values: tuple[Any, ...], holders: tuple[SeatHolder, ...]) -> MatchRow:
    stored = dict(zip(COLUMNS, values, strict=True))
    stored["rated"], stored["banks"] = bool(stored["rated"]), tuple(json.loads(stored["banks"]))
    stored["turn_started_at"], stored["due_at"] = (
        with_time_zone(stored["turn_started_at"]),
        with_time_zone(stored["due_at"]),
    )
    return MatchRow(**stored, holders=holders)


def _written_values(row: MatchRow) -> list[Any]:
    """Return what ``UPDATE_MATCH`` writes."""
    stored = {
        "banks": json.dumps(row.banks),
        "turn_started_at": database_time(row.turn_started_at),
        "due_at": database_time(row.due_at),
    }
    values = vars(row) | stored
    return [*[values[name] for name in WRITTEN_COLUMNS], row.match_id]


@lru_cache(maxsize=256)
def database_time(moment: datetime | None) -> Any:
    """Return a time as the database stores it. Cached, because a transaction writes one time many times."""
    return connection.ops.adapt_datetimefield_value(moment)


@overload
def with_time_zone(moment: datetime) -> datetime: ...


@overload
def with_time_zone(moment: datetime | None) -> datetime | None: ...


def with_time_zone(moment: datetime | None) -> datetime | None:
    """Return a time with its time zone: SQLite stores UTC without one."""
    return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)
