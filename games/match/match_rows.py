"""The row of a running match as the services work on it: read under a lock, written back with the events.

Every move comes through here, so the row is a plain object, the SQL is written out, and the matches of several
moves are one statement: a tenth of what the ORM needs.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, overload

from django.db import connection

from games.match.time_control import CONTROLS, TimeControl

SELECT = """
SELECT id, slug, variant, status, rated, clock, version, revision, deal_version, round, to_move, turn_started_at,
    banks, due_at, due_kind
FROM games_match WHERE id IN ({ids}) ORDER BY id {lock}
"""
SELECT_SEATS = """
SELECT match_id, user_id, bot FROM games_seat WHERE match_id IN ({ids}) ORDER BY match_id, "index"
"""
UPDATE = """
UPDATE games_match SET version = %s, revision = %s, deal_version = %s, round = %s, to_move = %s,
    turn_started_at = %s, banks = %s, due_at = %s, due_kind = %s
WHERE id = %s
"""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who plays a seat: a user, a bot, or a bot in a user's place."""

    user_id: int | None
    bot: str


@dataclass(frozen=True, slots=True)
class Header:
    """Where a match stands. ``banks`` are milliseconds a seat."""

    match_id: int
    slug: str
    variant: str
    status: str
    rated: bool
    clock: str
    version: int
    revision: int
    deal_version: int
    round: int
    to_move: int | None
    turn_started_at: datetime | None
    banks: tuple[int, ...]
    due_at: datetime | None
    due_kind: str
    sitters: tuple[Sitter, ...]

    @property
    def control(self) -> TimeControl:
        return CONTROLS[self.clock]

    @property
    def people(self) -> tuple[int, ...]:
        """Return the seats that people play themselves."""
        return tuple(seat for seat, sitter in enumerate(self.sitters) if sitter.user_id and not sitter.bot)

    def seat_of(self, user_id: int | None) -> int | None:
        """Return the seat of a user, None for anybody else."""
        if user_id is None:
            return None
        return next((seat for seat, sitter in enumerate(self.sitters) if sitter.user_id == user_id), None)


def lock(match_ids: Collection[int], *, skip_locked: bool = False) -> dict[int, Header]:
    """Read and lock the rows, in rising order so that two transactions cannot wait for each other.

    ``skip_locked`` leaves out what another transaction holds. SQLite has one writer, nothing needs a lock there.
    """
    ids = ", ".join(["%s"] * len(match_ids))
    locking = "FOR UPDATE SKIP LOCKED" if skip_locked else "FOR UPDATE"
    with connection.cursor() as cursor:
        cursor.execute(
            SELECT.format(ids=ids, lock=locking if connection.features.has_select_for_update else ""), list(match_ids)
        )
        rows = cursor.fetchall()
        cursor.execute(SELECT_SEATS.format(ids=ids), list(match_ids))
        sitters: dict[int, list[Sitter]] = {}
        for match_id, user_id, bot in cursor.fetchall():
            sitters.setdefault(match_id, []).append(Sitter(user_id, bot))
    return {row[0]: _header(row, tuple(sitters.get(row[0], ()))) for row in rows}


def save(headers: Iterable[Header]) -> None:
    """Write the rows back, with one statement."""
    moment = connection.ops.adapt_datetimefield_value
    rows = [
        (
            header.version,
            header.revision,
            header.deal_version,
            header.round,
            header.to_move,
            moment(header.turn_started_at),
            json.dumps(header.banks),
            moment(header.due_at),
            header.due_kind,
            header.match_id,
        )
        for header in headers
    ]
    with connection.cursor() as cursor:
        cursor.executemany(UPDATE, rows)


def _header(row: tuple[Any, ...], sitters: tuple[Sitter, ...]) -> Header:
    values = [*row, sitters]
    values[4], values[11], values[13] = bool(row[4]), aware(row[11]), aware(row[13])
    values[12] = tuple(json.loads(row[12]))
    return Header(*values)


@overload
def aware(moment: datetime) -> datetime: ...


@overload
def aware(moment: datetime | None) -> datetime | None: ...


def aware(moment: datetime | None) -> datetime | None:
    """SQLite knows no time zones: what it stores is UTC."""
    return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)
