"""Tables before the match: opening, sitting down, leaving, starting. Each is a transaction that locks the match."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games import access
from games.broadcast import announcements
from games.conduct import ledger
from games.enums import DAILY_CLOCKS, DEFAULT_BOT_LEVEL, ConductKind
from games.errors import Refused
from games.fair_dealing import nonces
from games.lobby import invitations
from games.models import Match, Seat
from games.services import seating
from games.terms.terms import Terms

CHECK_AFTER = timedelta(minutes=5)  # an open table is checked for absent people
ABSENT_AFTER = timedelta(minutes=3)
OPEN_DAYS = timedelta(days=7)  # a daily table stays open this long while nobody is present


@transaction.atomic
def open_table(*, host: User, terms: Terms, address: str = "") -> Match:
    """Open a table and seat the host. ``address`` is the host's network address.

    Raises Refused ``bad_request``, ``rated_is_full``, ``rated_has_clock``, ``suspended``, ``paused``,
    ``too_many_tables``, ``days_need_account``, ``too_many_open``.
    """
    seating.lock_person(host)
    seating.require_may_open_table(host, terms.clock)
    table = seating.create_table(host=host, terms=terms)
    seating.require_no_pause(table, host.pk)
    seating.take_seat(seating.seats_of(table), host, index=0, address=ip_address_if_rated(table, address))
    seating.require_table_limit(host.pk, table.clock)
    return announce_change(table)


@transaction.atomic
def sit(*, match: Match, user: User, index: int | None = None, address: str = "") -> Match:
    """Seat the user (``index`` None: at the first free seat).

    A person who already sits there and asks for no other seat stays. Raises Refused ``not_open``, ``starting``,
    ``already_seated``, ``name_taken``, ``seat_taken``, ``table_full``, ``too_many_tables``, ``suspended``,
    ``paused``, ``no_table`` (blocked by somebody at the table).
    """
    seating.lock_person(user)
    table = seating.lock_open_table(match.pk)
    seats = seating.seats_of(table)
    if seating.is_seated(seats, user) and index is None:
        return table
    access.require_not_blocked(user, table.pk)
    seating.require_no_pause(table, user.pk)
    seating.take_seat(seats, user, index=index, address=ip_address_if_rated(table, address))
    seating.require_table_limit(user.pk, table.clock)
    return _start_if_full(table, seats)


@transaction.atomic
def stand_up(*, match: Match, user: User, announced: int = 0) -> Match:
    """Free the user's seat before the start. It costs at most the ``announced`` conduct points.

    Raises Refused ``not_open``, ``starting``, ``not_seated``, ``costs``.
    """
    table = seating.lock_open_table(match.pk)
    seats = seating.seats_of(table)
    seating.seat_of(seats, user.pk)
    # If bots are about to sit down, or nobody else sits there, leaving keeps nobody waiting.
    if table.due_kind != Match.Due.FILL and any(seat.user_id not in (None, user.pk) for seat in seats):
        _charge_points(table, user, announced)
    return give_up_seat(table, user)


@transaction.atomic
def remove_person(*, match: Match, user: User) -> Match:
    """Free the seat of somebody who may not play. If the match is starting, the start is cancelled.

    At a table of a tournament, which has no host, the start goes on with a bot.

    Raises Refused ``not_open``, ``not_seated``.
    """
    table = seating.lock_open_table(match.pk, starting=True)
    if seating.is_starting(table) and table.host_id is None:
        return _replace_by_bot(table, user)
    if seating.is_starting(table):
        nonces.delete_nonces(seating.seats_of(table))
    return give_up_seat(table, user)


def _replace_by_bot(table: Match, user: User) -> Match:
    seats = seating.seats_of(table)
    seating.free_seat(seating.seat_of(seats, user.pk))
    if not any(seat.user_id for seat in seats):
        return _close(table)
    seating.fill_with_bots(seats)
    announcements.touch_table(table.pk)
    return table


@transaction.atomic
def fill_with_bots(*, match: Match, by: User, level: str = DEFAULT_BOT_LEVEL) -> Match:
    """Put bots of a ``BotLevel`` on all free seats, and begin the start. Only the host may, except at a quick game.

    Raises Refused ``not_open``, ``starting``, ``not_seated``, ``not_host``.
    """
    table = seating.lock_open_table(match.pk)
    seats = seating.seats_of(table)
    seating.seat_of(seats, by.pk)
    if table.host_id != by.pk and table.due_kind != Match.Due.FILL:
        raise Refused("not_host")
    seating.fill_with_bots(seats, level)
    return nonces.begin_start(table, seats)


@transaction.atomic
def start_or_agree(*, match: Match, by: User) -> Match:
    """Start the match if the host asks. Others only agree, and the match starts when everybody has agreed.

    Raises Refused ``not_open``, ``starting``, ``not_seated``, ``empty_seats``, ``suspended``.
    """
    seating.lock_person(by)
    table = seating.lock_open_table(match.pk)
    seats = seating.seats_of(table)
    seat = seating.seat_of(seats, by.pk)
    seat.ready = True
    seat.save(update_fields=["ready"])
    if table.host_id == by.pk or seating.is_ready_to_start(seats):
        return nonces.begin_start(table, seats)
    return announce_change(table)


@transaction.atomic
def abandon_due_table(*, match_id: int, now: datetime) -> None:
    """Free the seats of people without a page at the table, and close it if nobody is left (``Due.ABANDON``)."""
    table = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    if table.status != Match.Status.OPEN or table.due_kind != Match.Due.ABANDON:
        return
    seats = seating.seats_of(table)
    for seat in seats:
        is_daily = table.clock in DAILY_CLOCKS
        if seat.user_id and (is_daily or seat.last_seen is None or seat.last_seen < now - ABSENT_AFTER):
            seating.free_seat(seat)
    _close_if_empty(table, seats)


def ip_address_if_rated(table: Match, address: str) -> str:
    """Return the address if the table is rated, "" otherwise: it is stored only where rating points depend on it."""
    return address if table.rated else ""


def _close_if_empty(table: Match, seats: Sequence[Seat]) -> Match:
    """Close the table if nobody is left after a departure. If the host left, another person becomes the host."""
    people = [seat.user_id for seat in seats if seat.user_id]
    if not people:
        return _close(table)
    if table.host_id not in people:
        table.host_id = people[0]
    return announce_change(table)


def announce_change(table: Match) -> Match:
    """Announce a change of an open table, and schedule a check whether its people are still there."""
    if table.due_kind != Match.Due.FILL:
        due_at = table.created_at + OPEN_DAYS if table.clock in DAILY_CLOCKS else timezone.now() + CHECK_AFTER
        table.due_kind, table.due_at = Match.Due.ABANDON, due_at
    table.save(update_fields=["host", "due_kind", "due_at"])
    return _announce(table)


def _close(table: Match) -> Match:
    table.status, table.finished_at = Match.Status.VOID, timezone.now()
    table.due_kind, table.due_at = Match.Due.NOTHING, None
    table.save(update_fields=["status", "finished_at", "due_kind", "due_at"])
    # The page of the match before it no longer links to this rematch.
    for old_id in Match.objects.filter(rematch=table).values_list("pk", flat=True):
        announcements.touch_table(old_id)
    return _announce(table)


def _announce(table: Match) -> Match:
    invitations.update_invitation_notices(table)
    announcements.touch_table(table.pk)
    announcements.touch_lobby()
    return table


def _start_if_full(table: Match, seats: Sequence[Seat]) -> Match:
    """Begin the start if all seats are taken, except at a public table, which its host starts."""
    is_public = table.visibility == Match.Visibility.PUBLIC
    waits_for_host = is_public and table.due_kind != Match.Due.FILL and table.clock not in DAILY_CLOCKS
    if waits_for_host or any(map(seating.is_free, seats)):
        return announce_change(table)
    return nonces.begin_start(table, seats)


def start_if_agreed(table: Match, seats: Sequence[Seat]) -> Match:
    return nonces.begin_start(table, seats) if seating.is_ready_to_start(seats) else announce_change(table)


def _charge_points(table: Match, user: User, announced: int) -> None:
    now = timezone.now()
    if not user.is_guest and ledger.current_price(user.pk, ConductKind.STOOD_UP, now) > announced:
        raise Refused("costs")
    ledger.charge_points(user.pk, ConductKind.STOOD_UP, now, match_id=table.pk)


def give_up_seat(table: Match, user: User) -> Match:
    seats = seating.seats_of(table)
    seating.free_seat(seating.seat_of(seats, user.pk))
    return _close_if_empty(table, seats)
