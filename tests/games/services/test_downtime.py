"""Time stands still while the site is down or asleep: nobody loses what could not be used."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import OperationalError

from games import heartbeat, scheduler
from games.broadcast.database_threads import in_database
from games.heartbeat import Heartbeat
from games.models import ConductMark, Match, Seat, SiteHeartbeat
from games.presence import leases
from games.services import absence, downtime, due_events
from games.services.downtime import LATE_AFTER, RECONNECT_GRACE, Role
from infrastructure.health import clock_status
from tests.games import tables

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
BOTH: tuple[Role, Role] = ("web", "clock")
WEB: tuple[Role] = ("web",)
CLOCK: tuple[Role] = ("clock",)


def time_at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def beat_every_second(until: float, *, since: float = 0, roles: tuple[Any, ...] = BOTH) -> bool:
    """Let the site be on time from second to second, and return whether time counted at last."""
    return [downtime.write_heartbeat(roles, now=time_at(second)) for second in range(int(since), int(until) + 1)][-1]


@pytest.fixture
def match(db: None) -> Match:
    """Return a match whose seat to move has 15 s, and 60 s in its bank, from noon on."""
    with time_machine.travel(NOON, tick=False):
        return tables.running_table([tables.person(), tables.person()], clock="fast")


class TestDown:
    @pytest.mark.stack
    def test_deadlines_stay_while_heartbeats_are_regular(self, match: Match) -> None:
        beat_every_second(0)
        before = tables.locked_row(match)
        assert beat_every_second(10)
        assert tables.locked_row(match) == before
        assert before.due_at == time_at(75)

    @pytest.mark.stack
    @pytest.mark.parametrize("down", [80, 30, 8])
    def test_deadlines_keep_their_remaining_time_and_reconnection_time(self, match: Match, down: int) -> None:
        beat_every_second(10)
        assert beat_every_second(10 + down, since=10 + down)
        row = tables.locked_row(match)
        assert row.due_at == time_at(10 + down) + timedelta(seconds=65 + 20)
        assert row.due_at - row.turn_started_at == timedelta(seconds=75)
        assert row.revision > match.revision

    def test_a_quick_start_after_a_crash_stops_the_clocks_too(self, match: Match) -> None:
        beat_every_second(10)
        assert downtime.write_heartbeat(BOTH, now=time_at(12), is_startup=True)
        assert tables.locked_row(match).due_at == time_at(12) + timedelta(seconds=65 + 20)

    def test_start_of_another_process_changes_no_deadline(self, match: Match) -> None:
        beat_every_second(10)
        assert downtime.write_heartbeat(WEB, now=time_at(11), is_startup=True)
        assert tables.locked_row(match).due_at == time_at(75)

    def test_downtime_makes_nobody_late_or_held(self, match: Match) -> None:
        beat_every_second(50)
        Seat.objects.filter(match=match).update(left_at=time_at(49.5))
        beat_every_second(130, since=130)
        # 25 s were left; they go on 20 s after the start.
        for second in range(130, 130 + 20 + 25):
            due_events.fire_due_events(now=time_at(second))
            absence.hold_disconnected_seats(now=time_at(second))
        assert set(match.seats.values_list("state", flat=True)) == {"active"}
        assert due_events.fire_due_events(now=time_at(130 + 20 + 25))
        assert match.seats.filter(state="late").exists()

    def test_short_remaining_time_is_extended_by_twenty_seconds(self, match: Match) -> None:
        beat_every_second(74)
        beat_every_second(200, since=200)
        assert tables.locked_row(match).due_at == time_at(200 + 1 + 20)

    def test_unnoticed_deadline_becomes_twenty_seconds(self, match: Match) -> None:
        beat_every_second(10)
        Match.objects.update(due_at=time_at(-3600))
        beat_every_second(60, since=60)
        assert tables.locked_row(match).due_at == time_at(60) + RECONNECT_GRACE

    def test_first_start_gives_everybody_twenty_seconds(self, match: Match) -> None:
        beat_every_second(100, since=100)
        assert tables.locked_row(match).due_at == time_at(100) + RECONNECT_GRACE

    def test_turn_that_began_just_before_a_crash_has_its_full_time(self, match: Match) -> None:
        beat_every_second(10)
        with time_machine.travel(time_at(10.9), tick=False):
            tables.make_first_move(match)
        beat_every_second(60, since=60)
        assert tables.locked_row(match).due_at == time_at(60 + 20 + 75)

    def test_expiries_during_downtime_cost_nobody_points(self, match: Match) -> None:
        beat_every_second(10)
        beat_every_second(400, since=400)
        assert due_events.fire_due_events(now=time_at(400)) == 0
        assert not ConductMark.objects.exists()
        assert due_events.fire_due_events(now=tables.locked_row(match).due_at) == 1
        assert ConductMark.objects.get().at == time_at(400) + timedelta(seconds=65) + RECONNECT_GRACE

    def test_the_time_is_not_taken_from_the_bank(self, match: Match) -> None:
        beat_every_second(10)
        beat_every_second(310, since=310)
        with time_machine.travel(time_at(325), tick=False):
            seat = tables.locked_row(match).to_move
            tables.make_first_move(match)
        # 10 s before, and nothing of the 20 s in which pages come back.
        assert tables.locked_row(match).banks[seat] == 60_000

    def test_a_move_that_is_committed_before_the_site_noticed_costs_only_the_time_that_counted(
        self, match: Match
    ) -> None:
        beat_every_second(20)
        with time_machine.travel(time_at(80), tick=False):
            seat = tables.locked_row(match).to_move
            tables.make_first_move(match)
        # 20 s for a move of 15 s.
        assert tables.locked_row(match).banks[seat] == 55_000

    def test_turn_during_reconnection_starts_afterwards(self, match: Match) -> None:
        beat_every_second(10)
        beat_every_second(60, since=60)
        with time_machine.travel(time_at(65), tick=False):
            tables.make_first_move(match)
        row = tables.locked_row(match)
        assert row.turn_started_at == time_at(60 + 20)
        assert row.due_at == time_at(60 + 20 + 75)
        beat_every_second(90, since=61)
        with time_machine.travel(time_at(90), tick=False):
            tables.make_first_move(match)
        assert tables.locked_row(match).turn_started_at == time_at(90)

    def test_bots_do_not_wait_for_pages(self, db: None) -> None:
        with time_machine.travel(NOON, tick=False):
            match = tables.running_table([], bots=2)
        beat_every_second(10)
        beat_every_second(60, since=60)
        with time_machine.travel(time_at(60), tick=False):
            tables.make_first_move(match)
        assert tables.locked_row(match).due_at < time_at(63)

    @pytest.mark.parametrize("left_at", [None, time_at(9)])
    def test_players_are_not_away_before_pages_can_reconnect(self, match: Match, left_at: datetime | None) -> None:
        presence_at = match.seats.first()
        beat_every_second(10)
        Seat.objects.filter(match=match).update(last_seen=time_at(9), left_at=left_at)
        beat_every_second(200, since=200)
        leases.mark_away(now=time_at(200 + 19))
        assert not Seat.objects.get(pk=presence_at.pk).away


class TestTwoProcesses:
    """One serves pages, one runs the clock: each writes for itself."""

    @pytest.mark.stack
    def test_time_counts_while_both_processes_are_alive(self, match: Match) -> None:
        for second in range(0, 20, 2):
            assert downtime.write_heartbeat(WEB, now=time_at(second))
            assert downtime.write_heartbeat(CLOCK, now=time_at(second + 1))
        assert tables.locked_row(match).due_at == time_at(75)

    @pytest.mark.stack
    def test_clock_stops_without_a_web_process(self, match: Match) -> None:
        beat_every_second(10)
        counted = [downtime.write_heartbeat(CLOCK, now=time_at(second)) for second in range(11, 100)]
        assert counted == [True] * 3 + [False] * 86
        assert downtime.write_heartbeat(WEB, now=time_at(100))
        # It counted until the third second.
        assert tables.locked_row(match).due_at == time_at(100) + timedelta(seconds=75 - 13 + 20)

    @pytest.mark.stack
    def test_turn_that_began_without_a_scheduler_restarts(self, match: Match) -> None:
        beat_every_second(10)
        with time_machine.travel(time_at(40), tick=False):
            assert downtime.write_heartbeat(WEB, now=time_at(40)) is False
            tables.make_first_move(match)
        downtime.write_heartbeat(WEB, now=time_at(60))
        assert downtime.write_heartbeat(CLOCK, now=time_at(60))
        row = tables.locked_row(match)
        assert (row.turn_started_at, row.due_at) == (time_at(60 + 20), time_at(60 + 20 + 75))

    def test_role_that_never_ran_is_not_missed(self, match: Match) -> None:
        assert beat_every_second(10, roles=("clock",))


def test_only_deadlines_of_people_wait_during_an_interruption(match: Match) -> None:
    with time_machine.travel(NOON, tick=False):
        paused = tables.running_table([tables.person(), tables.person()])
    Match.objects.filter(pk=paused.pk).update(due_kind=Match.Due.FILL, due_at=time_at(10))
    assert due_events.fire_due_events(now=time_at(3600), with_deadlines=False) == 1
    assert tables.locked_row(match).due_kind == Match.Due.TIMEOUT
    due_events.fire_due_events(now=time_at(3600))
    assert match.seats.filter(state="late").exists()


@pytest.mark.django_db(transaction=True)
class TestAsleep:
    """The process is stopped and goes on, as a laptop or a virtual machine does."""

    async def test_move_sent_in_time_is_accepted_after_sleep(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with time_machine.travel(NOON, tick=False) as time:
            people = [await in_database(tables.person) for _ in range(2)]
            match = await in_database(tables.running_table, people, clock="fast", rated=True)
            work = scheduler.Scheduler(heartbeat=Heartbeat(*BOTH))
            for _beat in range(20):
                await work.heartbeat.write()
                time.shift(3)
            await work.heartbeat.write()
            time.shift(60)  # asleep, with 15 s left
            await work.tick()
            row = await in_database(tables.locked_row, match)
            assert (row.status, row.due_kind) == (Match.Status.RUNNING, Match.Due.TIMEOUT)
            seat = row.to_move
            await in_database(tables.make_first_move, match)  # it waited in the socket
            await work.heartbeat.write()
            await work.tick()
            row = await in_database(tables.locked_row, match)
            assert row.status == Match.Status.RUNNING
            assert row.banks[seat] == 60_000 - (60_000 - 15_000)  # the minute awake, not the one asleep

    async def test_player_without_a_move_keeps_the_rest_and_twenty_seconds(self) -> None:
        with time_machine.travel(NOON, tick=False) as time:
            people = [await in_database(tables.person) for _ in range(2)]
            match = await in_database(tables.running_table, people, clock="fast", rated=True)
            work = scheduler.Scheduler(heartbeat=Heartbeat(*BOTH))
            for seconds in (0, *[3] * 20, 60):
                time.shift(seconds)
                await work.tick()
                await work.heartbeat.write()
            assert (await in_database(tables.locked_row, match)).due_at == time_at(120 + 15 + 20)
            time.shift(2)
            await work.tick()
            assert (await in_database(tables.locked_row, match)).status == Match.Status.RUNNING
            for _second in range(40):
                time.shift(1)
                await work.heartbeat.write()
                await work.tick()
            assert (await in_database(tables.locked_row, match)).status == Match.Status.FINISHED

    @pytest.mark.stack
    async def test_heartbeat_stops_without_the_database(self, monkeypatch: pytest.MonkeyPatch) -> None:
        beating = Heartbeat(*BOTH)
        await beating.write()
        now = beating.last_written_at
        assert beating.is_on_time(now + LATE_AFTER)
        assert clock_status().last_at == now

        async def away(*_arguments: object) -> None:
            raise OperationalError("the connection is closed")

        monkeypatch.setattr(heartbeat, "in_database", away)
        await beating.write()
        assert not beating.is_on_time(now + LATE_AFTER + timedelta(seconds=1))

    async def test_heartbeat_is_independent_of_the_loop(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(heartbeat, "INTERVAL_SECONDS", 0.01)
        work = asyncio.create_task(scheduler.Scheduler(heartbeat=Heartbeat(*BOTH)).run())
        async with asyncio.timeout(10):
            while not await SiteHeartbeat.objects.filter(counted_until__isnull=False).aexists():
                await asyncio.sleep(0.01)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
