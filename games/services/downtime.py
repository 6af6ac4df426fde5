"""Outages: all clocks stop while nobody could play because the site was down or suspended.

Processes that serve pages and processes that run the clock write a heartbeat once a second; one process can do both.
Time counts while there is one of each. The first process that notices an outage moves all deadlines by its length and
by ``RECONNECT_GRACE``, in which pages reconnect. A restart of the only process that serves pages is an outage, however
quick, and so is the loss of many sockets at once.
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
from games.enums import DAILY_CLOCKS
from games.match.match_rows import with_time_zone
from games.match.moments import MILLISECOND
from games.models import BoardDay, Match, Seat, SiteHeartbeat, Tournament

log = structlog.get_logger()
Role = Literal["web", "clock"]
ROLES: tuple[Role, ...] = ("web", "clock")
LATE_AFTER = timedelta(seconds=3)  # a role without a heartbeat for this long is late
# If nobody has served for this long when a process starts, its pages have lost their connections.
MIN_RESTART_GAP = timedelta(seconds=1.5)
RECONNECT_GRACE = timedelta(seconds=20)  # the time for pages to reconnect after an outage
# While clocks are stopped, the turns of people begin at least this far ahead.
MIN_STOP_AHEAD = timedelta(seconds=10)
# A loss of many sockets within this time of an outage is not another one: dropping sockets must not stop all clocks.
LOSS_COOLDOWN = timedelta(seconds=60)
# Due events that happen because a person has not acted.
DUE_KINDS_OF_PEOPLE = (Match.Due.TIMEOUT, Match.Due.HOLD, Match.Due.ABANDON, Match.Due.COMMIT, Match.Due.REVEAL)
DAILY = Q(clock__in=DAILY_CLOCKS)
ONLY_ROW = 1  # the key with which processes that start together on a new database create the same row
SELECT_COUNTED_TIME = "SELECT counted_until, resumed_at FROM games_pulse"


@dataclass(frozen=True, slots=True)
class CountedTime:
    """How much of the time until now counts."""

    now: datetime
    counted_until: datetime
    resumed_at: datetime  # when the turns of people begin or continue


def write_heartbeat(
    roles: Collection[Role],
    *,
    now: datetime,
    is_startup: bool = False,
    lost_since: datetime | None = None,
    clocks_stopped: bool = False,
) -> bool:
    """Write the heartbeat of a process with these roles. Return whether time counts.

    ``is_startup`` is True for its first one. ``lost_since`` is when it began to lose many sockets. While an operator
    has stopped all clocks, the turns of people begin again and again in a few seconds, as after an outage. Those of
    daily matches, which can be thousands, are moved once, when the clocks start again.
    """
    with transaction.atomic():
        heartbeat, created = SiteHeartbeat.objects.select_for_update(no_key=True).get_or_create(
            defaults={"pk": ONLY_ROW, "counted_until": now, "resumed_at": now}
        )
        _correct_future_times(heartbeat, now)
        web_starts = is_startup and "web" in roles
        since = now if created else _outage_start(heartbeat, now, web_starts=web_starts, lost_since=lost_since)
        for role in roles:
            setattr(heartbeat, f"{role}_at", now)
        counts = not any(_is_late(getattr(heartbeat, f"{role}_at"), now) for role in ROLES)
        if since is None and clocks_stopped and heartbeat.resumed_at - now < MIN_STOP_AHEAD:
            since = max(now, heartbeat.resumed_at)
        if counts:
            if since is not None:
                heartbeat.resumed_at = now if created else now + RECONNECT_GRACE
                moved = ~DAILY if heartbeat.daily_stopped_at is not None else Q()
                _move_deadlines(moved, since=since, resumed_at=heartbeat.resumed_at, now=now)
                _delay_tournaments(heartbeat.resumed_at - since, now)
            _stop_or_start_daily_clocks(heartbeat, now, stopped=clocks_stopped)
            heartbeat.counted_until = now
        heartbeat.save()
    return counts


def _stop_or_start_daily_clocks(heartbeat: SiteHeartbeat, now: datetime, *, stopped: bool) -> None:
    """Store when the clocks of daily matches stopped, or start them again.

    Meanwhile none of their deadlines is enforced (``due_events``).
    """
    if stopped and heartbeat.daily_stopped_at is None:
        heartbeat.daily_stopped_at = max(now, heartbeat.resumed_at)
    elif not stopped and heartbeat.daily_stopped_at is not None:
        resumed_at = max(now, heartbeat.resumed_at)
        _move_deadlines(DAILY, since=heartbeat.daily_stopped_at, resumed_at=resumed_at, now=now)
        heartbeat.daily_stopped_at = None


def _correct_future_times(heartbeat: SiteHeartbeat, now: datetime) -> None:
    """Correct times in the future: the system's clock was set back after they were written."""
    heartbeat.resumed_at = min(heartbeat.resumed_at, now + RECONNECT_GRACE)
    heartbeat.counted_until = min(heartbeat.counted_until, now)
    for role in ROLES:
        if (at := getattr(heartbeat, f"{role}_at")) is not None:
            setattr(heartbeat, f"{role}_at", min(at, now))


