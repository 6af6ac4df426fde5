"""The result of a match: places and rating points."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import F

from accounts.names.rules import name_search_key
from games.access import is_publicly_listed
from games.conduct import ledger
from games.engine.events import STOP_REASONS, MatchEnded
from games.engine.notation import standing_to_json
from games.engine.variants import rules_for
from games.enums import NoPointsReason
from games.match import disclosure, points, record
from games.match.match_rows import MatchRow
from games.models import Match, RatingPoints, Seat
from games.ratings import changes as ratings

# The status of a match that ended for this reason without a result. After other reasons it is finished.
STATUS_OF_REASON = {**dict.fromkeys(STOP_REASONS, Match.Status.STOPPED), "void": Match.Status.VOID}
RESULT_COLUMNS = ("place", "points_gain", "address", "outcome", "finished_at", "variant", "listed", "name_key")


def write_results(row: MatchRow, match_end: MatchEnded, now: datetime) -> None:
    """Write places, rating points and the columns of the history, in the transaction that ends the match.

    The record contains the end already.
    """
    match = Match.objects.only("visibility", "delay", "options").get(pk=row.match_id)
    seats = list(match.seats.select_related("user").order_by("index"))
    sides = rules_for(row.variant).sides(len(seats), match.options)
    gain_decision = points.GainDecision(frozenset(), NoPointsReason.NONE)
    if row.rated and match_end.places:
        gain_decision = points.decide_gains_after_match(seats, record.events(match.pk), sides, now)
        ratings.rate_match(row.match_id, row.variant, _rating_results(match_end, seats, sides, gain_decision), now)
    _end_match(match, match_end, gain_decision.reason, now)
    for seat in seats:
        has_gain = row.rated and match_end.rating and seat.index not in gain_decision.seats_without_gain
        seat.points_gain = match_end.rating[seat.index].total if has_gain else None
        partners = [player for player in seats if player != seat and sides[player.index] == sides[seat.index]]
        seat.outcome = outcome_of(match_end, seat, partners)
        _end_seat(seat, match, row.variant, match_end, now)
    _update_conduct(match, seats, now)
    if row.rated and match_end.places:
        add_rating_points(row.match_id, row.variant, sign=1)


def _update_conduct(match: Match, seats: Sequence[Seat], now: datetime) -> None:
    """Reward accounts that played to the end with other people. A void match loses its entries in the ledger."""
    if match.status == Match.Status.VOID:
        ledger.exclude_match_marks(match.pk)
        return
    people = [seat for seat in seats if seat.user]
    finishers = [seat for seat in people if seat.outcome in (Seat.Outcome.WON, Seat.Outcome.LOST)]
    if len(people) > 1:
        accounts = [seat.user.pk for seat in finishers if seat.user and not seat.user.is_guest]
        ledger.reward_finishers(accounts, now, match_id=match.pk)


def _end_match(match: Match, match_end: MatchEnded, no_points: NoPointsReason, now: datetime) -> None:
    match.no_points = no_points
    match.status, match.finished_at = STATUS_OF_REASON.get(match_end.reason, Match.Status.FINISHED), now
    match.public_at = match.due_at = disclosure.end_disclosed_at(match.pk, match.delay, now)
    match.due_kind = Match.Due.DISCLOSE_END if match.due_at else Match.Due.NOTHING
    if standings := record.standings([match.pk]):
        match.standing = standing_to_json(standings[match.pk])
    match.save(update_fields=["status", "finished_at", "public_at", "due_at", "due_kind", "standing", "no_points"])


def _end_seat(seat: Seat, match: Match, variant: str, match_end: MatchEnded, now: datetime) -> None:
    seat.place = match_end.places[seat.index] if match_end.places else None
    seat.address = ""
    seat.finished_at, seat.variant = now, variant
    seat.listed, seat.name_key = is_publicly_listed(match), name_search_key(seat.name) if seat.user_id else ""
    seat.save(update_fields=RESULT_COLUMNS)


def _rating_results(
    match_end: MatchEnded, seats: Sequence[Seat], sides: Sequence[int], gain_decision: points.GainDecision
) -> list[ratings.PlayerResult]:
    """Return the results of the people whose rating changes: not of partners of somebody who left."""
    absent = {seat.index for seat in seats if has_left(match_end, seat)}
    neutral = {
        index for index, side in enumerate(sides) if side in {sides[absent_seat] for absent_seat in absent}
    } - absent
    return [
        ratings.PlayerResult(seat.user_id, seat.index, sides[seat.index], match_end.places[seat.index])
        for seat in seats
        if seat.user_id and seat.index not in gain_decision.seats_without_gain | neutral
    ]


def outcome_of(match_end: MatchEnded, seat: Seat, partners: Sequence[Seat]) -> str:
    """Return the outcome of a match for a seat. If it names losers, all others won; otherwise the first place did.

    A person for whom a bot played at the end has left. For their partner the match was stopped, unless they won it.
    A void match has no outcome.
    """
    if match_end.reason in STATUS_OF_REASON:
        return "" if match_end.reason == "void" else Seat.Outcome.STOPPED
    if has_left(match_end, seat):
        is_late = seat.index == match_end.seat and match_end.reason == "timeout"
        return Seat.Outcome.TIMEOUT if is_late else Seat.Outcome.LEFT
    if any(has_left(match_end, partner) for partner in partners):
        return Seat.Outcome.WON if match_end.places[seat.index] == 1 else Seat.Outcome.STOPPED
    lost = seat.index in match_end.losers if match_end.losers else match_end.places[seat.index] > 1
    return Seat.Outcome.LOST if lost else Seat.Outcome.WON


def has_left(match_end: MatchEnded, seat: Seat) -> bool:
    """Return whether the person in a seat was absent at the end."""
    return seat.index == match_end.seat or bool(seat.user_id and seat.bot)


def add_rating_points(match_id: int, variant: str, *, sign: int) -> None:
    """Add (``sign`` 1) or subtract (-1) the rating points of a match, ordered by user to avoid deadlocks."""
    seats = Seat.objects.filter(match_id=match_id, user__isnull=False, points_gain__isnull=False)
    for user_id, gain in seats.order_by("user_id").values_list("user_id", "points_gain"):
        RatingPoints.objects.get_or_create(user_id=user_id, variant=variant)
        RatingPoints.objects.filter(user_id=user_id, variant=variant).update(
            points=F("points") + sign * (gain or 0), matches=F("matches") + sign
        )
