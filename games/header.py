"""The row of a running match as the services work on it: read under a lock, written back with the events.

Every move comes through here, so the row is a plain object, the SQL is written out, and the matches of several
moves are one statement: a tenth of what the ORM needs.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import connection

from games.time_control import CONTROLS, TimeControl

SELECT = """
SELECT m.id, m.slug, m.variant, m.status, m.rated, m.clock, m.version, m.revision, m.deal_version, m.round,
    m.to_move, m.turn_started_at, m.banks, m.due_at, m.due_kind, s.user_id, s.bot
FROM games_match m JOIN games_seat s ON s.match_id = m.id
WHERE m.id IN ({ids}) ORDER BY m.id, s."index" {lock}
"""
UPDATE = """
UPDATE games_match SET version = %s, revision = %s, deal_version = %s, round = %s, to_move = %s,
    turn_started_at = %s, banks = %s, due_at = %s, due_kind = %s
WHERE id = %s
"""
SEAT_COLUMNS = 2


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
    statement = "FOR UPDATE OF m" + (" SKIP LOCKED" if skip_locked else "")
    sql = SELECT.format(
        ids=", ".join(["%s"] * len(match_ids)),
        lock=statement if connection.features.has_select_for_update else "",
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, list(match_ids))
        rows = cursor.fetchall()
    groups: dict[int, list[tuple]] = {}
    for row in rows:
        groups.setdefault(row[0], []).append(row)
    return {match_id: _header(group) for match_id, group in groups.items()}


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


def _header(rows: list[tuple]) -> Header:
    row = rows[0]
    return Header(
        *row[:4],
        bool(row[4]),
        *row[5:11],
        _aware(row[11]),
        tuple(json.loads(row[12])),
        _aware(row[13]),
        row[14],
        tuple(Sitter(*row[-SEAT_COLUMNS:]) for row in rows),
    )


def _aware(moment: datetime | None) -> datetime | None:
    """SQLite knows no time zones: what it stores is UTC."""
    return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)
