"""Rematches: the same people and terms, all players one seat further, once everybody still present has agreed.

The answers are stored in the seats of the finished match. The table, with the sealed secret of its deals, is created
with the last answer. Nobody waits for people who have gone: their seats stay free.
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
from accounts.addresses import address_mark
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

WANTED = (Seat.Rematch.OFFERED, Seat.Rematch.ACCEPTED)


def answer(*, match: Match, by: User, no: bool, address: str = "") -> Match:
    """Call ``decline`` or ``agree``. Return the table to go to."""
    return decline(match=match, by=by) if no else agree(match=match, by=by, address=address)


@transaction.atomic
def agree(*, match: Match, by: User, address: str = "") -> Match:
    """Offer a rematch, or accept the one on offer. Return its table if this was the last answer, else the match.

    Raises Refused ``not_finished``, ``not_seated``, ``rematch_declined``, ``name_taken``, ``table_full``,
    ``too_many_tables``, ``suspended``, ``paused``, ``no_table``.
    """
    old, seats = _lock(match.pk, by)
    seat = seating.seat_with(seats, by)
    if old.status in Match.UNFINISHED:
        raise Refused("not_finished")
    if (table := _table_of(old)) is not None:
        return _join(old, seats, table, by, address)
    if seat.rematch not in WANTED or not _is_offered(seats):
        seating.require_no_pause(old, by.pk)
        seating.require_few_tables(by.pk, old.clock, more=1)
        _agree(seats, seat, address_mark(tables.if_rated(old, address), old.pk))
    return old if _awaited(seats, timezone.now()) else _open_table(old, seats, by)


@transaction.atomic
def decline(*, match: Match, by: User) -> Match:
    """Decline the rematch, or withdraw one's own agreement. Withdrawing the offer ends it.

    Raises Refused ``not_seated``, ``suspended``.
    """
    old, seats = _lock(match.pk, by)
    seat = seating.seat_with(seats, by)
    if not _is_offered(seats):
        return old
    if seat.rematch == Seat.Rematch.ACCEPTED:
        _write([seat], "")
    else:
        answer = "" if seat.rematch else Seat.Rematch.DECLINED
        _write(seats, "")
        _write([seat], answer)
    announcements.touch_table(old.pk)
    return old


def table_for(person: Viewer, match: Match) -> Match:
    """Return the table of the rematch for a player who agreed to it, else the match itself."""
    wants = person.pk and Seat.objects.filter(match=match, user=person.pk, rematch=Seat.Rematch.ACCEPTED).exists()
    table = match.rematch if wants else None
    return match if table is None or table.status == Match.Status.VOID else table


def sweep(*, now: datetime) -> None:
    """Withdraw the offers of people who have gone, and stop waiting for answers of people who have."""
    for match_id in Seat.objects.filter(rematch=Seat.Rematch.OFFERED).values_list("match_id", flat=True):
        with suppress(Refused), transaction.atomic():
            _sweep(match_id, now)


def _sweep(match_id: int, now: datetime) -> None:
    old, seats = _lock(match_id)
    offering = next((seat for seat in seats if seat.rematch == Seat.Rematch.OFFERED), None)
    if offering is None:
        return
    if offering.user is None or not leases.is_connected(offering, now):
        _write(seats, "")
        announcements.touch_table(match_id)
    elif not _awaited(seats, now):
        _open_table(old, seats, offering.user)


def _lock(match_id: int, by: User | None = None) -> tuple[Match, list[Seat]]:
    """Lock the people in the order of their ids, then the match. Return it with its seats."""
    people = Seat.objects.filter(match=match_id, user__isnull=False).values_list("user_id", flat=True)
    for user_id in sorted(people):
        selectors.lock_person(user_id)
    if by is not None:
        seating.lock_person(by)
    old = Match.objects.select_for_update(no_key=True, of=("self",)).get(pk=match_id)
    return old, list(Seat.objects.filter(match=old).select_related("user").order_by("index"))


def _table_of(old: Match) -> Match | None:
    """Lock and return the table of the rematch, None if there is none or it closed before anybody played."""
    if old.rematch_id is None:
        return None
    table = Match.objects.select_for_update(no_key=True).get(pk=old.rematch_id)
    return None if table.status == Match.Status.VOID else table


def _is_offered(seats: Iterable[Seat]) -> bool:
    return any(seat.rematch == Seat.Rematch.OFFERED for seat in seats)


def _awaited(seats: Iterable[Seat], now: datetime) -> bool:
    """Return whether somebody who is still present has not answered."""
    return any(seat.user_id and not seat.rematch and leases.is_connected(seat, now) for seat in seats)


def _agree(seats: Sequence[Seat], seat: Seat, mark: str) -> None:
    opponents = [other for other in seats if other is not seat]
    if any(other.rematch == Seat.Rematch.DECLINED for other in opponents):
        raise Refused("rematch_declined")
    answer = Seat.Rematch.ACCEPTED
    if not _is_offered(opponents):
        _write(seats, "")  # answers to an offer whose table closed
        answer = Seat.Rematch.OFFERED
    wanting = [other.pk for other in opponents if other.rematch in WANTED]
    if Seat.objects.filter(pk__in=wanting, user__blocks__blocked=seat.user_id).exists():
        raise Refused("no_table")
    _write([seat], answer, mark)
    announcements.touch_table(seat.match_id)


def _write(seats: Iterable[Seat], answer: str, mark: str = "") -> None:
    for seat in seats:
        seat.rematch, seat.address = answer, mark
        seat.save(update_fields=["rematch", "address"])


def _open_table(old: Match, old_seats: Sequence[Seat], by: User) -> Match:
    """Open the table with everybody who agreed and with the bots. It starts if no seat stays free."""
    wanting = [seat for seat in old_seats if seat.rematch in WANTED]
    table = old.rematch = seating.lay_table(host=by, terms=Terms.of(old))
    old.save(update_fields=["rematch"])
    seats = seating.seats_of(table)
    for before in old_seats:
        if before.user_id is None and before.bot:
            seating.seat_bot(_next(before, seats), level=before.bot, name=before.name, colour=before.colour)
    for before in wanting:
        try:
            with transaction.atomic():
                _seat(seats, before)
        except Refused:  # the others play without a person who may not
            if before.user_id == by.pk:
                raise
    for before in wanting:
        _write([before], Seat.Rematch.ACCEPTED)
    announcements.touch_table(old.pk)
    _continue_series(old, old_seats, table, seats)
    return tables.start_if_agreed(table, seats)


def _continue_series(old: Match, old_seats: Sequence[Seat], table: Match, seats: Sequence[Seat]) -> None:
    """Continue the series, which counts the wins and keeps the chat, if nobody is missing."""
    if Counter(seat.user_id for seat in seats) == Counter(seat.user_id for seat in old_seats):
        table.series = old.series or old
        table.save(update_fields=["series"])


def _seat(seats: Sequence[Seat], before: Seat) -> None:
    if before.user is None:
        return
    access.require_not_suspended(before.user.pk)
    seating.require_no_pause(seats[0].match, before.user.pk)
    seating.require_few_tables(before.user.pk, seats[0].match.clock, more=1)
    seat = _next(before, seats)
    seating.take(seats, before.user, index=seat.index, ready=True)
    seat.address = before.address
    seat.save(update_fields=["address"])


def _next(before: Seat, seats: Sequence[Seat]) -> Seat:
    """Return the seat of a player in the rematch: one further, so that partners stay partners."""
    return seats[(before.index + 1) % len(seats)]


def _join(old: Match, old_seats: Sequence[Seat], table: Match, by: User, address: str) -> Match:
    """Sit down at the table of the rematch, one seat further if that is free."""
    seats, before = seating.seats_of(table), seating.seat_with(old_seats, by)
    if before.rematch != Seat.Rematch.ACCEPTED:
        _write([before], Seat.Rematch.ACCEPTED)
        announcements.touch_table(old.pk)
    if table.status != Match.Status.OPEN or seating.is_starting(table) or seating.sits(seats, by):
        return table
    access.require_welcome(by, table.pk)
    seating.require_no_pause(table, by.pk)
    seat = _next(before, seats)
    free = seat.index if seating.is_free(seat) else None
    seating.take(seats, by, index=free, ready=True, address=tables.if_rated(table, address))
    seating.require_few_tables(by.pk, table.clock)
    _continue_series(old, old_seats, table, seats)
    return tables.start_if_agreed(table, seats)
