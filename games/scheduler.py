"""The scheduler: due events, bots' moves, expired leases, match reports. Any number of processes may run one."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator
from functools import partial

import structlog
from django.conf import settings
from django.utils import timezone

from games import bots
from games.broadcast.database_threads import in_database
from games.engine.refusal import Refusal
from games.errors import Refused
from games.heartbeat import Heartbeat
from games.history.daily_count import count_deals
from games.match_reports.reporter import Reporter
from games.moderation.detectors.scanner import MatchScanner
from games.presence import leases
from games.pushing import Pushing
from games.retention.table import forget_expired
from games.services import absence, clock, far_dates, rematch, reminders
from games.services.clock import Thought
from games.services.desertion import EVERY, Watchman
from games.services.moves import MoveRequest
from games.sockets.move_queue import move_queue
from games.workers.pool import Workers
from infrastructure.outages import is_outage
from infrastructure.runtime import Runtime

log = structlog.get_logger()
POLL_SECONDS = 0.5
AT_ONCE = 20
"""After so many due things the database thread is free for players again."""
THINK_SECONDS = 8
OVERTAKEN = ("stale", "replaced", "finished", "unavailable")
"""Harmless refusals of a bot's move: the table has moved on meanwhile, or the move is tried again later."""

PeriodicTask = tuple[float, Callable[[], object]]
"""Seconds between two runs, and the database work."""


def sweep() -> None:
    leases.sweep(now=timezone.now())
    rematch.sweep(now=timezone.now())


def look(watchman: Watchman) -> None:
    watchman.look(now=timezone.now())


def bring_back() -> None:
    far_dates.bring_back(now=timezone.now())


def remind() -> None:
    """Write to players by the day who are waited for."""
    reminders.send(now=timezone.now())


SWEEP: PeriodicTask = (2.0, sweep)
REMIND: PeriodicTask = (300.0, remind)
BRING_BACK: PeriodicTask = (15.0, bring_back)
A_DAY = 24 * 3600.0


class Scheduler:
    """Run it with ``run``; ``tick`` is one pass."""

    def __init__(self, *periodic_tasks: PeriodicTask, heartbeat: Heartbeat | None = None) -> None:
        self.heartbeat = heartbeat or Heartbeat("clock")
        gone: PeriodicTask = (SWEEP[0], self.hold_gone)
        watch: PeriodicTask = (EVERY.total_seconds(), partial(look, Watchman()))
        daily: PeriodicTask = (A_DAY, self.begin_daily)
        self.piecemeal: list[Iterator[object]] = []
        self.periodic_tasks = dict.fromkeys((SWEEP, gone, watch, REMIND, BRING_BACK, daily, *periodic_tasks), 0.0)
        self.thoughts: set[asyncio.Task[None]] = set()
        self.workers = Workers(settings.BOT_PROCESSES)

    async def run(self) -> None:
        """Work until cancelled."""
        Runtime.current.attach()
        beside = [asyncio.create_task(work.run()) for work in (self.heartbeat, Pushing(), MatchScanner(), Reporter())]
        try:
            while True:
                try:
                    await self.tick()
                except Exception as error:
                    if not is_outage(error):
                        log.exception("tick_failed")
                await asyncio.sleep(POLL_SECONDS * min(1.0, settings.PACE))
        finally:
            for task in (*beside, *self.thoughts):
                task.cancel()
            self.workers.close()

    def hold_gone(self) -> None:
        """Hold the seats of people who lost every connection, unless it may be the fault of the site."""
        if self.heartbeat.is_on_time(now := timezone.now()):
            absence.hold_gone(now=now)

    def begin_daily(self) -> None:
        """Begin what is done once a day, a piece at a time: each pass does one of each."""
        now = timezone.now()
        self.piecemeal = [forget_expired(now), count_deals(now)]

    async def tick(self) -> None:
        """Do everything that is due now, and start computing the bots' moves."""
        now = timezone.now()
        deadlines = self.heartbeat.is_on_time(now)
        while await in_database(clock.fire_due, now=now, limit=AT_ONCE, deadlines=deadlines) == AT_ONCE:
            pass
        room = AT_ONCE * settings.BOT_PROCESSES - len(self.thoughts)
        if room > 0:
            for thought in await in_database(clock.take_thoughts, now=now, limit=room):
                task = asyncio.create_task(self.answer(thought))
                self.thoughts.add(task)
                task.add_done_callback(self.thoughts.discard)
        for periodic, due in self.periodic_tasks.items():
            if time.monotonic() >= due:
                seconds, work = periodic
                self.periodic_tasks[periodic] = time.monotonic() + seconds
                await in_database(work)
        for pieces in list(self.piecemeal):
            if await in_database(next, pieces, None) is None:
                self.piecemeal.remove(pieces)

    async def answer(self, thought: Thought) -> None:
        """Think, and make the move."""
        move = await self.think(thought)
        request = MoveRequest(thought.match_id, thought.version, move, seat=thought.seat)
        answer = await move_queue().make(request)
        if isinstance(answer, Refusal | Refused) and answer.code not in OVERTAKEN:
            log.error("bot_refused", match=thought.match_id, code=answer.code)

    async def think(self, thought: Thought) -> str:
        """Return the bot's move, or the first legal one if the bot fails, so that the others can go on."""
        try:
            async with asyncio.timeout(THINK_SECONDS):
                choice = self.workers.submit(bots.choose, thought.view, thought.bot, seed_of(thought))
                return await asyncio.wrap_future(choice)
        except Exception:
            log.exception("bot_failed", match=thought.match_id)
        return thought.view.rules.move_text(thought.view.legal[0])


def seed_of(_thought: Thought) -> int:
    """Return the seed of what a bot chooses by chance."""
    return secrets.randbits(32)
