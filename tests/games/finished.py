"""Matches that are over, as the history finds them, without a move played."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from accounts.models import User
from games.engine.events import Event, MatchEnded
from games.match import record
from games.models import Match
from games.services import results
from tests.games.tables import locked_row, open_table

MATCH_NUMBERS = count(1)
START_OF_FIRST_MATCH = datetime(2026, 3, 1, 12, tzinfo=UTC)


def create_finished_match(
    people: Sequence[User],
    *,
    places: tuple[int, ...] = (),
    reason: str = "finished",
    leaver: int | None = None,
    at: datetime | None = None,
    bots: int = 0,
    events: Sequence[Event] = (),
    **columns: Any,
) -> Match:
    """Return a match that is over; without ``places`` the first seat has won. Each ends a minute after the last.

    ``events`` are its record.
    """
    match = open_table(people, bots=bots, status="running", started_at=START_OF_FIRST_MATCH, **columns)
    version = record.append(match.pk, 0, events, START_OF_FIRST_MATCH) if events else 0
    Match.objects.filter(pk=match.pk).update(version=version)
    seats = len(people) + bots
    ranks = () if reason in ("stopped", "void") else places or tuple(range(1, seats + 1))
    losers = () if leaver is None else (leaver,)
    end = MatchEnded(reason, leaver, "", ranks, losers, ())
    results.write_results(locked_row(match), end, at or START_OF_FIRST_MATCH + timedelta(minutes=next(MATCH_NUMBERS)))
    match.refresh_from_db()
    return match
