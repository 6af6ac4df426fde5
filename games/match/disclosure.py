"""When a match is disclosed: with a delay, spectators see it later than the players.

This module alone compares that time with the clock. Pages, lists and records use ``access.may_know_current_state`` and
its neighbours, sockets ``delayed.sees_delayed``; all of them call it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Protocol

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.match import record
from games.match.table import NOT_BEFORE_CLOSE
from games.models import Match, RatingChange

DELAY_SECONDS: dict[str, float] = {Match.Delay.SHORT: 30.0, Match.Delay.LONG: 120.0}


class DisclosableMatch(Protocol):
    """A match as a row or as a table. ``public_at`` is when the end is disclosed, None before the end."""

    @property
    def has_delay(self) -> bool: ...

    @property
    def version(self) -> int: ...

    @property
    def public_at(self) -> datetime | None: ...


def are_all_events_public(match: DisclosableMatch, now: datetime) -> bool:
    """Return whether all events of the match so far are disclosed to spectators."""
    if match.public_at is None:
        return not (match.has_delay and match.version)
    return match.public_at <= now


def is_open_board(match: Match, now: datetime) -> bool:
    """Return whether others still play the deal of this match, so that only its player may see it."""
    return match.delay == Match.Delay.BOARD and not are_all_events_public(match, now)


def open_board_ids() -> QuerySet[Match, Any]:
    """Return the keys of finished boards that are open."""
    return Match.objects.filter(undisclosed_matches(), delay=Match.Delay.BOARD).values("pk")


def disclosed_matches() -> Q:
    """Return the finished matches whose end is disclosed."""
    return Q(public_at__isnull=True) | Q(public_at__lte=timezone.now())


def undisclosed_matches() -> Q:
    """Return the finished matches that spectators still see running."""
    return Q(public_at__gt=timezone.now())


def ended_or_disclosed_after(time: datetime) -> Q:
    """Return the matches that ended, or whose end is disclosed, after this time."""
    return Q(finished_at__gt=time) | Q(public_at__gt=time)


def disclosed_between(begin: datetime, end: datetime) -> Q:
    """Return the finished matches whose end was disclosed in this span of time."""
    at_once = Q(public_at=None, finished_at__gte=begin, finished_at__lt=end)
    return at_once | Q(public_at__gte=begin, public_at__lt=end)


def undisclosed_match_ids() -> QuerySet[Match, Any]:
    """Return the keys of those matches; there are never many."""
    return Match.objects.filter(undisclosed_matches()).values("pk")


def disclosed_rating_changes() -> QuerySet[RatingChange]:
    """Return the changes that precede their person's first change in the game by a match that is not public yet."""
    undisclosed_changes = RatingChange.objects.filter(
        user=OuterRef("user"), variant=OuterRef("variant"), match__in=undisclosed_match_ids(), pk__lte=OuterRef("pk")
    )
    return RatingChange.objects.filter(~Exists(undisclosed_changes), user__isnull=False)


def end_disclosed_at(match_id: int, delay: str, now: datetime) -> datetime | None:
    """Return when the end of a match that ends now is disclosed, None for at once."""
    if delay == Match.Delay.NONE:
        return None
    if delay == Match.Delay.BOARD:
        return NOT_BEFORE_CLOSE
    if delay in DELAY_SECONDS:
        return now + timedelta(seconds=DELAY_SECONDS[delay])
    return now + (now - record.last_deals(match_id, 1)[0])
