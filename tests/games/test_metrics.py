"""What /metrics tells of the live tables."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from datetime import UTC, date, datetime, timedelta
from math import inf, isnan
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.conf import settings as django_settings
from django.db import OperationalError
from django.utils import timezone
from prometheus_client import REGISTRY, generate_latest
from pytest_django import Settings

from accounts.models import User
from games import heartbeat, site_metrics
from games.broadcast import announcements as broadcast_announcements
from games.broadcast.database_threads import DATABASE_THREADS, in_database
from games.broadcast.memory_layer import DROPPED_MESSAGES, MemoryLayer
from games.broadcast.redis_layer import LAYER_BACK, RedisLayer
from games.engine.moves import Pass
from games.engine.variants import rules_for
from games.heartbeat import Heartbeat
from games.models import BoardDay, Case, Match
from games.scheduler import Scheduler
from games.site_metrics import SiteCounts
from infrastructure import machine_metrics
from infrastructure.scrapes import refresh_gauges
from infrastructure.server.connection import RESTART_CODE
from tests.games import tables
from tests.games.socket_browser import connect_and_read_frame, in_thread
from tests.programs import ROOT

pytestmark = pytest.mark.django_db(transaction=True)


def metric_values() -> dict[str, float]:
    """Return the metrics of the site by name and labels."""
    lines = re.findall(r"^(dominoes_\S+) (\S+)$", generate_latest().decode(), re.MULTILINE)
    return {name: float(number) for name, number in lines}


def metric_increase(before: dict[str, float], name: str) -> float:
    return metric_values().get(name, 0.0) - before.get(name, 0.0)


async def test_a_move_is_timed_from_frame_to_frame_and_so_is_its_rendering(match: Match, people: list[User]) -> None:
    before = metric_values()
    mover = await in_thread(tables.player_to_move)(match)
    browser = await connect_and_read_frame(match, mover)
    version = (await in_thread(tables.locked_row)(match)).version
    await browser.send_message(type="move", move=await in_thread(tables.first_legal_move)(match), v=version)
    await browser.next_frame()
    async with asyncio.timeout(20):
        while not metric_increase(before, "dominoes_move_frame_seconds_count"):
            await asyncio.sleep(0.01)
    assert metric_increase(before, "dominoes_render_seconds_count") == 2
    assert metric_increase(before, "dominoes_resyncs_total") == 0


async def test_missed_updates_are_counted_by_cause(
    match: Match, people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    mover = await in_thread(tables.player_to_move)(match)
    browsers = [
        await connect_and_read_frame(match, mover),
        await connect_and_read_frame(match, people[1 - people.index(mover)]),
    ]
    monkeypatch.setattr(broadcast_announcements, "_publish", lambda announcements: None)
    await in_thread(tables.make_first_move)(match)
    before = metric_values()
    await browsers[1].send_message(type="seen")
    await browsers[1].next_frame()
    await browsers[0].send_message(type="move", move="pass", v=match.version)
    await browsers[0].next_frame()
    assert metric_increase(before, 'dominoes_resyncs_total{by="heartbeat"}') == 1
    assert metric_increase(before, 'dominoes_resyncs_total{by="stale"}') == 1


@pytest.mark.stack
async def test_channel_layer_contents_are_measured(match: Match, people: list[User]) -> None:
    browsers = [await connect_and_read_frame(match, user) for user in people]
    values = metric_values()
    # Each socket is in the group of its person, and their audience is told of the match, now and with a delay.
    assert values['dominoes_layer_held{what="channels"}'] == 3
    assert values['dominoes_layer_held{what="memberships"}'] == 4
    for browser in browsers:
        await browser.disconnect()
    values = metric_values()
    assert {name: number for name, number in values.items() if name.startswith("dominoes_layer_held") and number} == {}
    assert values['dominoes_sockets{kind="TableSocket"}'] == 0


async def test_announcements_for_a_socket_that_is_far_behind_are_counted_when_they_are_dropped() -> None:
    layer, before = MemoryLayer(capacity=2), DROPPED_MESSAGES._value.get()
    name = await layer.new_channel()
    await layer.group_add("match.x", name)
    for number in range(5):
        await layer.group_send("match.x", {"n": number})
    assert DROPPED_MESSAGES._value.get() - before == 3


@pytest.mark.stack
async def test_work_that_waits_for_the_database_is_counted(match: Match) -> None:
    layer = get_channel_layer()
    assert isinstance(layer, MemoryLayer | RedisLayer)
    await layer.ping()
    released = threading.Event()
    works = [asyncio.create_task(in_database(released.wait)) for _ in range(20)]
    try:
        async with asyncio.timeout(10):
            while metric_values()["dominoes_database_waiting"] != 20 - DATABASE_THREADS:
                await asyncio.sleep(0.01)
    finally:
        released.set()
    await asyncio.gather(*works)
    assert metric_values()["dominoes_database_waiting"] == 0


ZERO_AT_THE_START = [
    'dominoes_outages_total{of="database"}',
    'dominoes_outages_total{of="redis"}',
    'dominoes_resyncs_total{by="heartbeat"}',
    'dominoes_resyncs_total{by="layer"}',
    'dominoes_resyncs_total{by="stale"}',
    'dominoes_moves_total{outcome="failed"}',
    'dominoes_pushes_total{outcome="failed"}',
    'dominoes_refusals_total{kind="rate",limit="pages"}',
    'dominoes_refusals_total{kind="places",limit="sockets"}',
    *(f'dominoes_socket_closes_total{{code="{code}"}}' for code in (1009, 1012, 4013, 4401, 4404, 4429, 4500)),
    *(f'dominoes_http_errors_total{{status="{status}"}}' for status in (500, 503)),
    *(f'dominoes_log_lines_total{{level="{level}"}}' for level in ("warning", "error", "critical")),
    *(f'dominoes_logins_total{{outcome="{outcome}"}}' for outcome in ("account", "guest", "failed", "limited")),
    *(f'dominoes_bot_moves_total{{choice="{choice}"}}' for choice in ("bot", "first_legal")),
    'dominoes_database_connections{state="used"}',
    "dominoes_database_connections_waiting",
    "dominoes_redis_seconds_count",
]
PRINT_METRICS = """
import django
django.setup()
import domino_site.asgi, games.broadcast.redis_layer, games.scheduler, infrastructure.server.websocket
import prometheus_client
print(prometheus_client.generate_latest().decode())
"""


def test_counters_exist_before_they_count() -> None:
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "domino_site.settings", "DATABASE_URL": "sqlite:///:memory:"}
    command = [sys.executable, "-c", PRINT_METRICS]
    text = subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    at_zero = set(re.findall(r"^(dominoes_\S+) 0\.0$", text, re.MULTILINE))
    assert [name for name in ZERO_AT_THE_START if name not in at_zero] == []


@pytest.mark.stack
async def test_site_is_counted_at_a_scrape(match: Match, people: list[User]) -> None:
    await in_thread(Match.objects.filter(pk=match.pk).update)(due_at=timezone.now() - timedelta(seconds=60))
    await in_thread(Case.objects.create)(suspect=people[0], area=Case.Area.CHAT)
    await refresh_gauges()
    values = metric_values()
    assert values['dominoes_matches{status="running"}'] == 1
    assert values['dominoes_matches{status="open"}'] == 0
    assert values["dominoes_late_events"] == 1
    assert values["dominoes_late_events_seconds"] == pytest.approx(60, abs=10)
    assert values["dominoes_open_cases"] == 1
    await in_thread(Match.objects.all().update)(due_at=None)
    await refresh_gauges()
    assert metric_values()["dominoes_late_events"] == 1, "a second scrape shortly after reads nothing"


def test_days_of_boards_that_should_have_closed_are_late() -> None:
    now = datetime(2026, 11, 28, 12, tzinfo=UTC)
    days = {
        date(2026, 11, 27): now - timedelta(hours=36),  # should have closed 11 hours and 45 minutes ago
        date(2026, 11, 28): now - timedelta(hours=12),
        date(2026, 11, 29): None,
    }
    for day, opened_at in days.items():
        BoardDay.objects.create(variant="kozel", date=day, opened_at=opened_at, due_at=now)
    assert site_metrics.seconds_late_of_boards(now) == 11.75 * 3600
    BoardDay.objects.filter(date=date(2026, 11, 27)).update(due_at=None, closed_at=now)
    assert site_metrics.seconds_late_of_boards(now) == 0
    BoardDay.objects.filter(date=date(2026, 11, 28)).update(opened_at=None)
    assert site_metrics.seconds_late_of_boards(now) == 12 * 3600


async def test_counts_of_the_site_stay_while_they_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    site_metrics.set_gauges(SiteCounts({}, 3, 1.0, 0, 0.0))
    seen: list[float | None] = []

    async def read(*_arguments: object) -> SiteCounts:
        seen.append(REGISTRY.get_sample_value("dominoes_late_events"))
        return SiteCounts({}, 4, 1.0, 0, 0.0)

    monkeypatch.setattr(site_metrics, "in_database", read)
    await refresh_gauges()
    assert [*seen, REGISTRY.get_sample_value("dominoes_late_events")] == [3, 4]


async def test_only_missed_updates_count_when_the_layer_is_back(match: Match, people: list[User]) -> None:
    browser = await connect_and_read_frame(match, people[0])
    before = metric_values()
    layer: Any = get_channel_layer()
    await layer.send_to_everybody(LAYER_BACK)
    await browser.send_message(type="seen", r=match.revision)
    await browser.next_frame()
    assert metric_increase(before, 'dominoes_resyncs_total{by="layer"}') == 0


async def test_move_that_crossed_an_update_is_no_missed_one(match: Match, people: list[User]) -> None:
    mover = await in_thread(tables.player_to_move)(match)
    browser = await connect_and_read_frame(match, mover)
    before = metric_values()
    await browser.send_message(type="move", move="pass", v=match.version - 1)
    await browser.next_frame()
    assert metric_increase(before, 'dominoes_resyncs_total{by="stale"}') == 0


async def test_sockets_closed_for_a_restart_are_counted(match: Match) -> None:
    browser = await connect_and_read_frame(match)
    before = metric_values()
    await browser.send_input({"type": "websocket.restart"})
    assert await browser.close_code() == RESTART_CODE
    assert metric_increase(before, 'dominoes_socket_closes_total{code="1012"}') == 1


async def test_counts_of_the_site_are_unknown_without_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_arguments: object) -> None:
        raise OperationalError("the connection is closed")

    monkeypatch.setattr(site_metrics, "in_database", away)
    await refresh_gauges()
    assert REGISTRY.get_sample_value("dominoes_late_events") is not None
    assert isnan(REGISTRY.get_sample_value("dominoes_late_events") or 0)


def test_backup_age_is_that_of_its_stamp(settings: Settings, tmp_path: Path) -> None:
    settings.VAR = tmp_path
    assert machine_metrics.backup_age() == inf
    stamp = tmp_path / machine_metrics.BACKUP_STAMP
    stamp.parent.mkdir()
    stamp.touch()
    os.utime(stamp, (time.time() - 3600, time.time() - 3600))
    assert metric_values()["dominoes_backup_age_seconds"] == pytest.approx(3600, abs=20)


@pytest.mark.stack
def test_used_connections_are_counted(match: Match) -> None:
    used = metric_values()['dominoes_database_connections{state="used"}']
    assert used == 0 if django_settings.ON_SQLITE else used >= 1


async def test_bot_moves_are_timed_and_failures_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    choices: list[Future[str]] = [Future(), Future()]
    choices[0].set_result("pass")
    choices[1].set_exception(ValueError("planted"))
    scheduler = Scheduler()
    monkeypatch.setattr("games.scheduler.bot_seed", lambda _bot_turn: 1)
    monkeypatch.setattr(scheduler.workers, "submit", lambda *_arguments: choices.pop(0))
    bot_turn: Any = SimpleNamespace(
        match_id=1, bot="strong", seed=None, view=SimpleNamespace(rules=rules_for("kozel"), legal=[Pass()])
    )
    before = metric_values()
    assert [await scheduler.choose_move(bot_turn) for _ in range(2)] == ["pass", "pass"]
    assert metric_increase(before, 'dominoes_bot_moves_total{choice="bot"}') == 1
    assert metric_increase(before, 'dominoes_bot_moves_total{choice="first_legal"}') == 1
    assert metric_increase(before, "dominoes_bot_move_seconds_count") == 2


async def test_the_lag_of_the_loop_is_measured_with_every_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "INTERVAL_SECONDS", 0.01)
    before = metric_values()
    beating = asyncio.create_task(Heartbeat("web").run())
    async with asyncio.timeout(10):
        while metric_increase(before, "dominoes_loop_lag_seconds_count") < 2:
            await asyncio.sleep(0.01)
    beating.cancel()
