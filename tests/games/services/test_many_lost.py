"""More than a quarter of the sockets are lost without a word: the clocks stop, and all may come back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from games.models import ConductMark, Match, Seat, SiteHeartbeat
from games.services import absence, downtime
from games.services.downtime import Role
from tests.games import tables

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
BOTH: tuple[Role, Role] = ("web", "clock")


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


@pytest.fixture
def match(db: None) -> Match:
    """Return a match whose seat to move has 15 s, and 60 s in its bank, from noon on."""
    with time_machine.travel(NOON, tick=False):
        return tables.running_table([tables.person(), tables.person()], clock="fast")


@pytest.mark.stack
def test_the_clocks_go_on_from_where_they_stood_and_twenty_seconds(match: Match) -> None:
    SiteHeartbeat.objects.create(counted_until=at(64), resumed_at=at(-3600), web_at=at(64), clock_at=at(64))
    assert downtime.write_heartbeat(BOTH, now=at(65), lost_since=at(62))
    # 13 s were left.
    assert tables.row_of(match).due_at == at(65 + 20 + 13)


def lost_together(match: Match) -> None:
    """Lose both players at 62 s, with many others; the clocks go on at 85 s."""
    Seat.objects.filter(match=match).update(left_at=at(62))
    SiteHeartbeat.objects.create(counted_until=at(64), resumed_at=at(-3600), web_at=at(64), clock_at=at(64))
    downtime.write_heartbeat(BOTH, now=at(65), lost_since=at(62))


def test_who_does_not_come_back_has_gone_when_the_clocks_go_on_and_is_charged_nothing(match: Match) -> None:
    lost_together(match)
    assert absence.hold_disconnected_seats(now=at(85 + 29)) == 0
    assert absence.hold_disconnected_seats(now=at(85 + 30)) == 1
    assert sorted(match.seats.values_list("state", flat=True)) == ["active", "held"]
    assert not ConductMark.objects.exists()


def test_who_comes_back_and_leaves_a_minute_later_is_charged_as_ever(match: Match) -> None:
    lost_together(match)
    Match.objects.filter(pk=match.pk).update(turn_started_at=at(145), due_at=at(220))
    Seat.objects.filter(match=match).update(left_at=at(146))
    assert absence.hold_disconnected_seats(now=at(146 + 30)) == 1
    assert ConductMark.objects.get().kind == "held"


def test_it_happens_once_and_nobody_can_stop_all_clocks_for_long(match: Match) -> None:
    SiteHeartbeat.objects.create(counted_until=at(4), resumed_at=at(-3600), web_at=at(4), clock_at=at(4))
    for second in range(5, 85):
        downtime.write_heartbeat(BOTH, now=at(second), lost_since=at(second - 3))
    assert tables.row_of(match).due_at == at(75 + 3 + 20)


def test_who_had_left_before_has_left(match: Match) -> None:
    Seat.objects.filter(match=match).update(left_at=at(50))
    SiteHeartbeat.objects.create(counted_until=at(64), resumed_at=at(-3600), web_at=at(64), clock_at=at(64))
    downtime.write_heartbeat(BOTH, now=at(65), lost_since=at(62))
    assert set(match.seats.values_list("left_at", flat=True)) == {at(50 + 23)}