def _outage_start(
    heartbeat: SiteHeartbeat, now: datetime, *, web_starts: bool, lost_since: datetime | None
) -> datetime | None:
    """Return when an outage began, None if there was none. ``web_starts``: a process that serves pages is starting."""
    counted_until, served_at = heartbeat.counted_until, heartbeat.web_at
    if web_starts and served_at is not None and now - served_at > MIN_RESTART_GAP:
        return min(counted_until, served_at)
    if now - counted_until > LATE_AFTER:
        return counted_until
    if lost_since is not None and lost_since > heartbeat.resumed_at + LOSS_COOLDOWN:
        return min(counted_until, lost_since)
    return None


def counted_time(now: datetime) -> CountedTime:
    """Return how much of the time until now counts. Every move calls this, so it uses plain SQL."""
    with connection.cursor() as cursor:
        cursor.execute(SELECT_COUNTED_TIME)
        row = cursor.fetchone()
    if row is None:
        return CountedTime(now, now, now)
    counted_until, resumed_at = with_time_zone(row[0]), with_time_zone(row[1])
    return CountedTime(now, counted_until if now - counted_until > LATE_AFTER else now, max(now, resumed_at))


def may_explain_lost_connection(lost_at: datetime) -> bool:
    """Return whether a connection lost at this time may be the fault of an outage or of its cause."""
    return SiteHeartbeat.objects.filter(resumed_at__gte=lost_at - LOSS_COOLDOWN).exists()


def _is_late(at: datetime | None, now: datetime) -> bool:
    """Return whether a role is late. A role that no process ever had is not."""
    return at is not None and now - at > LATE_AFTER


def _move_deadlines(moved_matches: Q, *, since: datetime, resumed_at: datetime, now: datetime) -> None:
    """Move the deadlines of people in some matches by the time that did not count.

    It leaves at least ``RECONNECT_GRACE`` until each.
    A turn that began after ``since`` (in the second before a crash, or while no clock ran) starts again. Connections
    lost since then count as lost from ``resumed_at`` on.
    """
    matches, shift = Match.objects.filter(moved_matches, status__in=Match.UNFINISHED), resumed_at - since
    if not matches.exists():
        return
    waiting_matches = matches.filter(due_kind__in=DUE_KINDS_OF_PEOPLE)
    newer_turns = waiting_matches.filter(turn_started_at__gt=since)
    moved = newer_turns.update(due_at=_shift("due_at", resumed_at - F("turn_started_at")), turn_started_at=resumed_at)
    older_turns = waiting_matches.filter(Q(turn_started_at=None) | Q(turn_started_at__lte=since))
    moved += older_turns.update(due_at=_shift("due_at", shift), turn_started_at=_shift("turn_started_at", shift))
    earliest = now + RECONNECT_GRACE
    waiting_matches.filter(due_at__lt=earliest).update(
        due_at=earliest, turn_started_at=_shift("turn_started_at", earliest - F("due_at"))
    )
    people = Seat.objects.filter(match__in=matches, user__isnull=False)
    people.filter(last_seen__gt=since).update(last_seen=resumed_at)
    people.filter(last_seen__lte=since).update(last_seen=_shift("last_seen", shift))
    people.filter(left_at__gte=since).update(left_at=resumed_at)
    people.filter(left_at__lt=since).update(left_at=_shift("left_at", shift))
    open_days = BoardDay.objects.filter(opened_at__isnull=False, closed_at=None)
    close_at = resumed_at + BoardDay.CLOSE_GRACE
    open_days.filter(due_at__lt=close_at).update(due_at=close_at)
    waiting_matches.update(revision=F("revision") + 1)
    announcements.announce(announcements.match_announcements(waiting_matches.values_list("slug", "revision")))
    log.info("time_stood_still", seconds=round(max(0.0, (now - since).total_seconds()), 1), deadlines_moved=moved)


def _delay_tournaments(shift: timedelta, now: datetime) -> None:
    """Give tables the time that did not count. Nothing is due before pages have reconnected."""
    running_tournaments = Tournament.objects.filter(stage=Tournament.Stage.RUNNING)
    running_tournaments.update(lost_ms=F("lost_ms") + round(shift / MILLISECOND))
    earliest = now + RECONNECT_GRACE
    Tournament.objects.filter(due_at__lt=earliest).update(due_at=earliest)


def _shift(column: str, by: timedelta | Combinable) -> Combinable:
    return ExpressionWrapper(F(column) + by, DateTimeField())
