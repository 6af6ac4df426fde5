"""The matches of a month, and what the files contain of each. Names, chat and addresses are never read.

A match belongs to the month in which everybody could see its end: that of a delayed match, or of a daily board, comes
later. So each is in the files of one month, and none is there early.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.match import disclosure, record
from games.match_reports.report import Choice
from games.match_reports.reports import reports_of
from games.models import BoardDay, Match, RatingChange, Seat
from games.open_data.codes import MonthCodes
from games.open_data.source import DAILY_BOARD, RATED, SourceMatch
from games.ratings.skill import RATING_PER_MU, Skill
from games.services.board_days import sources_of
from games.tournaments.core.daily import day_of_set
from games.words.names import DELETED_NAME

BATCH_SIZE = 5  # matches read at once, while moves wait
ONE_DAY = timedelta(days=1)
MATCH_FIELDS = ("variant", "seat_count", "clock", "absence", "finished_at", "source", "board")


def first_of_month(day: date) -> date:
    return day.replace(day=1)


def next_month(month: date) -> date:
    return first_of_month(first_of_month(month) + 32 * ONE_DAY)


def batches_of_month(month: date, codes: MonthCodes) -> Iterator[list[int]]:
    """Yield the ids of the month's matches in batches: day by day, and in the order of their codes within a day."""
    day = month
    while day < next_month(month):
        begin = datetime.combine(day, time(), UTC)
        ids = sorted(_matches_disclosed(begin, begin + ONE_DAY).values_list("pk", flat=True), key=codes.match)
        rest = iter(ids)
        while batch := list(islice(rest, BATCH_SIZE)):
            yield batch
        day += ONE_DAY


def _matches_disclosed(begin: datetime, end: datetime) -> QuerySet[Match]:
    """Return the finished matches for the files whose end became public in this span of time."""
    seats = Seat.objects.filter(match=OuterRef("pk"))
    has_bots = Exists(seats.filter(user=None).exclude(name=DELETED_NAME)) | Exists(
        seats.filter(user__bot_owner__isnull=False)
    )
    is_rated = Q(~has_bots, rated=True, visibility=Match.Visibility.PUBLIC)
    is_closed_board = Q(source__in=_closed_sources(begin, end))
    disclosed = disclosure.disclosed_between(begin, end)
    matches = Match.objects.filter(disclosed, is_rated | is_closed_board, status=Match.Status.FINISHED)
    return matches.exclude(Exists(seats.filter(user__in_open_data=False)))


def _closed_sources(begin: datetime, end: datetime) -> list[str]:
    """Return the sets of daily boards that became public in this span, if their days are closed.

    The boards of a day become public one after another, so its close can be a little outside of the span.
    """
    days = BoardDay.objects.filter(closed_at__gte=begin - ONE_DAY, closed_at__lt=end + ONE_DAY)
    return [name for day in days.defer("levels", "nonces", "ranked") for name in sources_of(day)]


def load_matches(match_ids: Sequence[int], codes: MonthCodes) -> list[SourceMatch]:
    """Read matches in this order, without those that were deleted meanwhile."""
    matches = Match.objects.only(*MATCH_FIELDS).in_bulk(match_ids)
    reports = reports_of(match_ids)
    return [
        _load_match(matches[pk], codes, reports[pk].choices if pk in reports else ())
        for pk in match_ids
        if pk in matches
    ]


def _load_match(match: Match, codes: MonthCodes, choices: Sequence[Choice]) -> SourceMatch:
    daily = day_of_set(match.source)
    about: dict[str, Any] = {
        "day": daily[1] if daily else str(match.finished_at and match.finished_at.date()),
        "kind": DAILY_BOARD if daily else RATED,
        "clock": match.clock,
        "absence": match.absence,
    }
    if daily:
        about |= {"set": codes.board_set(match.source), "board": match.board}
    seats = match.seats.order_by("index").values_list("user_id", "bot", "name")
    return SourceMatch(
        match.pk,
        match.variant,
        codes.match(match.pk),
        about,
        [_player_data(match.source if daily else "", *seat, codes) for seat in seats],
        _ratings_before(match),
        [(seq, event) for seq, event, _at in record.read_events(match.pk)],
        tuple(choice._replace(facts=()) for choice in choices),
    )


def _player_data(source: str, user_id: int | None, bot: str, name: str, codes: MonthCodes) -> dict[str, str]:
    """Return a person's code, "" for a deleted account, or the level of a bot."""
    if user_id is None:
        return {"name": ""} if name == DELETED_NAME else {"name": "", "bot": bot}
    return {"name": codes.person_of_set(source, user_id) if source else codes.person(user_id)}


def _ratings_before(match: Match) -> list[dict[str, int] | None]:
    """Return the rating of each seat before the match, None if the match did not change it."""
    changes = {change.seat: change for change in RatingChange.objects.filter(match=match)}
    return [_rating_data(changes.get(seat)) for seat in range(match.seat_count)]


def _rating_data(change: RatingChange | None) -> dict[str, int] | None:
    if change is None:
        return None
    rating = Skill(change.mu_before, change.sigma_before).rating
    return {"rating": rating, "deviation": round(RATING_PER_MU * change.sigma_before)}
