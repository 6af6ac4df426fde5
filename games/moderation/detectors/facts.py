"""Reads the values that detectors measure, from the record of a match and the rows about its people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from math import hypot

from django.core.cache import cache
from django.db.models import F

from accounts.models import User
from games.engine.events import Drew, Event, Played, SeatForfeited, SeatHeld, SeatReturned
from games.enums import DAILY_CLOCKS, Clock, ConductKind
from games.match.time_control import TIME_CONTROLS
from games.models import ConductMark, RatingChange, Seat
from games.moderation.detectors.farming import Meeting, Skills
from games.moderation.detectors.floods import WEEK
from games.moderation.detectors.stalling import Turn
from games.ratings import disclosed_ratings

RecordRow = tuple[int, Event, datetime]  # an event of the record: number, event, time
CHOSEN_MOVES = (Played, Drew)  # most passes are forced, and the clock makes them
ABSENCE_EVENTS = (SeatHeld, SeatReturned, SeatForfeited)
UNHURRIED_CLOCKS = (*DAILY_CLOCKS, Clock.NONE)  # clocks with which nobody waits at the table
MINUTE = timedelta(minutes=1)
CACHE_SECONDS = 3600


def load_turns(record: Sequence[RecordRow], clock: str) -> Iterator[Turn]:
    """Yield how long players took for the moves that they made themselves; nothing for unhurried clocks."""
    if clock in UNHURRIED_CLOCKS:
        return
    free_seconds = TIME_CONTROLS[clock].move_ms / 1000
    for (_seq, before, began), (_next, event, at) in pairwise(record):
        if isinstance(event, CHOSEN_MOVES) and not event.by and not isinstance(before, ABSENCE_EVENTS):
            yield Turn(event.seat, (at - began).total_seconds() / free_seconds)


def load_meetings(winner: RatingChange, loser: RatingChange) -> tuple[list[Meeting], Skills]:
    """Return the rated matches of two people in the week up to one of them, and their skills before that week."""
    since = winner.at - WEEK
    rows = RatingChange.objects.filter(variant=winner.variant, at__gt=since, at__lte=winner.at)
    losers = {row.match_id: row for row in rows.filter(user=loser.user_id)}
    winners = [row for row in rows.filter(user=winner.user_id).order_by("pk") if row.match_id in losers]
    pairs = [(row, losers[row.match_id]) for row in winners if row.side != losers[row.match_id].side]
    short = _short_matches(loser.user_id or 0, [row.match_id for row, _other in pairs])
    meetings = [Meeting(row.place < loser_row.place, row.match_id in short) for row, loser_row in pairs]
    first_winner, first_loser = pairs[0]
    return meetings, Skills(
        first_winner.mu_before - first_loser.mu_before, hypot(first_winner.sigma_before, first_loser.sigma_before)
    )


def _short_matches(user_id: int, match_ids: Sequence[int]) -> set[int]:
    """Return the matches among these that the person left or that were over within a minute."""
    seats = Seat.objects.filter(match__in=match_ids, user=user_id)
    rows = seats.values_list("match", "outcome", F("match__started_at"), F("match__finished_at"))
    return {match for match, outcome, began, ended in rows if outcome == Seat.Outcome.LEFT or ended - began < MINUTE}


def load_floods(match_id: int) -> dict[int, list[datetime]]:
    """Return the times of all floods, here and elsewhere, of the people who flooded the chats of a match."""
    floods = ConductMark.objects.filter(kind=ConductKind.FLOOD)
    people = floods.filter(match=match_id).values("user")
    times: dict[int, list[datetime]] = {}
    for user_id, at in floods.filter(user__in=people).values_list("user", "at"):
        times.setdefault(user_id, []).append(at)
    return times


def load_names(user_ids: Iterable[int]) -> dict[int, str]:
    return dict(User.objects.filter(pk__in=list(user_ids)).values_list("pk", "name"))


def well_known_names(variant: str) -> dict[int, str]:
    """Return the names of the staff and of the leaders of a game, cached for an hour."""
    return cache.get_or_set(f"well-known-{variant}", lambda: _load_well_known_names(variant), CACHE_SECONDS) or {}


def load_staff_ids() -> frozenset[int]:
    return frozenset(User.objects.filter(is_staff=True).values_list("pk", flat=True))


def _load_well_known_names(variant: str) -> dict[int, str]:
    return load_names([*load_staff_ids(), *(row.user_id or 0 for row in disclosed_ratings.leaders(variant))])
