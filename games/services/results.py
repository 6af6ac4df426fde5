"""The result of a match: places and rating points."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import F

from accounts.names.rules import search_key
from games.access import is_listed
from games.conduct import ledger
from games.engine.events import STOP_REASONS, MatchEnded
from games.engine.notation import standing_to_json
from games.engine.variants import rules_for
from games.enums import NoPoints
from games.match import disclosure, points, record
from games.match.match_rows import MatchRow
from games.models import Match, RatingPoints, Seat
from games.ratings import changes as ratings

# The status of a match that ended for this reason without a result. Any other match is finished.
STATUS = {**dict.fromkeys(STOP_REASONS, Match.Status.STOPPED), "void": Match.Status.VOID}
WRITTEN_AT_THE_END = ("place", "points_gain", "address", "outcome", "finished_at", "variant", "listed", "name_key")


def settle(row: MatchRow, ended: MatchEnded, now: datetime) -> None:
    """Write places, rating points and the columns of the history, in the transaction that ends the match.

    The end is in the record already.
    """
    match = Match.objects.only("visibility", "delay", "options").get(pk=row.match_id)
    seats = list(match.seats.select_related("user").order_by("index"))
    sides = rules_for(row.variant).sides(len(seats), match.options)
    withheld = points.Ruling(frozenset(), NoPoints.NONE)
    if row.rated and ended.places:
        withheld = points.judge_finished_match(seats, record.events(match.pk), sides, now)
        ratings.settle(row.match_id, row.variant, _results(ended, seats, sides, withheld), now)
    _end_match(match, ended, withheld.reason, now)
    for seat in seats:
        gains = row.rated and ended.rating and seat.index not in withheld.without
        seat.points_gain = ended.rating[seat.index].total if gains else None
        partners = [other for other in seats if other != seat and sides[other.index] == sides[seat.index]]
        seat.outcome = outcome(ended, seat, partners)
        _end_seat(seat, match, row.variant, ended, now)
    _settle_conduct(match, seats, now)
    if row.rated and ended.places:
        collect(row.match_id, row.variant, sign=1)


def _settle_conduct(match: Match, seats: Sequence[Seat], now: datetime) -> None:
    """Reward accounts that played to the end with other people. A void match loses its entries in the ledger."""
    if match.status == Match.Status.VOID:
        ledger.take_back(match.pk)
        return
    people = [seat for seat in seats if seat.user]
    stayed = [seat for seat in people if seat.outcome in (Seat.Outcome.WON, Seat.Outcome.LOST)]
    if len(people) > 1:
        accounts = [seat.user.pk for seat in stayed if seat.user and not seat.user.is_guest]
        ledger.reward(accounts, now, match_id=match.pk)


def _end_match(match: Match, ended: MatchEnded, no_points: NoPoints, now: datetime) -> None:
    match.no_points = no_points
    match.status, match.finished_at = STATUS.get(ended.reason, Match.Status.FINISHED), now
    match.public_at = match.due_at = disclosure.end_public_at(match.pk, match.delay, now)
    match.due_kind = Match.Due.SHOWN if match.due_at else Match.Due.NOTHING
    if standings := record.standings([match.pk]):
        match.standing = standing_to_json(standings[match.pk])
    match.save(update_fields=["status", "finished_at", "public_at", "due_at", "due_kind", "standing", "no_points"])


def _end_seat(seat: Seat, match: Match, variant: str, ended: MatchEnded, now: datetime) -> None:
    seat.place = ended.places[seat.index] if ended.places else None
    seat.address = ""
    seat.finished_at, seat.variant = now, variant
    seat.listed, seat.name_key = is_listed(match), search_key(seat.name) if seat.user_id else ""
    seat.save(update_fields=WRITTEN_AT_THE_END)


def _results(
    ended: MatchEnded, seats: Sequence[Seat], sides: Sequence[int], withheld: points.Ruling
) -> list[ratings.Result]:
    """Return the results of the people whose rating changes: not of partners of somebody who left."""
    absent = {seat.index for seat in seats if has_left(ended, seat)}
    neutral = {index for index, side in enumerate(sides) if side in {sides[gone] for gone in absent}} - absent
    return [
        ratings.Result(seat.user_id, seat.index, sides[seat.index], ended.places[seat.index])
        for seat in seats
        if seat.user_id and seat.index not in withheld.without | neutral
    ]


def outcome(ended: MatchEnded, seat: Seat, partners: Sequence[Seat]) -> str:
    """Return the outcome of a match for a seat. If it names losers, all others won; otherwise the first place did.

    A person for whom a bot played at the end has left. For their partner the match was stopped, unless they won it.
    A void match has no outcome.
    """
    if ended.reason in STATUS:
        return "" if ended.reason == "void" else Seat.Outcome.STOPPED
    if has_left(ended, seat):
        is_late = seat.index == ended.seat and ended.reason == "timeout"
        return Seat.Outcome.TIMEOUT if is_late else Seat.Outcome.LEFT
    if any(has_left(ended, partner) for partner in partners):
        return Seat.Outcome.WON if ended.places[seat.index] == 1 else Seat.Outcome.STOPPED
    lost = seat.index in ended.losers if ended.losers else ended.places[seat.index] > 1
    return Seat.Outcome.LOST if lost else Seat.Outcome.WON


def has_left(ended: MatchEnded, seat: Seat) -> bool:
    """Return whether the person in a seat was absent at the end."""
    return seat.index == ended.seat or bool(seat.user_id and seat.bot)


def collect(match_id: int, variant: str, *, sign: int) -> None:
    """Add the gains of a match to the ratings, ordered by user so that two matches cannot deadlock."""
    seats = Seat.objects.filter(match_id=match_id, user__isnull=False, points_gain__isnull=False)
    for user_id, gain in seats.order_by("user_id").values_list("user_id", "points_gain"):
        RatingPoints.objects.get_or_create(user_id=user_id, variant=variant)
        RatingPoints.objects.filter(user_id=user_id, variant=variant).update(
            points=F("points") + sign * (gain or 0), matches=F("matches") + sign
        )
