"""After the system's clock was set back, tables go on and nobody has more time than a turn can have."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db.models import F

from accounts.models import User
from games.enums import Clock
from games.models import Match, SiteHeartbeat
from games.services import downtime, due_corrections, due_events
from games.services.downtime import Role
from tests.games import tables
from tests.games.lobby.test_tables import table

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def running_at(moment: datetime, people: list[User], **columns: Any) -> Match:
    with time_machine.travel(moment, tick=False):
        return tables.running_table(people, **columns)


@pytest.mark.parametrize("kind", ["bot", "round", "pass", "fill", "commit", "reveal", "hold"])
def test_far_due_times_of_bots_and_rounds_become_now(kind: str) -> None:
    match = running_at(NOON + HOUR, [tables.person(), tables.person()])
    Match.objects.update(due_kind=kind, due_at=NOON + HOUR + timedelta(seconds=15))
    assert due_corrections.correct_due_dates(now=NOON) == 1
    match.refresh_from_db()
    assert match.due_at == NOON


@pytest.mark.stack
def test_a_bot_moves_although_the_clock_was_set_back() -> None:
    running_at(NOON + HOUR, [], bots=2)
    assert due_events.lease_bot_turns(now=NOON + timedelta(seconds=30)) == []
    due_corrections.correct_due_dates(now=NOON + timedelta(seconds=30))
    assert len(due_events.lease_bot_turns(now=NOON + timedelta(seconds=30))) == 1


@pytest.mark.parametrize("control", list(Clock))
def test_turn_with_a_far_deadline_restarts_with_its_full_time(control: Clock) -> None:
    match = running_at(NOON + HOUR, [tables.person(), tables.person()], clock=control)
    before = match.revision
    assert due_corrections.correct_due_dates(now=NOON) == 1
    match.refresh_from_db()
    assert match.turn_started_at == NOON
    assert match.due_at is not None
    assert match.due_at < NOON + HOUR + timedelta(days=3)
    assert match.revision > before
    assert due_corrections.correct_due_dates(now=NOON) == 0


@pytest.mark.parametrize("control", list(Clock))
def test_near_due_times_stay(control: Clock) -> None:
    match = running_at(NOON, [tables.person(), tables.person()], clock=control)
    Match.objects.update(due_at=F("due_at") + downtime.RECONNECT_GRACE)
    with time_machine.travel(NOON, tick=False):
        table(tables.person("Ann"), clock=control)
    assert due_corrections.correct_due_dates(now=NOON) == 0
    match.refresh_from_db()
    assert match.turn_started_at == NOON


@pytest.mark.stack
def test_heartbeat_counts_after_the_clock_was_set_back() -> None:
    SiteHeartbeat.objects.create(
        counted_until=NOON + HOUR, resumed_at=NOON + HOUR, web_at=NOON + HOUR, clock_at=NOON + HOUR
    )
    web: tuple[Role, ...] = ("web",)
    assert downtime.write_heartbeat(web, now=NOON)
    assert downtime.counted_time(NOON).resumed_at <= NOON + downtime.RECONNECT_GRACE
    assert not downtime.write_heartbeat(web, now=NOON + timedelta(seconds=4)), "the clock's process is missed"
