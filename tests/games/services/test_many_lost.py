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


def time_at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


@pytest.fixture
def match(db: None) -> Match:
    """Return a match whose seat to move has 15 s, and 60 s in its bank, from noon on."""
    with time_machine.travel(NOON, tick=False):
        return tables.running_table([tables.person(), tables.person()], clock="fast")


@pytest.mark.stack
def test_clocks_resume_with_twenty_extra_seconds(match: Match) -> None:
    SiteHeartbeat.objects.create(
        counted_until=time_at(64), resumed_at=time_at(-3600), web_at=time_at(64), clock_at=time_at(64)
    )
    assert downtime.write_heartbeat(BOTH, now=time_at(65), lost_since=time_at(62))
    # 13 s were left.
    assert tables.locked_row(match).due_at == time_at(65 + 20 + 13)


def lose_players(match: Match) -> None:
    """Lose both players at 62 s, with many others; the clocks go on at 85 s."""
    Seat.objects.filter(match=match).update(left_at=time_at(62))
    SiteHeartbeat.objects.create(
        counted_until=time_at(64), resumed_at=time_at(-3600), web_at=time_at(64), clock_at=time_at(64)
    )
    downtime.write_heartbeat(BOTH, now=time_at(65), lost_since=time_at(62))


def test_players_who_stay_away_are_held_without_points(match: Match) -> None:
    lose_players(match)
    assert absence.hold_disconnected_seats(now=time_at(85 + 29)) == 0
    assert absence.hold_disconnected_seats(now=time_at(85 + 30)) == 1
    assert sorted(match.seats.values_list("state", flat=True)) == ["active", "held"]
    assert not ConductMark.objects.exists()


def test_later_disconnect_costs_points_as_usual(match: Match) -> None:
    lose_players(match)
    Match.objects.filter(pk=match.pk).update(turn_started_at=time_at(145), due_at=time_at(220))
    Seat.objects.filter(match=match).update(left_at=time_at(146))
    assert absence.hold_disconnected_seats(now=time_at(146 + 30)) == 1
    assert ConductMark.objects.get().kind == "held"


def test_clocks_stop_once_and_briefly(match: Match) -> None:
    SiteHeartbeat.objects.create(
        counted_until=time_at(4), resumed_at=time_at(-3600), web_at=time_at(4), clock_at=time_at(4)
    )
    for second in range(5, 85):
        downtime.write_heartbeat(BOTH, now=time_at(second), lost_since=time_at(second - 3))
    assert tables.locked_row(match).due_at == time_at(75 + 3 + 20)


def test_earlier_disconnects_still_count(match: Match) -> None:
    Seat.objects.filter(match=match).update(left_at=time_at(50))
    SiteHeartbeat.objects.create(
        counted_until=time_at(64), resumed_at=time_at(-3600), web_at=time_at(64), clock_at=time_at(64)
    )
    downtime.write_heartbeat(BOTH, now=time_at(65), lost_since=time_at(62))
    assert set(match.seats.values_list("left_at", flat=True)) == {time_at(50 + 23)}
