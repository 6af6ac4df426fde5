"""When the clock looks at a tournament again."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.match.moments import moment_of
from games.tournaments.core.state import State

PASS_INTERVAL = timedelta(seconds=2)  # between two looks for tables that are over and parties that wait
BREAK = timedelta(seconds=15)  # between two rounds
LEASE = timedelta(seconds=10)  # for a worker that pairs; then any process may pair again


def next_due(state: State, now: datetime) -> datetime | None:
    """Return when the clock has something to do, None for a tournament that is over."""
    if state.is_finished:
        return now if state.entropy else None  # the secret of its boards is to be revealed
    if state.stage == "announced":
        return moment_of(state.terms.starts_at)
    tables = state.current_tables
    if any(table.is_pending and not table.begun_at for table in tables):
        return now
    if not state.is_arena and state.round_stage == "pairing":
        return max(now, moment_of(next_round_at(state)))
    return now + PASS_INTERVAL


def next_round_at(state: State) -> int:
    """Return when the next round is paired, in milliseconds."""
    ended_at = max((table.over_at for table in state.current_tables), default=0)
    return ended_at + BREAK // timedelta(milliseconds=1)
