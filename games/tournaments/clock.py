"""The clock of tournaments: starts, pairs, begins tables, counts them, ends.

Any number of processes may run it. A tournament is one transaction with its row locked and read again, and a table
another; rows locked by another process are skipped. Pairings are computed outside, by a worker: until then the
tournament is leased by its due time, and ``decide`` refuses a proposal that no longer fits.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from typing import NamedTuple

import structlog
from django.db import transaction

from games.bots import boards as bot_boards
from games.broadcast import announcements
from games.errors import Refused
from games.match.moments import milliseconds, moment_of
from games.models import Entry, Tournament, TournamentTable
from games.site_switches import current_switches
from games.tournaments import boards, commits, counting, entering, laying, opening, waiting
from games.tournaments.commits import LockedTournament
from games.tournaments.core import commands
from games.tournaments.core.proposal import PairingTask, portable
from games.tournaments.core.state import State
from games.tournaments.dues import LEASE, PASS_INTERVAL, next_due
from games.tournaments.levels import LevelRaws, LevelsTask
from infrastructure.outages import is_outage

log = structlog.get_logger()
MAX_TOURNAMENTS = 20  # in a pass
TABLES_PER_PASS = 20  # that begin in a pass
RETRY_AFTER = timedelta(minutes=1)  # a tournament that failed
MIN_PARTIES = 2  # with fewer, a round has nobody to play


class DueWork(NamedTuple):
    """The work that remains: pairings and levels for a worker, and tables to begin, by tournament and number.

    A table takes 50 ms or more. Each is a piece of work of its own, so that moves do not wait for many of them.
    """

    pairings: tuple[PairingTask, ...] = ()
    tables: tuple[tuple[int, int], ...] = ()
    levels: tuple[LevelsTask, ...] = ()


def run_due(*, now: datetime, with_deadlines: bool = True) -> DueWork:
    """Advance the tournaments that are due. Return the remaining work.

    Without ``with_deadlines`` nobody counts as absent or late: people may not have been able to act.
    """
    due = Tournament.objects.filter(due_at__lte=now, bots_version__lte=bot_boards.BOTS_VERSION).order_by("due_at")
    due_ids = list(due.values_list("pk", flat=True)[:MAX_TOURNAMENTS])
    works = [_advance_safely(pk, now, with_deadlines=with_deadlines) for pk in due_ids]
    return DueWork(
        tuple(pairing for work in works for pairing in work.pairings),
        tuple(table for work in works for table in work.tables),
        tuple(levels for work in works for levels in work.levels),
    )


def begin_table(*, tournament_id: int, number: int, now: datetime) -> None:
    """Begin one of the tables of ``DueWork``. If it fails, its tournament waits a minute."""
    try:
        with suppress(Refused):  # no match may start since a moment ago
            laying.begin_table(tournament_id=tournament_id, number=number, now=now)
    except Exception as error:
        _postpone(tournament_id, now, error)


def store_proposal(*, task: PairingTask, proposal: commands.Pair | None, now: datetime) -> None:
    """Pair as a worker proposed, unless the entrants have changed: then the next pass pairs again."""
    if proposal is None:
        return
    with suppress(Refused), transaction.atomic():
        commits.lock(task.tournament).carry_out(proposal, now)


def store_levels(*, task: LevelsTask, levels: LevelRaws, now: datetime) -> None:
    """Close a board with the results of the bots that a worker has computed, unless another process did."""
    with suppress(Refused), transaction.atomic():
        locked = commits.lock(task.tournament)
        if locked.state.round == task.round:
            locked.carry_out(commands.CloseBoard(levels), now)


def settle_marks(*, now: datetime) -> None:
    """Take out people whose accounts were deleted or suspended, and recount results that moderators have changed."""
    marked = Entry.objects.exclude(leaving="").exclude(status=Entry.Status.GONE)
    for pk in set(marked.filter(tournament__stage__in=Tournament.UNFINISHED).values_list("tournament", flat=True)):
        with suppress(Refused), transaction.atomic():  # it is over meanwhile
            entering.take_out_marked(commits.lock(pk), now)
    for pk in set(TournamentTable.objects.filter(recounts=True).values_list("tournament", flat=True)):
        counting.recount(tournament_id=pk, now=now)


def _advance_safely(tournament_id: int, now: datetime, *, with_deadlines: bool) -> DueWork:
    try:
        return _advance(tournament_id, now, with_deadlines=with_deadlines)
    except Exception as error:
        _postpone(tournament_id, now, error)
        return DueWork()


def _postpone(tournament_id: int, now: datetime, error: Exception) -> None:
    """Log a failure: one broken tournament must not stop the others. An outage would fail them, too, and is raised."""
    if is_outage(error):
        raise error
    log.exception("tournament_failed", tournament=tournament_id)
    Tournament.objects.filter(pk=tournament_id, due_at__lte=now).update(due_at=now + RETRY_AFTER)


def _advance(tournament_id: int, now: datetime, *, with_deadlines: bool) -> DueWork:
    is_stopped, levels = _is_stopped(), None
    if with_deadlines and not is_stopped:
        row = Tournament.objects.filter(pk=tournament_id).first()
        if row is None or row.stage not in Tournament.UNFINISHED:
            _finish(row, now)
            return DueWork()
        levels = _close_tables(row, now)
    with transaction.atomic():
        locked = commits.lock_if_free(tournament_id)
        if locked is None or locked.state.is_finished or locked.row.due_at is None or locked.row.due_at > now:
            return DueWork()
        counting.count_ended_tables(locked, now)
        if is_stopped or not with_deadlines:
            _look_again(locked, now + PASS_INTERVAL)
            return DueWork()
        if levels is not None:
            _look_again(locked, now + LEASE)
            return DueWork(levels=(levels,))
        task = _next_step(locked, now)
        numbers = laying.tables_to_begin(locked, TABLES_PER_PASS)
    return DueWork(() if task is None else (task,), tuple((tournament_id, number) for number in numbers))


def _close_tables(row: Tournament, now: datetime) -> LevelsTask | None:
    """Stop the tables that take too long, and begin to close a board, outside of the lock."""
    if row.stage != Tournament.Stage.RUNNING:
        return None
    counting.stop_overdue_matches(row, now)
    return boards.close_board(row, now)


def _finish(row: Tournament | None, now: datetime) -> None:
    """Reveal the secret of the boards of a tournament that is over or was cancelled."""
    if row is not None and boards.reveal_secret(row, now):
        Tournament.objects.filter(pk=row.pk, version=row.version).update(due_at=None)


def _is_stopped() -> bool:
    """Return True while operators let no match start, or have stopped all clocks."""
    switches = current_switches()
    return switches.matches_paused or switches.clocks_stopped


def _look_again(locked: LockedTournament, due_at: datetime) -> None:
    """Postpone the next pass. Pages have nothing new to show."""
    if not locked.state.is_finished:
        Tournament.objects.filter(pk=locked.row.pk).update(due_at=due_at)


def _next_step(locked: LockedTournament, now: datetime) -> PairingTask | None:
    """Start, drop late tables, end, or return the pairing to compute."""
    if locked.state.stage == "announced":
        if locked.row.plan and not locked.row.entries.exists():
            locked.row.delete()  # nobody wanted it
            announcements.touch_lobby()
            return None
        _start(locked, now)
    else:
        if _has_passed_last_begin(locked, now):
            locked.touch()  # pages no longer promise a table
        counting.drop_overdue_tables(locked, now)
        with suppress(Refused):  # it is not over
            locked.carry_out(commands.End(has_new_bots=boards.has_older_bots(locked.row)), now)
    if _has_to_pair(locked.state, now):
        return _pairing_task(locked, now)
    if locked.row.due_at is not None and locked.row.due_at <= now and not laying.tables_to_begin(locked, 1):
        _look_again(locked, now + PASS_INTERVAL)
    return None


def _has_passed_last_begin(locked: LockedTournament, now: datetime) -> bool:
    """Return True in the first pass after the last moment at which a table of an arena may begin."""
    due_at, last_begin = locked.row.due_at, moment_of(locked.state.terms.last_begin)
    return locked.state.is_arena and due_at is not None and due_at - PASS_INTERVAL <= last_begin < now


def _has_to_pair(state: State, now: datetime) -> bool:
    """Return True between two rounds once the break is over, and while tables of an arena may begin."""
    if state.stage != "running":
        return False
    if state.is_arena:
        return milliseconds(now) <= state.terms.last_begin
    return state.round_stage == "pairing" and next_due(state, now) == now


def _start(locked: LockedTournament, now: datetime) -> None:
    """Start with those whom the site has seen, or cancel: too few came, or an arena is late beyond its last table."""
    state = locked.state
    entering.take_out_marked(locked, now)
    if state.is_arena and milliseconds(now) > state.terms.last_begin:
        locked.carry_out(commands.Cancel("late", ""), now)
        return
    if state.is_duplicate and opening.await_nonces(locked, now):
        return
    present = waiting.present_parties(locked.row, locked.state, now - waiting.CHECK_IN)
    nonces = opening.nonces_of(locked) if state.is_duplicate else ()
    locked.carry_out(commands.Start(frozenset(present), nonces), now)


def _pairing_task(locked: LockedTournament, now: datetime) -> PairingTask | None:
    """Return what to pair, and lease the tournament until it is paired."""
    row, state = locked.row, locked.state
    entering.take_out_marked(locked, now)
    if state.is_arena:
        parties = waiting.waiting_parties(row, locked.state, now)
    else:
        present = waiting.present_parties(row, locked.state, now - waiting.SEEN_FOR_ROUND)
        parties = dict.fromkeys(present, milliseconds(now))
    if state.is_arena and len(parties) < MIN_PARTIES:
        _look_again(locked, now + PASS_INTERVAL)
        return None
    apart = waiting.pairs_apart(row, parties)
    _look_again(locked, now + (PASS_INTERVAL if state.is_arena else LEASE))
    return PairingTask(row.pk, portable(locked.state), parties, apart, secrets.token_hex(16), milliseconds(now))
