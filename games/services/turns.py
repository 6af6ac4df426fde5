"""What happens next at a table by time alone: a deadline, a bot's move, a forced pass, the next round."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timedelta

from django.conf import settings

from games.engine.moves import Pass
from games.engine.state import State
from games.engine.variants import rules_for
from games.enums import Due
from games.match.match_rows import MatchRow
from games.match.time_control import lag_credit
from games.models import Match

PASS_AFTER = timedelta(seconds=1)
PAUSE = timedelta(seconds=20)
PAUSE_OF_BOTS = timedelta(seconds=6)
UNTIMED_AFTER = timedelta(hours=24)
"""Without a clock, a turn may last this long."""
RHYTHM_SECONDS = (0.6, 2.1)
"""How long bots seem to think; the scheduler's own half second comes on top."""
FORCED = (Pass(),)

NextDue = tuple[datetime | None, Due]


def next_due(row: MatchRow, state: State, began: datetime) -> NextDue:
    """Return what happens, and when, if nobody acts in a turn (or a pause) that began at ``began``."""
    if state.match_over:
        return None, Due.NOTHING
    if state.round.to_move is None:
        return began + settings.PACE * (PAUSE if row.people else PAUSE_OF_BOTS), Due.ROUND
    if rules_for(row.variant).legal_moves(state) == FORCED:
        return began + settings.PACE * PASS_AFTER, Due.PASS
    if row.holders[state.round.to_move].bot:
        thinking = timedelta(seconds=random.uniform(*RHYTHM_SECONDS))  # noqa: S311
        return began + settings.PACE * thinking, Due.BOT
    if row.clock == Match.Clock.NONE:
        return began + UNTIMED_AFTER, Due.ABANDON
    return deadline(row, state.round.to_move, began), Due.TIMEOUT


def deadline(row: MatchRow, seat: int, began: datetime) -> datetime:
    """Return when a turn of this seat runs out of time."""
    return began + timedelta(milliseconds=row.control.move_ms + row.banks[seat] + _credit(row, seat))


def charged(row: MatchRow, now: datetime) -> MatchRow:
    """Return the row after the seat to move has moved: what its time bank and the credit for its lag have left."""
    seat = row.to_move
    if seat is None or row.turn_started_at is None or row.clock == Match.Clock.NONE:
        return row
    over_ms = round((now - row.turn_started_at).total_seconds() * 1000) - row.control.move_ms
    if over_ms <= 0:
        return row
    credited = min(over_ms, _credit(row, seat))
    left = max(0, row.banks[seat] - (over_ms - credited))
    row = replace(row, banks=(*row.banks[:seat], left, *row.banks[seat + 1 :]))
    return row.with_seat(seat, lag_credited_ms=row.holders[seat].lag_credited_ms + credited) if credited else row


def with_new_credit(row: MatchRow) -> MatchRow:
    """Return the row at the beginning of a round, for which no lag has been credited."""
    if not any(holder.lag_credited_ms for holder in row.holders):
        return row
    return replace(row, holders=tuple(replace(holder, lag_credited_ms=0) for holder in row.holders))


def _credit(row: MatchRow, seat: int) -> int:
    holder = row.holders[seat]
    return lag_credit(holder.lag_ms, holder.lag_credited_ms)
