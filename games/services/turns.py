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

FORCED_PASS_DELAY = timedelta(seconds=1)
ROUND_PAUSE = timedelta(seconds=20)
BOT_ROUND_PAUSE = timedelta(seconds=6)
MAX_UNTIMED_TURN = timedelta(hours=24)  # in a match without a clock
BOT_THINKING_SECONDS = (0.6, 2.1)  # simulated; the scheduler adds up to half a second
FORCED_PASS = (Pass(),)

NextDue = tuple[datetime | None, Due]


def next_due(row: MatchRow, state: State, started_at: datetime) -> NextDue:
    """Return the due event, and its time, of a turn or pause that began at ``started_at``."""
    if state.match_over:
        return None, Due.NOTHING
    if state.round.to_move is None:
        return started_at + settings.PACE * (ROUND_PAUSE if row.seats_of_people else BOT_ROUND_PAUSE), Due.ROUND
    if rules_for(row.variant).legal_moves(state) == FORCED_PASS:
        return started_at + settings.PACE * FORCED_PASS_DELAY, Due.PASS
    if row.holders[state.round.to_move].bot:
        thinking = timedelta(seconds=random.uniform(*BOT_THINKING_SECONDS))  # noqa: S311
        return started_at + settings.PACE * thinking, Due.BOT
    if row.clock == Match.Clock.NONE:
        return started_at + MAX_UNTIMED_TURN, Due.ABANDON
    return turn_deadline(row, state.round.to_move, started_at), Due.TIMEOUT


def turn_deadline(row: MatchRow, seat: int, started_at: datetime) -> datetime:
    """Return when a turn of this seat times out."""
    return started_at + timedelta(milliseconds=row.time_control.move_ms + row.banks[seat] + _lag_credit_ms(row, seat))


def charge_bank(row: MatchRow, now: datetime) -> MatchRow:
    """Return the row after charging the time of this move, less the lag credit, to the bank of the seat to move."""
    seat = row.to_move
    if seat is None or row.turn_started_at is None or row.clock == Match.Clock.NONE:
        return row
    over_ms = round((now - row.turn_started_at).total_seconds() * 1000) - row.time_control.move_ms
    if over_ms <= 0:
        return row
    credit_ms = min(over_ms, _lag_credit_ms(row, seat))
    bank = max(0, row.banks[seat] - (over_ms - credit_ms))
    row = replace(row, banks=(*row.banks[:seat], bank, *row.banks[seat + 1 :]))
    return row.with_seat(seat, lag_credited_ms=row.holders[seat].lag_credited_ms + credit_ms) if credit_ms else row


def reset_lag_credit(row: MatchRow) -> MatchRow:
    """Return the row with the lag credit reset, as at the beginning of a round."""
    if not any(holder.lag_credited_ms for holder in row.holders):
        return row
    return replace(row, holders=tuple(replace(holder, lag_credited_ms=0) for holder in row.holders))


def _lag_credit_ms(row: MatchRow, seat: int) -> int:
    holder = row.holders[seat]
    return lag_credit(holder.lag_ms, holder.lag_credited_ms)
