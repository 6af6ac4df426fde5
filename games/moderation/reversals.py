"""Reverses the result of a match, entirely or only its rating changes, and undoes that.

The record stays as it is. The row of the match stores the replaced values; rating changes and lines of conduct stay in
their tables but no longer count. Each function works in the caller's transaction, in which the match is locked, and
returns the current ratings of the people whom the match had rated, by id.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from games.broadcast import announcements
from games.conduct import ledger
from games.enums import NoPointsReason
from games.models import Match, RatingChange, Seat, TournamentTable
from games.ratings import changes
from games.ratings.skill import Skill
from games.services import results

VOID_KEY, RATINGS_KEY = "void", "ratings"
CurrentRatings = dict[int, int]


def make_void(match: Match) -> CurrentRatings:
    """Make a finished match void."""
    before = {
        "status": match.status,
        "seats": [[s.points_gain, s.outcome, s.listed] for s in _seats_in_index_order(match)],
    }
    match.reversals = match.reversals | {VOID_KEY: before}
    rows = _apply_rating_changes(match, sign=-1)
    ledger.exclude_match_marks(match.pk)
    _recount_in_tournament(match)
    match.seats.update(points_gain=None, outcome="", listed=False)
    _save_match(match, status=Match.Status.VOID)
    return _current_ratings(match, rows)


def undo_void(match: Match) -> CurrentRatings:
    """Make a match count as before it was declared void."""
    before = match.reversals.pop(VOID_KEY)
    for seat, (gain, outcome, was_listed) in zip(_seats_in_index_order(match), before["seats"], strict=True):
        Seat.objects.filter(pk=seat.pk).update(points_gain=gain, outcome=outcome, listed=was_listed)
    ledger.include_match_marks(match.pk)
    _recount_in_tournament(match)
    rows = [] if RATINGS_KEY in match.reversals else _apply_rating_changes(match, sign=1)
    _save_match(match, status=before["status"], void_reason="")
    return _current_ratings(match, rows)


def take_ratings_back(match: Match) -> CurrentRatings:
    """Take back the changes of ratings and rating points; the result stays."""
    before = {"no_points": match.no_points, "gains": [seat.points_gain for seat in _seats_in_index_order(match)]}
    match.reversals = match.reversals | {RATINGS_KEY: before}
    rows = _apply_rating_changes(match, sign=-1)
    match.seats.update(points_gain=None)
    _save_match(match, no_points=NoPointsReason.TAKEN_BACK)
    return _current_ratings(match, rows)


def restore_ratings(match: Match) -> CurrentRatings:
    """Restore the changes of ratings and rating points."""
    before = match.reversals.pop(RATINGS_KEY)
    for seat, gain in zip(_seats_in_index_order(match), before["gains"], strict=True):
        Seat.objects.filter(pk=seat.pk).update(points_gain=gain)
    rows = _apply_rating_changes(match, sign=1)
    _save_match(match, no_points=before["no_points"])
    return _current_ratings(match, rows)


def _seats_in_index_order(match: Match) -> Sequence[Seat]:
    return list(match.seats.order_by("index"))


def _recount_in_tournament(match: Match) -> None:
    """Have the clock change the result of a table that a tournament has counted."""
    TournamentTable.objects.filter(match=match, stage=TournamentTable.Stage.OVER).update(recounts=True)


def _save_match(match: Match, **columns: Any) -> None:
    Match.objects.filter(pk=match.pk).update(reversals=match.reversals, **columns)
    announcements.touch_table(match.pk)
    announcements.touch_lobby()


def _apply_rating_changes(match: Match, *, sign: int) -> list[RatingChange]:
    """Take back (-1) or restore (1) what a match did to ratings. Return the changed rows."""
    if not match.rated:
        return []
    results.add_rating_points(match.pk, match.variant, sign=sign)
    return changes.exclude_match(match.pk) if sign < 0 else changes.reinclude_match(match.pk)


def _current_ratings(match: Match, rows: Iterable[RatingChange]) -> CurrentRatings:
    people = [row.user_id for row in rows if row.user_id]
    current = changes.current_ratings(match.variant, people)
    return {person: current.get(person, Skill()).rating for person in people}
