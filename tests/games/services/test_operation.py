"""The switches of operators for the whole site: the banner, new matches, clocks, and the end of a process."""

from __future__ import annotations

import os
import signal
from datetime import UTC, datetime, timedelta
from unittest.mock import Mock

import pytest
import time_machine
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import ModerationAct, User
from games.broadcast.database_threads import in_database
from games.errors import Refused
from games.heartbeat import Heartbeat
from games.lobby import quick_play
from games.lobby import tables as lobby_tables
from games.models import Match, Seat, ServerProcess, SiteSwitches
from games.services import demo, desertion, downtime, due_events, operation, rematch
from games.services.downtime import RECONNECT_GRACE, Role
from games.site_processes import WRITE_INTERVAL, latency_percentile, process_report
from games.site_switches import current_switches, read_switches
from games.terms.presets import usual_terms
from games.words import offered_variants
from infrastructure.runtime import Runtime
from tests.games import reviewed, tables
from tests.games.finished import create_finished_match
from tests.games.socket_browser import Browser, connect_and_read_frame, in_thread, socket_address

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
BOTH: tuple[Role, Role] = ("web", "clock")


def time_at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def beat_every_second(since: int, until: int, *, stopped: bool) -> bool:
    beats = [
        downtime.write_heartbeat(BOTH, now=time_at(second), clocks_stopped=stopped) for second in range(since, until)
    ]
    return all(beats)


@pytest.fixture
def operator(db: None) -> User:
    return User.objects.create_superuser("root", name="Root")


def pause_matches() -> None:
    SiteSwitches.objects.create(matches_paused=True)
    read_switches()


@pytest.mark.stack
@pytest.mark.usefixtures("db")
def test_stopped_clocks_keep_the_remaining_time() -> None:
    with time_machine.travel(NOON, tick=False):
        match = tables.running_table([tables.person(), tables.person()], clock="fast")
    assert tables.locked_row(match).due_at == time_at(75)
    beat_every_second(0, 10, stopped=False)
    assert beat_every_second(10, 200, stopped=True)
    due_events.fire_due_events(now=time_at(199))
    row = tables.locked_row(match)
    assert row.status == Match.Status.RUNNING
    assert beat_every_second(200, 225, stopped=False)
    after = tables.locked_row(match)
    assert after == row, "the clocks run from the last stop on"
    assert after.due_at is not None
    assert after.turn_started_at is not None
    # Ten of the seconds were used before the stop.
    resumed_at = after.turn_started_at + timedelta(seconds=10)
    assert time_at(200) < resumed_at <= time_at(200) + RECONNECT_GRACE
    assert after.due_at == resumed_at + timedelta(seconds=65)


@pytest.mark.stack
@pytest.mark.usefixtures("db")
def test_stopped_clocks_of_daily_matches_keep_the_remaining_time() -> None:
    with time_machine.travel(NOON, tick=False) as time:
        waiting, moved = [tables.running_table([tables.person(), tables.person()], clock="1-day") for _ in range(2)]
        day = timedelta(days=1)
        assert tables.locked_row(waiting).due_at == NOON + day
        beat_every_second(0, 100, stopped=True)
        Seat.objects.filter(match=waiting).update(last_seen=time_at(90))
        time.shift(100)
        tables.make_first_move(moved)
        due_events.fire_due_events(now=NOON + 2 * day)
        assert tables.locked_row(waiting).status == Match.Status.RUNNING, "no deadline is enforced"
        beat_every_second(100, 200, stopped=True)
        beat_every_second(200, 202, stopped=False)
    row, resumed_at = tables.locked_row(waiting), downtime.counted_time(time_at(201)).resumed_at
    assert row.turn_started_at == resumed_at
    assert row.due_at == resumed_at + day
    assert tables.locked_row(moved).due_at == resumed_at + day
    assert set(Seat.objects.filter(match=waiting).values_list("last_seen", flat=True)) == {resumed_at}
    due_events.fire_due_events(now=resumed_at + day)
    assert tables.locked_row(waiting).due_at != row.due_at, "deadlines are enforced again"


@pytest.mark.usefixtures("db")
def test_stopped_clocks_write_no_daily_match() -> None:
    match = tables.running_table([tables.person(), tables.person()], clock="1-day")
    beat_every_second(0, 2, stopped=True)
    before = tables.locked_row(match)
    for second in range(2, 60):
        with CaptureQueriesContext(connection) as queries:
            downtime.write_heartbeat(BOTH, now=time_at(second), clocks_stopped=True)
        writes = [query["sql"] for query in queries if query["sql"].startswith("UPDATE")]
        assert not [sql for sql in writes if "games_match" in sql or "games_seat" in sql]
    assert tables.locked_row(match) == before


