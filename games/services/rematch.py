"""Rematches: the same people and terms, all players one seat further, once everybody still present has agreed.

The answers are stored in the seats of the finished match. The table, with the sealed secret of its deals, is created
with the last answer. Nobody waits for people who have left: their seats stay free.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from accounts import selectors
from accounts.addresses import address_hash
from accounts.models import User
from games import access
from games.broadcast import announcements
from games.errors import Refused
from games.lobby import tables
from games.models import Match, Seat
from games.presence import leases
from games.services import seating
from games.terms.terms import Terms

if TYPE_CHECKING:
    from games.access import Viewer

AGREED_ANSWERS = (Seat.Rematch.OFFERED, Seat.Rematch.ACCEPTED)


def answer_rematch(*, match: Match, by: User, decline: bool, address: str = "") -> Match:
    """Call ``decline_rematch`` or ``agree_to_rematch``. Return the match or table to go to."""
    return decline_rematch(match=match, by=by) if decline else agree_to_rematch(match=match, by=by, address=address)


@transaction.atomic
def agree_to_rematch(*, match: Match, by: User, address: str = "") -> Match:
    """Offer a rematch, or accept the one on offer. Return its table if this was the last answer, else the match.

    Raises Refused ``not_finished``, ``not_seated``, ``rematch_declined``, ``name_taken``, ``table_full``,
    ``too_many_tables``, ``suspended``, ``paused``, ``no_table``, and ``bad_request`` for a board.
    """
    old_match, old_seats = _lock_match(match.pk, by)
    if old_match.source:
        raise Refused("bad_request")
    seat = seating.seat_of(old_seats, by.pk)
    if old_match.status in Match.UNFINISHED:
        raise Refused("not_finished")
    if (table := _lock_rematch_table(old_match)) is not None:
        return _join_table(old_match, old_seats, table, by, address)
    if seat.rematch not in AGREED_ANSWERS or not _is_offered(old_seats):
        seating.require_no_pause(old_match, by.pk)
        seating.require_table_limit(by.pk, old_match.clock, new=1)
        _record_agreement(old_seats, seat, address_hash(tables.ip_address_if_rated(old_match, address), old_match.pk))
    return old_match if _awaits_answer(old_seats, timezone.now()) else _open_table(old_match, old_seats, by)


@transaction.atomic
def decline_rematch(*, match: Match, by: User) -> Match:
    """Decline the rematch, or withdraw one's own agreement. Withdrawing the offer ends it.

    Raises Refused ``not_seated``, ``suspended``.
    """
    old_match, seats = _lock_match(match.pk, by)
    seat = seating.seat_of(seats, by.pk)
    if not _is_offered(seats):
        return old_match
    if seat.rematch == Seat.Rematch.ACCEPTED:
        _write_answers([seat], "")
    else:
        answer = "" if seat.rematch else Seat.Rematch.DECLINED
        _write_answers(seats, "")
        _write_answers([seat], answer)
    announcements.touch_table(old_match.pk)
    return old_match


def rematch_table_for(person: Viewer, match: Match) -> Match:
    """Return the table of the rematch for a player who agreed to it, otherwise the match itself."""
    has_agreed = person.pk and Seat.objects.filter(match=match, user=person.pk, rematch=Seat.Rematch.ACCEPTED).exists()
    table = match.rematch if has_agreed else None
    return match if table is None or table.status == Match.Status.VOID else table


def resolve_stale_offers(*, now: datetime) -> None:
    """Withdraw the offers of people who have left, and stop waiting for answers of people who have left."""
    for match_id in Seat.objects.filter(rematch=Seat.Rematch.OFFERED).values_list("match_id", flat=True):
        with suppress(Refused), transaction.atomic():
            _resolve_stale_offer(match_id, now)


def _resolve_stale_offer(match_id: int, now: datetime) -> None:
    old_match, seats = _lock_match(match_id)
    offering = next((seat for seat in seats if seat.rematch == Seat.Rematch.OFFERED), None)
    if offering is None:
        return
    if offering.user is None or not leases.is_connected(offering, now):
        _write_answers(seats, "")
        announcements.touch_table(match_id)
    elif not _awaits_answer(seats, now):
        _open_table(old_match, seats, offering.user)


def _lock_match(match_id: int, by: User | None = None) -> tuple[Match, list[Seat]]:
    """Lock the people in the order of their ids, then the match. Return it with its seats."""
    people = Seat.objects.filter(match=match_id, user__isnull=False).values_list("user_id", flat=True)
    for user_id in sorted(people):
        selectors.lock_person(user_id)
    if by is not None:
        seating.lock_person(by)
    old_match = Match.objects.select_for_update(no_key=True, of=("self",)).get(pk=match_id)
    return old_match, list(Seat.objects.filter(match=old_match).select_related("user").order_by("index"))


def _lock_rematch_table(old_match: Match) -> Match | None:
    """Lock and return the table of the rematch, None if there is none or it closed before anybody played."""
    if old_match.rematch_id is None:
        return None
    table = Match.objects.select_for_update(no_key=True).get(pk=old_match.rematch_id)
    return None if table.status == Match.Status.VOID else table


def _is_offered(seats: Iterable[Seat]) -> bool:
    return any(seat.rematch == Seat.Rematch.OFFERED for seat in seats)


def _awaits_answer(seats: Iterable[Seat], now: datetime) -> bool:
    """Return whether somebody who is still present has not answered."""
    return any(seat.user_id and not seat.rematch and leases.is_connected(seat, now) for seat in seats)


def _record_agreement(seats: Sequence[Seat], seat: Seat, mark: str) -> None:
    opponents = [opponent for opponent in seats if opponent is not seat]
    if any(opponent.rematch == Seat.Rematch.DECLINED for opponent in opponents):
        raise Refused("rematch_declined")
    answer = Seat.Rematch.ACCEPTED
    if not _is_offered(opponents):
        _write_answers(seats, "")  # answers to an offer whose table closed
        answer = Seat.Rematch.OFFERED
    agreed_ids = [opponent.pk for opponent in opponents if opponent.rematch in AGREED_ANSWERS]
    if Seat.objects.filter(pk__in=agreed_ids, user__blocks__blocked=seat.user_id).exists():
        raise Refused("no_table")
    _write_answers([seat], answer, mark)
    announcements.touch_table(seat.match_id)


def _write_answers(seats: Iterable[Seat], answer: str, mark: str = "") -> None:
    for seat in seats:
        seat.rematch, seat.address = answer, mark
        seat.save(update_fields=["rematch", "address"])


def _open_table(old_match: Match, old_seats: Sequence[Seat], by: User) -> Match:
    """Open the table with everybody who agreed and with the bots. It starts if no seat stays free."""
    agreed_seats = [seat for seat in old_seats if seat.rematch in AGREED_ANSWERS]
    table = old_match.rematch = seating.create_table(host=by, terms=Terms.from_match(old_match))
    old_match.save(update_fields=["rematch"])
    seats = seating.seats_of(table)
    for old_seat in old_seats:
        if old_seat.user_id is None and old_seat.bot:
            seating.seat_bot(
                _next_seat(old_seat, seats), level=old_seat.bot, name=old_seat.name, colour=old_seat.colour
            )
    for old_seat in agreed_seats:
        try:
            with transaction.atomic():
                _take_next_seat(seats, old_seat)
        except Refused:  # the others play without this person
            if old_seat.user_id == by.pk:
                raise
    for old_seat in agreed_seats:
        _write_answers([old_seat], Seat.Rematch.ACCEPTED)
    announcements.touch_table(old_match.pk)
    _continue_series(old_match, old_seats, table, seats)
    return tables.start_if_agreed(table, seats)


def _continue_series(old_match: Match, old_seats: Sequence[Seat], table: Match, seats: Sequence[Seat]) -> None:
    """Continue the series, which counts the wins and keeps the chat, if nobody is missing."""
    if Counter(seat.user_id for seat in seats) == Counter(seat.user_id for seat in old_seats):
        table.series = old_match.series or old_match
        table.save(update_fields=["series"])


def _take_next_seat(seats: Sequence[Seat], old_seat: Seat) -> None:
    if old_seat.user is None:
        return
    access.require_not_suspended(old_seat.user.pk)
    seating.require_no_pause(seats[0].match, old_seat.user.pk)
    seating.require_table_limit(old_seat.user.pk, seats[0].match.clock, new=1)
    seat = _next_seat(old_seat, seats)
    seating.take_seat(seats, old_seat.user, index=seat.index, ready=True)
    seat.address = old_seat.address
    seat.save(update_fields=["address"])


def _next_seat(old_seat: Seat, seats: Sequence[Seat]) -> Seat:
    """Return the seat of a player in the rematch: one further, so that partners stay partners."""
    return seats[(old_seat.index + 1) % len(seats)]


def _join_table(old_match: Match, old_seats: Sequence[Seat], table: Match, by: User, address: str) -> Match:
    """Sit down at the table of the rematch, one seat further if that is free."""
    seats, old_seat = seating.seats_of(table), seating.seat_of(old_seats, by.pk)
    if old_seat.rematch != Seat.Rematch.ACCEPTED:
        _write_answers([old_seat], Seat.Rematch.ACCEPTED)
        announcements.touch_table(old_match.pk)
    if table.status != Match.Status.OPEN or seating.is_starting(table) or seating.is_seated(seats, by):
        return table
    access.require_not_blocked(by, table.pk)
    seating.require_no_pause(table, by.pk)
    seat = _next_seat(old_seat, seats)
    free_index = seat.index if seating.is_free(seat) else None
    seating.take_seat(seats, by, index=free_index, ready=True, address=tables.ip_address_if_rated(table, address))
    seating.require_table_limit(by.pk, table.clock)
    _continue_series(old_match, old_seats, table, seats)
    return tables.start_if_agreed(table, seats)
