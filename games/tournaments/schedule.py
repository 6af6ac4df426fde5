"""The tournaments of the site: an arena every hour, and in the evening a Swiss on Saturday, a duplicate on Sunday.

The games take turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from django.conf import settings

from games.enums import TournamentFormat
from games.models import Tournament
from games.site_switches import current_switches
from games.terms.presets import usual_terms
from games.tournaments.announcing import BOARD_COUNTS, Announcement, announce
from games.words import offered_variants

HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(days=7)
ARENA_MINUTES = 30
SATURDAY, SUNDAY = 5, 6
EVENING_HOUR = 18
BOARDS = max(BOARD_COUNTS)
EPOCH = datetime(2026, 1, 3, tzinfo=UTC)  # a Saturday


def announce_due_tournaments(*, now: datetime) -> int:
    """Announce the arenas of the next day and the tournaments of the next week. Return how many were missing.

    While operators let no match start, nothing is announced.
    """
    if not settings.SCHEDULED_TOURNAMENTS or current_switches().matches_paused:
        return 0
    plans = dict(planned_tournaments(now))
    announced = set(Tournament.objects.filter(plan__in=plans).values_list("plan", flat=True))
    return sum(_announce(plan, announcement, now) for plan, announcement in plans.items() if plan not in announced)


def planned_tournaments(now: datetime) -> Iterator[tuple[str, Announcement]]:
    """Yield the key and the terms of each tournament that the schedule has in the next time."""
    hour = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    for number in range(1, DAY // HOUR + 1):
        starts_at = hour + number * HOUR
        yield _plan(TournamentFormat.ARENA, starts_at, (starts_at - EPOCH) // HOUR, minutes=ARENA_MINUTES)
    midnight = hour.replace(hour=0)
    for number in range(WEEK // DAY + 1):
        starts_at = midnight + number * DAY + EVENING_HOUR * HOUR
        if not now < starts_at <= now + WEEK:
            continue
        week = (starts_at - EPOCH) // WEEK
        if starts_at.weekday() == SATURDAY:
            yield _plan(TournamentFormat.SWISS, starts_at, week)
        elif starts_at.weekday() == SUNDAY:  # another game than the day before
            yield _plan(TournamentFormat.DUPLICATE, starts_at, week + 1, rounds=BOARDS)


def _plan(
    kind: TournamentFormat, starts_at: datetime, number: int, *, minutes: int = 0, rounds: int = 0
) -> tuple[str, Announcement]:
    """Return the tournament with this number: the games take turns."""
    variants = list(offered_variants())
    terms = usual_terms(offered_variants()[variants[number % len(variants)]])
    announcement = Announcement(
        kind,
        terms.variant,
        terms.seats,
        starts_at,
        terms.options,
        terms.clock,
        minutes=minutes,
        rounds=rounds,
    )
    return f"{kind} {starts_at:%Y-%m-%d %H:%M}", announcement


def _announce(plan: str, announcement: Announcement, now: datetime) -> bool:
    """Return False if another process was quicker."""
    try:
        announce(announcement, now=now, plan=plan)
    except Tournament.DoesNotExist:
        return False
    return True
