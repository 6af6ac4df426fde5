"""The tournaments of the site: an arena every hour, the games in turn, and a Swiss on Saturday evening."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from django.conf import settings

from games.enums import TournamentFormat
from games.models import Tournament
from games.site_switches import current_switches
from games.terms.presets import usual_terms
from games.tournaments.announcing import Announcement, announce
from games.words import offered_variants

HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(days=7)
ARENA_MINUTES = 30
SATURDAY, SWISS_HOUR = 5, 18
EPOCH = datetime(2026, 1, 3, tzinfo=UTC)  # a Saturday


def announce_due_tournaments(*, now: datetime) -> int:
    """Announce what the schedule has for the next day, the Swiss a week before. Return how many were missing.

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
        starts_at = midnight + number * DAY + SWISS_HOUR * HOUR
        if starts_at.weekday() == SATURDAY and now < starts_at <= now + WEEK:
            yield _plan(TournamentFormat.SWISS, starts_at, (starts_at - EPOCH) // WEEK)


def _plan(kind: TournamentFormat, starts_at: datetime, number: int, *, minutes: int = 0) -> tuple[str, Announcement]:
    """Return the tournament with this number: the games take turns."""
    variants = list(offered_variants())
    terms = usual_terms(offered_variants()[variants[number % len(variants)]])
    announcement = Announcement(
        kind, terms.variant, terms.seats, starts_at, terms.options, terms.clock, minutes=minutes
    )
    return f"{kind} {starts_at:%Y-%m-%d %H:%M}", announcement


def _announce(plan: str, announcement: Announcement, now: datetime) -> bool:
    """Return False if another process was quicker."""
    try:
        announce(announcement, now=now, plan=plan)
    except Tournament.DoesNotExist:
        return False
    return True
