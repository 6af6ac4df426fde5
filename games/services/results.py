"""The result of a match: places and rating points, and undoing them when a match is declared void."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F

from accounts.models import Rating
from accounts.names import search_key
from games.access import is_listed
from games.broadcast import announcements
from games.engine.events import MatchEnded
from games.engine.notation import standing_to_json
from games.engine.variants import rules_for
from games.enums import NoPoints
from games.match import disclosure, points, record
from games.match.match_rows import MatchRow
from games.models import Match, Seat

STATUS = {"stopped": Match.Status.STOPPED, "void": Match.Status.VOID}
"""The status of a match that was ended from outside; any other match is finished."""
WRITTEN_AT_THE_END = ("place", "rating_gain", "address", "outcome", "finished_at", "variant", "listed", "name_key")


def settle(row: MatchRow, ended: MatchEnded, now: datetime) -> None:
    """Write places, rating points and what the history reads, in the transaction that ends the match.

    The record holds the end already.
    """
    match = Match.objects.only("visibility", "delay", "options").get(pk=row.match_id)
    seats = list(match.seats.select_related("user").order_by("index"))
    withheld = _withheld(row, ended, match, seats, now)
    _end_match(match, ended, withheld.reason, now)
    for seat in seats:
        gains = (
            row.rated and ended.rating and seat.index not in withheld.without and seat.state != Seat.State.FORFEITED
        )
        seat.rating_gain = ended.rating[seat.index].total if gains else None
        _end_seat(seat, match, row.variant, ended, now)
    if row.rated and ended.places:
        _collect(row.match_id, row.variant, sign=1)


def _end_match(match: Match, ended: MatchEnded, no_points: NoPoints, now: datetime) -> None:
    match.no_points = no_points
    match.status, match.finished_at = STATUS.get(ended.reason, Match.Status.FINISHED), now
    match.shown_at = match.due_at = disclosure.public_at(match.pk, match.delay, now)
    match.due_kind = Match.Due.SHOWN if match.due_at else Match.Due.NOTHING
    if standings := record.standings([match.pk]):
        match.standing = standing_to_json(standings[match.pk])
    match.save(update_fields=["status", "finished_at", "shown_at", "due_at", "due_kind", "standing", "no_points"])


def _end_seat(seat: Seat, match: Match, variant: str, ended: MatchEnded, now: datetime) -> None:
    seat.place = ended.places[seat.index] if ended.places else None
    seat.address = ""
    seat.outcome, seat.finished_at, seat.variant = outcome(ended, seat), now, variant
    seat.listed, seat.name_key = is_listed(match), search_key(seat.name) if seat.user_id else ""
    seat.save(update_fields=WRITTEN_AT_THE_END)


def _withheld(row: MatchRow, ended: MatchEnded, match: Match, seats: Sequence[Seat], now: datetime) -> points.Ruling:
    if not (row.rated and ended.rating):
        return points.Ruling(frozenset(), Match.NoPoints.NONE)
    sides = rules_for(row.variant).sides(len(seats), match.options)
    return points.at_the_end(seats, record.events(match.pk), sides, now)


def outcome(ended: MatchEnded, seat: Seat) -> str:
    """Return the outcome of a match for a seat. If it names losers, all others won; otherwise the first place did.

    A person for whom a bot played at the end has left. What is void was nothing for anybody.
    """
    if ended.reason in STATUS:
        return Seat.Outcome.STOPPED if ended.reason == "stopped" else ""
    if seat.index == ended.seat or (seat.user_id and seat.bot):
        return Seat.Outcome.LEFT
    lost = seat.index in ended.losers if ended.losers else ended.places[seat.index] > 1
    return Seat.Outcome.LOST if lost else Seat.Outcome.WON


@transaction.atomic
def take_back(match: Match) -> None:
    """Make a finished match void and take its rating points back. The record stays as it is."""
    if match.rated:
        _collect(match.pk, match.variant, sign=-1)
    match.seats.update(rating_gain=None, outcome="", listed=False)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.VOID)
    announcements.touch(match.pk)
    announcements.touch_lobby()


def _collect(match_id: int, variant: str, *, sign: int) -> None:
    """Add the gains of a match to the ratings, in the order of users so that two matches cannot deadlock."""
    seats = Seat.objects.filter(match_id=match_id, user__isnull=False, rating_gain__isnull=False)
    for user_id, gain in seats.order_by("user_id").values_list("user_id", "rating_gain"):
        Rating.objects.get_or_create(user_id=user_id, variant=variant)
        Rating.objects.filter(user_id=user_id, variant=variant).update(
            points=F("points") + sign * (gain or 0), matches=F("matches") + sign
        )