@pytest.mark.stack
@pytest.mark.usefixtures("db")
def test_move_while_clocks_are_stopped_costs_no_time() -> None:
    with time_machine.travel(NOON, tick=False) as time:
        match = tables.running_table([tables.person(), tables.person()], clock="fast")
        beat_every_second(0, 10, stopped=False)
        beat_every_second(10, 100, stopped=True)
        time.shift(100)
        seat = tables.locked_row(match).to_move
        tables.make_first_move(match)
    row = tables.locked_row(match)
    assert seat is not None
    assert row.banks[seat] == 60_000
    assert row.turn_started_at is not None
    assert row.turn_started_at > time_at(100), "the next turn has not begun"


@pytest.mark.usefixtures("db")
def test_no_match_is_stopped_as_deserted_while_clocks_are_stopped() -> None:
    match = tables.running_table([tables.person(), tables.person()])
    Seat.objects.update(last_seen=time_at(-3600))
    Match.objects.update(turn_started_at=time_at(0))
    SiteSwitches.objects.create(clocks_stopped=True)
    read_switches()
    timer = desertion.DesertionTimer()
    for number in range(40):
        timer.stop_deserted_matches(now=time_at(3600 + 10 * number))
    assert tables.locked_row(match).status == Match.Status.RUNNING
    SiteSwitches.objects.update(clocks_stopped=False)
    read_switches()
    for number in range(40):
        timer.stop_deserted_matches(now=time_at(7200 + 10 * number))
    assert tables.locked_row(match).status != Match.Status.RUNNING


@pytest.mark.usefixtures("db")
def test_paused_matches_do_not_start_but_running_ones_go_on() -> None:
    ann, ben = tables.person("Ann"), tables.person("Ben")
    terms = usual_terms(offered_variants()["kozel"], "")
    running, waiting = tables.running_table([ann, ben]), lobby_tables.open_table(host=ann, terms=terms)
    finished = create_finished_match([ann, ben])
    pause_matches()
    for act in (
        lambda: lobby_tables.open_table(host=ben, terms=terms),
        lambda: quick_play.join_quick_game(user=ben, variant="kozel"),
        lambda: lobby_tables.fill_with_bots(match=waiting, by=ann),
        lambda: rematch.agree_to_rematch(match=finished, by=ann),
    ):
        with pytest.raises(Refused) as refused:
            act()
        assert refused.value.code == "matches_paused"
    before = Match.objects.count()
    demo.ensure_bot_matches()
    assert Match.objects.count() == before
    assert tables.make_first_move(running)


@pytest.mark.usefixtures("db")
def test_quick_game_waits_until_matches_may_start() -> None:
    table = quick_play.join_quick_game(user=tables.person(), variant="kozel")
    assert table.due_at is not None
    pause_matches()
    late = table.due_at + timedelta(seconds=1)
    with time_machine.travel(late, tick=False):
        assert due_events.fire_due_events(now=late) == 1
        table.refresh_from_db()
        assert (table.status, table.due_kind) == (Match.Status.OPEN, Match.Due.FILL)
        assert table.due_at == late + quick_play.FILL_AFTER
    SiteSwitches.objects.update(matches_paused=False)
    read_switches()
    due_events.fire_due_events(now=table.due_at)
    table.refresh_from_db()
    assert table.status == Match.Status.RUNNING


@pytest.mark.stack
def test_each_act_is_logged_with_its_reason(operator: User) -> None:
    operation.set_banner(operator=operator, text=" Update at ten ", reason="update")
    operation.set_matches_paused(operator=operator, paused=True, reason="update")
    operation.set_clocks_stopped(operator=operator, stopped=True, reason="update")
    switches = current_switches()
    assert (switches.banner, switches.matches_paused, switches.clocks_stopped) == ("Update at ten", True, True)
    operation.set_banner(operator=operator, text="", reason="done")
    operation.set_matches_paused(operator=operator, paused=False, reason="done")
    operation.set_clocks_stopped(operator=operator, stopped=False, reason="done")
    assert SiteSwitches.objects.values_list("banner", "matches_paused", "clocks_stopped").get() == ("", False, False)
    acts = ModerationAct.objects.order_by("pk").values_list("act", "reason", "moderator", "target")
    names = ["set_banner", "pause_matches", "stop_clocks", "set_banner", "resume_matches", "start_clocks"]
    reasons = ["update"] * 3 + ["done"] * 3
    assert list(acts) == [(name, reason, operator.pk, "site") for name, reason in zip(names, reasons, strict=True)]


def test_acts_need_a_reason_and_the_permission(operator: User) -> None:
    with pytest.raises(ValidationError):
        operation.set_clocks_stopped(operator=operator, stopped=True, reason=" ")
    with pytest.raises(PermissionDenied):
        operation.set_clocks_stopped(operator=tables.person(), stopped=True, reason="fun")
    assert not SiteSwitches.objects.exists()
    assert not ModerationAct.objects.exists()


