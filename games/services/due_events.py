"""Handles the due events of tables, each once, however many processes run the clock.

One match is one transaction with its row locked and read again; rows locked by another process are skipped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog
from django.db import transaction

from games.broadcast import announcements
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.fair_dealing import dealing, nonces
from games.lobby import quick_play, tables
from games.match import match_rows, record
from games.match.match_rows import MatchRow
from games.models import Match, SiteHeartbeat
from games.services import absence, play
from games.services.downtime import DAILY, DUE_KINDS_OF_PEOPLE
from infrastructure.outages import is_outage

log = structlog.get_logger()
BOT_TURN_LEASE = timedelta(seconds=10)  # then any process may compute the move again
RETRY_AFTER = timedelta(minutes=1)  # a due event that failed


@dataclass(frozen=True, slots=True)
class BotTurn:
    """A turn of a bot, with the level (``bot``) and the view from which it chooses its move.

    ``seed`` decides its random choices on a board, where bots play alike at every table; elsewhere it is None.
    """

    match_id: int
    version: int
    seat: int
    bot: str
    view: View
    seed: int | None = None


def fire_due_events(*, now: datetime, limit: int = 50, with_deadlines: bool = True) -> int:
    """Handle the due events, except the bots' moves. Return how many.

    Without ``with_deadlines`` nobody's time runs out: people may not have been able to act.
    """
    excluded = (Match.Due.BOT,) if with_deadlines else (Match.Due.BOT, *DUE_KINDS_OF_PEOPLE)
    due = Match.objects.filter(due_at__lte=now).exclude(due_kind__in=excluded).order_by("due_at")
    if SiteHeartbeat.objects.filter(daily_stopped_at__isnull=False).exists():
        due = due.exclude(DAILY, due_kind__in=DUE_KINDS_OF_PEOPLE)
    return sum(_fire_due_event(match_id, now) for match_id in list(due.values_list("pk", flat=True)[:limit]))


def lease_bot_turns(*, now: datetime, limit: int = 50) -> list[BotTurn]:
    """Lease the bots' moves that are due; no other process gets them before the lease ends."""
    due = Match.objects.filter(due_at__lte=now, due_kind=Match.Due.BOT).order_by("due_at")
    match_ids = list(due.values_list("pk", flat=True)[:limit])
    if not match_ids:
        return []
    with transaction.atomic():
        rows = [row for row in match_rows.lock_rows(match_ids, skip_locked=True).values() if _is_due(row, now)]
        match_rows.save_rows(replace(row, due_at=now + BOT_TURN_LEASE) for row in rows)
    return [_bot_turn(row, row.to_move) for row in rows if row.to_move is not None]


def _is_due(row: MatchRow, now: datetime) -> bool:
    return row.due_at is not None and row.due_at <= now


def _bot_turn(row: MatchRow, seat: int) -> BotTurn:
    state = record.state_of(row.match_id, row.version)
    view = view_for(rules_for(row.variant), state, seat)
    seed = dealing.board_bot_seed(row, state)
    return BotTurn(row.match_id, row.version, seat, row.holders[seat].bot, view, seed)


def _fire_due_event(match_id: int, now: datetime) -> bool:
    try:
        with transaction.atomic():
            row = match_rows.lock_rows([match_id], skip_locked=True).get(match_id)
            if row is None or not _is_due(row, now) or row.due_kind not in DUE_HANDLERS:
                return False
            DUE_HANDLERS[row.due_kind](row, now)
            return True
    except Exception as error:
        if is_outage(error):  # it would fail the next match, too
            raise
        # One broken match must not stop the others.
        log.exception("due_failed", match=match_id)
        Match.objects.filter(pk=match_id, due_at__lte=now).update(due_at=now + RETRY_AFTER)
        return False


def _handle_abandoned(row: MatchRow, now: datetime) -> None:
    if row.status == Match.Status.OPEN:
        tables.abandon_due_table(match_id=row.match_id, now=now)
    elif row.rated:  # otherwise a losing player would only have to wait
        absence.handle_timeout(row, now)
    else:
        play.stop_match(match_id=row.match_id, reason="deserted", seat=row.to_move)


def _fill_table(row: MatchRow, now: datetime) -> None:
    quick_play.fill_due_table(match_id=row.match_id)


def _end_commit_phase(row: MatchRow, now: datetime) -> None:
    nonces.end_commit_phase(match_id=row.match_id)


def _end_reveal_phase(row: MatchRow, now: datetime) -> None:
    nonces.end_reveal_phase(match_id=row.match_id)


def _end_delay(row: MatchRow, now: datetime) -> None:
    """Remove a finished match from the list of running ones: its end is public now."""
    match_rows.save_rows([replace(row, due_at=None, due_kind=Match.Due.NOTHING)])
    announcements.touch_lobby()


DUE_HANDLERS: dict[str, Callable[[MatchRow, datetime], None]] = {
    Match.Due.PASS: play.play_forced_pass,
    Match.Due.TIMEOUT: absence.handle_timeout,
    Match.Due.HOLD: absence.continue_with_bot,
    Match.Due.ROUND: play.start_next_round,
    Match.Due.ABANDON: _handle_abandoned,
    Match.Due.FILL: _fill_table,
    Match.Due.COMMIT: _end_commit_phase,
    Match.Due.REVEAL: _end_reveal_phase,
    Match.Due.DISCLOSE_END: _end_delay,
}
