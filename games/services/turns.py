"""The next due event of a table: a deadline, a bot's move, a forced pass or the next round."""

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
PAUSE = timedelta(seconds=20)  # between two rounds
PAUSE_OF_BOTS = timedelta(seconds=6)
UNTIMED_AFTER = timedelta(hours=24)  # the longest turn in a match without a clock
RHYTHM_SECONDS = (0.6, 2.1)  # bots seem to think this long; the scheduler adds up to half a second
FORCED = (Pass(),)

NextDue = tuple[datetime | None, Due]


def next_due(row: MatchRow, state: State, began: datetime) -> NextDue:
    """Return the due event, and its time, of a turn or pause that began at ``began``."""
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
    """Return when a turn of this seat times out."""
    return began + timedelta(milliseconds=row.control.move_ms + row.banks[seat] + _credit(row, seat))


def charged(row: MatchRow, now: datetime) -> MatchRow:
    """Return the row with the time of this move, less the credit for lag, charged to the bank of the seat to move."""
    seat = row.to_move
    if seat is None or row.turn_started_at is None or row.clock == Match.Clock.NONE:
        return row
    over_ms = round((now - row.turn_started_at).total_seconds() * 1000) - row.control.move_ms
    if over_ms <= 0:
        return row
    credited = min(over_ms, _credit(row, seat))
    bank = max(0, row.banks[seat] - (over_ms - credited))
    row = replace(row, banks=(*row.banks[:seat], bank, *row.banks[seat + 1 :]))
    return row.with_seat(seat, lag_credited_ms=row.holders[seat].lag_credited_ms + credited) if credited else row


def with_new_credit(row: MatchRow) -> MatchRow:
    """Return the row with the credit for lag reset, as at the beginning of a round."""
    if not any(holder.lag_credited_ms for holder in row.holders):
        return row
    return replace(row, holders=tuple(replace(holder, lag_credited_ms=0) for holder in row.holders))


def _credit(row: MatchRow, seat: int) -> int:
    holder = row.holders[seat]
    return lag_credit(holder.lag_ms, holder.lag_credited_ms)
