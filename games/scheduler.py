"""The scheduler: due events, bots' moves and periodic tasks. Any number of processes may run one."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator
from datetime import datetime

import structlog
from django.conf import settings
from django.utils import timezone
from prometheus_client import Counter, Gauge, Histogram

from games import bots
from games.broadcast.database_threads import in_database
from games.engine.refusal import Refusal
from games.errors import Refused
from games.heartbeat import Heartbeat
from games.history.daily_deal_count import count_public_deals
from games.match_reports.reporter import Reporter
from games.moderation.detectors.scanner import MatchScanner
from games.open_data.exporter import OpenDataExporter
from games.presence import leases
from games.push_sender import PushSender
from games.retention.schedule import delete_expired
from games.services import absence, board_clock, due_corrections, due_events, rematch, reminders
from games.services.board_ticker import BoardTicker
from games.services.desertion import CHECK_INTERVAL, DesertionTimer
from games.services.due_events import BotTurn
from games.services.moves import MoveRequest
from games.sockets.move_queue import move_queue
from games.tournaments import clock as tournament_clock
from games.tournaments import notices as tournament_notices
from games.tournaments import schedule as tournament_schedule
from games.tournaments.ticker import TournamentTicker
from games.workers.pool import Workers
from infrastructure.health import clock_status
from infrastructure.outages import is_outage
from infrastructure.runtime import Runtime

log = structlog.get_logger()
POLL_SECONDS = 0.5
DUE_BATCH = 20  # due events in a row, before the database thread is free for players again
BOT_TIMEOUT_SECONDS = 8
BOTS_FINISH_SECONDS = 3.0  # the longest wait for the moves of bots when the process stops
SWEEP_SECONDS = 2.0
DAY_SECONDS = 24 * 3600.0
# Harmless refusals of a bot's move: the table has changed meanwhile, or the move is tried again later.
HARMLESS_REFUSALS = ("stale", "replaced", "finished", "unavailable")

BOT_MOVE_SECONDS = Histogram(
    "dominoes_bot_move_seconds",
    "Time until a bot has chosen its move, with the wait for a worker process",
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2, 4, BOT_TIMEOUT_SECONDS),
)
BOT_MOVES = Counter("dominoes_bot_moves_total", "Moves of bots; if a bot fails, its first legal move", ["choice"])
CHOSEN_BY_BOT, FIRST_LEGAL = BOT_MOVES.labels("bot"), BOT_MOVES.labels("first_legal")
BOT_MOVES_WAITING = Gauge("dominoes_bot_moves_waiting", "Moves that bots of this process are choosing or making")

# Seconds between two runs, and the database work, which gets the time as ``now``.
PeriodicTask = tuple[float, Callable[..., object]]


class Scheduler:
    """Run it with ``run``; ``tick`` is one pass."""

    def __init__(self, *periodic_tasks: PeriodicTask, heartbeat: Heartbeat | None = None) -> None:
        self.heartbeat = heartbeat or Heartbeat("clock")
        self.daily_work: list[Iterator[object]] = []  # the remaining steps
        tasks: tuple[PeriodicTask, ...] = (
            (SWEEP_SECONDS, leases.mark_away),
            (SWEEP_SECONDS, rematch.resolve_stale_offers),
            (SWEEP_SECONDS, self.hold_disconnected),
            (CHECK_INTERVAL.total_seconds(), DesertionTimer().stop_deserted_matches),
            (300.0, reminders.send_reminders),
            (15.0, due_corrections.correct_due_dates),
            (5.0, tournament_clock.settle_marks),
            (5.0, tournament_notices.remind_entrants),
            (600.0, tournament_schedule.announce_due_tournaments),
            (60.0, board_clock.announce_days),
            (60.0, board_clock.close_days_of_older_bots),
            (DAY_SECONDS, self.begin_daily_work),
            *periodic_tasks,
        )
        self.periodic_tasks = dict.fromkeys(tasks, 0.0)  # when each runs next, by the monotonic clock
        self.bot_tasks: set[asyncio.Task[None]] = set()
        self.workers = Workers(settings.BOT_PROCESSES)
        self.tournaments = TournamentTicker(self.workers)
        self.boards = BoardTicker(self.workers, self.heartbeat.is_on_time)
        BOT_MOVES_WAITING.set_function(lambda: len(self.bot_tasks))

    async def run(self) -> None:
        """Work until cancelled."""
        Runtime.current.attach_loop()
        clock_status().passed_at = time.monotonic()
        services = [
            asyncio.create_task(work.run())
            for work in (self.heartbeat, self.boards, PushSender(), MatchScanner(), Reporter(), OpenDataExporter())
        ]
        try:
            while True:
                try:
                    await self.tick()
                    clock_status().passed_at = time.monotonic()
                except Exception as error:
                    if not is_outage(error):
                        log.exception("tick_failed")
                await asyncio.sleep(POLL_SECONDS * min(1.0, settings.PACE))
        finally:
            for task in services:
                task.cancel()
            self.tournaments.close()
            await self.finish_bot_moves()
            self.workers.close()

    async def finish_bot_moves(self) -> None:
        """Wait a moment for the moves in progress: no other process would make them before their leases end."""
        if self.bot_tasks:
            await asyncio.wait(self.bot_tasks, timeout=BOTS_FINISH_SECONDS)
        for task in self.bot_tasks:
            task.cancel()

    def hold_disconnected(self, *, now: datetime) -> None:
        """Hold the seats of people who lost their last connection, unless it may be the fault of the site."""
        if self.heartbeat.is_on_time(now):
            absence.hold_disconnected_seats(now=now)

    def begin_daily_work(self, *, now: datetime) -> None:
        """Begin the daily work. Each tick does one step of it."""
        self.daily_work = [delete_expired(now), count_public_deals(now)]

    async def tick(self) -> None:
        """Run everything that is due, and start computing the bots' moves."""
        now = timezone.now()
        enforces_deadlines = self.heartbeat.is_on_time(now)
        while (
            await in_database(due_events.fire_due_events, now=now, limit=DUE_BATCH, with_deadlines=enforces_deadlines)
            == DUE_BATCH
        ):
            pass
        free_slots = DUE_BATCH * settings.BOT_PROCESSES - len(self.bot_tasks)
        if free_slots > 0:
            for bot_turn in await in_database(due_events.lease_bot_turns, now=now, limit=free_slots):
                task = asyncio.create_task(self.play_bot_move(bot_turn))
                self.bot_tasks.add(task)
                task.add_done_callback(self.bot_tasks.discard)
        await self.tournaments.tick(now, with_deadlines=enforces_deadlines)
        for periodic, due in self.periodic_tasks.items():
            if time.monotonic() >= due:
                seconds, work = periodic
                self.periodic_tasks[periodic] = time.monotonic() + seconds
                await in_database(work, now=timezone.now())
        for steps in list(self.daily_work):
            if await in_database(next, steps, None) is None:
                self.daily_work.remove(steps)

    async def play_bot_move(self, bot_turn: BotTurn) -> None:
        """Make the move that the bot finds. A bot that fails on a board is asked again after its lease."""
        move = await self.choose_move(bot_turn)
        if not move:
            return
        request = MoveRequest(bot_turn.match_id, bot_turn.version, move, seat=bot_turn.seat)
        move_result = await move_queue().submit(request)
        if isinstance(move_result, Refusal | Refused) and move_result.code not in HARMLESS_REFUSALS:
            log.error("bot_refused", match=bot_turn.match_id, code=move_result.code)

    async def choose_move(self, bot_turn: BotTurn) -> str:
        """Return the bot's move. If it fails, return the first legal one, on a board "": bots play alike there."""
        try:
            with BOT_MOVE_SECONDS.time():
                async with asyncio.timeout(BOT_TIMEOUT_SECONDS):
                    seed = bot_seed(bot_turn) if bot_turn.seed is None else bot_turn.seed
                    choice = self.workers.submit(bots.choose_move, bot_turn.view, bot_turn.bot, seed)
                    move = await asyncio.wrap_future(choice)
            CHOSEN_BY_BOT.inc()
            return move
        except Exception:
            log.exception("bot_failed", match=bot_turn.match_id)
        if bot_turn.seed is not None:
            return ""
        FIRST_LEGAL.inc()
        return bot_turn.view.rules.move_text(bot_turn.view.legal[0])


def bot_seed(_bot_turn: BotTurn) -> int:
    """Return the seed of a bot's random choices. Tests replace it."""
    return secrets.randbits(32)
