"""Taking the result of a match back, as a whole or only what it did to ratings, and undoing that.

The record stays as it is. What a reversal replaces is kept in the row of the match; changes of ratings and lines of
conduct stay in their tables and no longer count. Each function works in the caller's transaction, in which the match
is locked, and returns the ratings that are now those of the people whom the match had rated, by their ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from games.broadcast import announcements
from games.conduct import ledger
from games.enums import NoPoints
from games.models import Match, RatingChange, Seat
from games.ratings import changes
from games.ratings.skill import Skill
from games.services import results

VOID, RATINGS = "void", "ratings"
Ratings = dict[int, int]


def make_void(match: Match) -> Ratings:
    """Make a match that is over count for nothing."""
    seats = _seats(match)
    _keep(match, VOID, {"status": match.status, "seats": [[s.points_gain, s.outcome, s.listed] for s in seats]})
    gone = _take(match)
    ledger.take_back(match.pk)
    match.seats.update(points_gain=None, outcome="", listed=False)
    _write(match, status=Match.Status.VOID)
    return _now(match, gone)


def undo_void(match: Match) -> Ratings:
    """Let a match count as before it was declared void."""
    before = match.reversals.pop(VOID)
    for seat, (gain, outcome, listed) in zip(_seats(match), before["seats"], strict=True):
        Seat.objects.filter(pk=seat.pk).update(points_gain=gain, outcome=outcome, listed=listed)
    ledger.give_back(match.pk)
    back = [] if RATINGS in match.reversals else _give(match)
    _write(match, status=before["status"], void_reason="")
    return _now(match, back)


def take_ratings_back(match: Match) -> Ratings:
    """Take back what a match did to ratings and rating points; its result stays."""
    seats = _seats(match)
    _keep(match, RATINGS, {"no_points": match.no_points, "gains": [seat.points_gain for seat in seats]})
    gone = _take(match)
    match.seats.update(points_gain=None)
    _write(match, no_points=NoPoints.TAKEN)
    return _now(match, gone)


def undo_ratings(match: Match) -> Ratings:
    """Let a match change ratings and rating points again as it had."""
    before = match.reversals.pop(RATINGS)
    for seat, gain in zip(_seats(match), before["gains"], strict=True):
        Seat.objects.filter(pk=seat.pk).update(points_gain=gain)
    back = _give(match)
    _write(match, no_points=before["no_points"])
    return _now(match, back)


def _seats(match: Match) -> Sequence[Seat]:
    return list(match.seats.order_by("index"))


def _keep(match: Match, what: str, before: dict[str, Any]) -> None:
    match.reversals = match.reversals | {what: before}


def _write(match: Match, **columns: Any) -> None:
    Match.objects.filter(pk=match.pk).update(reversals=match.reversals, **columns)
    announcements.touch(match.pk)
    announcements.touch_lobby()


def _take(match: Match) -> list[RatingChange]:
    if not match.rated:
        return []
    results.collect(match.pk, match.variant, sign=-1)
    return changes.take_back(match.pk)


def _give(match: Match) -> list[RatingChange]:
    if not match.rated:
        return []
    results.collect(match.pk, match.variant, sign=1)
    return changes.give_back(match.pk)


def _now(match: Match, rows: Iterable[RatingChange]) -> Ratings:
    people = [row.user_id for row in rows if row.user_id]
    now = changes.current(match.variant, people)
    return {person: now.get(person, Skill()).shown for person in people}