@pytest.mark.usefixtures("db")
def test_banner_is_on_every_page_as_it_was_written(client: Client) -> None:
    assert '<div id="site-banner" class="site-banner" role="status"></div>' in client.get("/rules/").content.decode()
    SiteSwitches.objects.create(banner="Update <at> ten", matches_paused=True, clocks_stopped=True)
    read_switches()
    page = client.get("/cs/rules/").content.decode()
    assert "<p>Update &lt;at&gt; ten</p>" in page
    assert "<p>Nové partie teď nelze začít. Rozehrané pokračují.</p>" in page
    assert "<p>Všechny hodiny teď stojí.</p>" in page
    assert "Update" not in client.get("/offline/").content.decode(), "browsers keep this page"


@pytest.mark.django_db(transaction=True)
async def test_open_pages_show_a_changed_banner() -> None:
    people = [await in_thread(tables.person)(name) for name in ("Ann", "Ben")]
    match = await in_thread(tables.running_table)(people)
    heartbeat = Heartbeat(*BOTH)
    await heartbeat.write()
    browser = await connect_and_read_frame(match, people[0])
    await in_thread(SiteSwitches.objects.create)(banner="Update at ten")
    await heartbeat.write()
    assert '<hx-partial id="site-banner">' in (frame := await browser.next_frame())
    assert "<p>Update at ten</p>" in frame
    await heartbeat.write()
    assert await browser.receive_nothing(0.1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["table", "lobby", "review"])
async def test_page_that_comes_back_shows_a_banner_that_it_missed(kind: str) -> None:
    ann, ben = [await in_thread(tables.person)(name) for name in ("Ann", "Ben")]
    match = await in_thread(tables.running_table)([ann, ben])
    if kind == "review":
        match = await in_thread(lambda: reviewed.stop_match(reviewed.play_random_moves("kozel", 5)))()
    slug = match.slug
    path = {"table": f"/match/{slug}/", "lobby": "/", "review": f"/match/{slug}/review/"}[kind]
    client = await in_thread(tables.browser_of)(ann)
    address = socket_address((await in_thread(client.get)(path)).content.decode())
    assert "site-banner" not in await first_frame(address, ann), "the page contains it"
    await in_thread(SiteSwitches.objects.create)(banner="Update at ten")
    await in_thread(read_switches)()
    assert "<p>Update at ten</p>" in await first_frame(address, ann)
    await in_thread(SiteSwitches.objects.update)(banner="")
    await in_thread(read_switches)()
    reconnect = address.partition("?")[0]
    assert '<hx-partial id="site-banner"><div id="site-banner"' in await first_frame(reconnect, ann)


async def first_frame(address: str, user: User) -> str:
    browser = Browser(address, user)
    await browser.connect()
    frame = await browser.next_frame()
    await browser.disconnect()
    return frame


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
async def test_process_reports_itself_and_ends_when_an_operator_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    signals: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: signals.append((pid, number)))
    operator = await in_database(User.objects.create_superuser, "root", name="Root")
    heartbeat = Heartbeat("web")
    await heartbeat.write()
    process = await in_database(ServerProcess.objects.get)
    assert (process.name, process.roles, process.pid) == (Runtime.current.process_name, "web", os.getpid())
    assert process.version.startswith("1.")
    assert {"sockets", "move_seconds", "moves_waiting", "errors", "megabytes"} <= process.figures.keys()
    await in_database(ServerProcess.objects.create, **row_of_old_process())
    await in_database(operation.end_process, operator=operator, name=process.name, reason="memory")
    await heartbeat.write()
    assert signals == [(os.getpid(), signal.SIGTERM)], "with the next heartbeat, a second later"
    process_report().written_at = datetime.now(UTC) - WRITE_INTERVAL
    await heartbeat.write()
    assert len(signals) == 1
    assert await in_database(ServerProcess.objects.count) == 1, "old rows are deleted"
    assert await in_database(ModerationAct.objects.values_list("act", flat=True).get) == "end_process"


@pytest.mark.django_db(transaction=True)
async def test_process_that_cannot_report_itself_is_still_on_time(monkeypatch: pytest.MonkeyPatch) -> None:
    heartbeat = Heartbeat("web")
    monkeypatch.setattr(process_report(), "exchange", Mock(side_effect=OperationalError))
    await heartbeat.write()
    assert heartbeat.is_on_time(timezone.now())


def row_of_old_process() -> dict[str, object]:
    at = datetime.now(UTC) - timedelta(hours=2)
    return {"name": "old", "roles": "web", "machine": "a", "pid": 1, "version": "1", "started_at": at, "at": at}


def test_latency_is_that_of_moves_in_the_window() -> None:
    bounds = (0.1, 0.5, float("inf"))
    before, now = dict(zip(bounds, (90, 100, 100), strict=True)), dict(zip(bounds, (108, 120, 120), strict=True))
    assert latency_percentile(now, before) == 0.5
    assert latency_percentile(now, now) is None
    assert latency_percentile(dict(zip(bounds, (0, 0, 9), strict=True)), {}) is None, "slower than all bounds"
