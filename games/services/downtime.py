"""Outages: all clocks stop while nobody could play because the site was down or suspended.

Processes that serve pages and processes that run the clock write a heartbeat once a second; one process can do both.
Time counts while there is one of each. The first process that notices an outage moves all deadlines by its length and
by ``GRACE``, in which pages reconnect. A restart of the only process that serves is an outage, however quick, and so
is the loss of many sockets at once.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

import structlog
from django.db import connection, transaction
from django.db.models import DateTimeField, ExpressionWrapper, F, Q
from django.db.models.expressions import Combinable

from games.broadcast import announcements
from games.match.match_rows import with_time_zone
from games.models import Match, Seat, SiteHeartbeat

log = structlog.get_logger()
Role = Literal["web", "clock"]
ROLES: tuple[Role, ...] = ("web", "clock")
LATE = timedelta(seconds=3)  # a process without a heartbeat for this long is late
# If nobody has served for this long when a process starts, its pages have lost their connections.
RESTARTED = timedelta(seconds=1.5)
GRACE = timedelta(seconds=20)
# A loss of many sockets within this time of an outage is not another one: dropping sockets must not stop all clocks.
REST = timedelta(seconds=60)
# Due events that happen because a person has not acted.
OF_PEOPLE = (Match.Due.TIMEOUT, Match.Due.HOLD, Match.Due.ABANDON, Match.Due.COMMIT, Match.Due.REVEAL)
SELECT = "SELECT counted_until, resumed_at FROM games_pulse"


@dataclass(frozen=True, slots=True)
class CountedTime:
    """The time now, the time until which clocks ``counted``, and when the turns of people begin or continue."""

    now: datetime
    counted: datetime
    resumed: datetime


def beat(roles: Collection[Role], *, now: datetime, started: bool = False, lost_since: datetime | None = None) -> bool:
    """Write the heartbeat of a process with these roles. Return whether time counts.

    ``started`` is True for its first one. ``lost_since`` is when it began to lose many sockets.
    """
    with transaction.atomic():
        heartbeat, first = SiteHeartbeat.objects.select_for_update(no_key=True).get_or_create(
            defaults={"counted_until": now, "resumed_at": now}
        )
        _bring_back(heartbeat, now)
        starts = started and "web" in roles
        since = now if first else _stood_still_since(heartbeat, now, starts=starts, lost_since=lost_since)
        for role in roles:
            setattr(heartbeat, f"{role}_at", now)
        counts = not any(_is_late(getattr(heartbeat, f"{role}_at"), now) for role in ROLES)
        if counts:
            if since is not None:
                heartbeat.resumed_at = now if first else now + GRACE
                _move_deadlines(since=since, resumed=heartbeat.resumed_at, now=now)
            heartbeat.counted_until = now
        heartbeat.save()
    return counts


def _bring_back(heartbeat: SiteHeartbeat, now: datetime) -> None:
    """Correct times in the future: the system's clock was set back after they were written."""
    heartbeat.resumed_at = min(heartbeat.resumed_at, now + GRACE)
    heartbeat.counted_until = min(heartbeat.counted_until, now)
    for role in ROLES:
        if (at := getattr(heartbeat, f"{role}_at")) is not None:
            setattr(heartbeat, f"{role}_at", min(at, now))


def _stood_still_since(
    heartbeat: SiteHeartbeat, now: datetime, *, starts: bool, lost_since: datetime | None
) -> datetime | None:
    """Return when an outage began, None if there was none. ``starts``: a process that serves is starting."""
    counted, served = heartbeat.counted_until, heartbeat.web_at
    if starts and served is not None and now - served > RESTARTED:
        return min(counted, served)
    if now - counted > LATE:
        return counted
    if lost_since is not None and lost_since > heartbeat.resumed_at + REST:
        return min(counted, lost_since)
    return None


def counted_time(now: datetime) -> CountedTime:
    """Return how much of the time until now counts. Every move calls this, so it is written SQL."""
    with connection.cursor() as cursor:
        cursor.execute(SELECT)
        row = cursor.fetchone()
    if row is None:
        return CountedTime(now, now, now)
    counted, resumed = with_time_zone(row[0]), with_time_zone(row[1])
    return CountedTime(now, counted if now - counted > LATE else now, max(now, resumed))


def may_explain(lost_at: datetime) -> bool:
    """Return whether a connection lost at this time may be the fault of an outage or of its cause."""
    return SiteHeartbeat.objects.filter(resumed_at__gte=lost_at - REST).exists()


def _is_late(at: datetime | None, now: datetime) -> bool:
    """Return whether a role is late. A role that no process ever had is not."""
    return at is not None and now - at > LATE


def _move_deadlines(*, since: datetime, resumed: datetime, now: datetime) -> None:
    """Move the deadlines of people by the time that did not count, and leave at least ``GRACE`` until each.

    A turn that began after ``since`` (in the second before a crash, or while no clock ran) starts again. Connections
    lost since then count as lost from ``resumed`` on.
    """
    waiting, by = Match.objects.filter(due_kind__in=OF_PEOPLE), resumed - since
    later = waiting.filter(turn_started_at__gt=since)
    number = later.update(due_at=_later("due_at", resumed - F("turn_started_at")), turn_started_at=resumed)
    before = waiting.filter(Q(turn_started_at=None) | Q(turn_started_at__lte=since))
    number += before.update(due_at=_later("due_at", by), turn_started_at=_later("turn_started_at", by))
    until = now + GRACE
    waiting.filter(due_at__lt=until).update(
        due_at=until, turn_started_at=_later("turn_started_at", until - F("due_at"))
    )
    people = Seat.objects.filter(match__status__in=Match.UNFINISHED, user__isnull=False)
    people.update(last_seen=_later("last_seen", by))
    people.filter(left_at__gte=since).update(left_at=resumed)
    people.filter(left_at__lt=since).update(left_at=_later("left_at", by))
    waiting.update(revision=F("revision") + 1)
    announcements.announce(announcements.match_announcements(waiting.values_list("slug", "revision")))
    log.info("time_stood_still", seconds=round((now - since).total_seconds(), 1), deadlines_moved=number)


def _later(name: str, by: timedelta | Combinable) -> Combinable:
    return ExpressionWrapper(F(name) + by, DateTimeField())
