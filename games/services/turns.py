"""What happens next at a table by time alone: a deadline, a bot's move, a forced pass, the next round."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings

from games.engine.moves import Pass
from games.engine.state import State
from games.engine.variants import rules_for
from games.enums import Due
from games.match.match_rows import MatchRow
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


def next_due(row: MatchRow, state: State, banks: Sequence[int], began: datetime) -> NextDue:
    """Return what happens, and when, if nobody acts in a turn (or a pause) that began at ``began``.

    ``banks`` are those of this turn.
    """
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
    return deadline(row, banks[state.round.to_move], began), Due.TIMEOUT


def deadline(row: MatchRow, bank_ms: int, began: datetime) -> datetime:
    """Return when a turn with this bank runs out of time."""
    return began + timedelta(milliseconds=row.control.move_ms + bank_ms)


def banks_after(row: MatchRow, now: datetime) -> tuple[int, ...]:
    """Return the time banks after the seat to move has moved."""
    if row.to_move is None or row.turn_started_at is None or row.clock == Match.Clock.NONE:
        return row.banks
    spent_ms = round((now - row.turn_started_at).total_seconds() * 1000)
    seat, banks = row.to_move, row.banks
    left = row.control.bank_after(banks[seat], spent_ms)
    return banks if left == banks[seat] else (*banks[:seat], left, *banks[seat + 1 :])
