"""Tables before the match: opening, sitting down, starting, going away. One transaction each, the match row locked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import User
from games import access
from games.broadcast import announcements
from games.engine.rules import Rules
from games.errors import Refused
from games.models import Match, Seat
from games.services import nonces, seating
from games.terms.presets import presets_of
from games.terms.terms import Terms
from games.words import offered

FILL_AFTER = timedelta(seconds=20)
LOOK_AFTER = timedelta(minutes=5)
ABSENT_AFTER = timedelta(minutes=3)


@transaction.atomic
def create_table(
    *,
    host: User,
    variant: str,
    seats: int,
    options: Mapping[str, str],
    clock: str,
    visibility: str,
    rated: bool,
    delay: str = Match.Delay.NONE,
    address: str = "",
) -> Match:
    """Open a table and seat the host, who comes from this network address.

    Raises Refused ``bad_request``, ``suspended``, ``too_many_tables``.
    """
    terms = Terms(variant, seats, options, clock, visibility, rated, delay)
    return _open(host=host, terms=terms, address=address)


@transaction.atomic
def sit(*, match: Match, user: User, index: int | None = None, address: str = "") -> Match:
    """Seat the user (``index`` None: at the first free seat).

    A person who sits there already and asks for no other seat just stays. Raises Refused ``not_open``, ``starting``,
    ``already_seated``, ``name_taken``, ``seat_taken``, ``table_full``, ``too_many_tables``, ``suspended``,
    ``no_table`` (blocked by somebody at the table).
    """
    seating.lock_person(user)
    table = seating.lock_open(match.pk)
    seats = seating.seats_of(table)
    if seating.sits(seats, user) and index is None:
        return table
    access.require_welcome(user, table.pk)
    seating.take(seats, user, index=index, address=_if_rated(table, address))
    seating.require_few_tables(user.pk)
    return _changed(table)


@transaction.atomic
def stand_up(*, match: Match, user: User) -> Match:
    """Free the user's seat before the start. Raises Refused ``not_open``, ``starting``, ``not_seated``."""
    return _give_up(seating.lock_open(match.pk), user)


@transaction.atomic
def remove(*, match: Match, user: User) -> Match:
    """Free the seat of somebody who may not play, also while the match starts: that is broken off.

    Raises Refused ``not_open``, ``not_seated``.
    """
    table = seating.lock_open(match.pk, starting=True)
    if seating.is_starting(table):
        nonces.forget(seating.seats_of(table))
    return _give_up(table, user)


@transaction.atomic
def fill_with_bots(*, match: Match, by: User) -> Match:
    """Put bots on all free seats. Raises Refused ``not_open``, ``starting``, ``not_seated``, ``not_host``."""
    table = seating.lock_open(match.pk)
    seats = seating.seats_of(table)
    seating.seat_with(seats, by)
    if table.host_id != by.pk:
        raise Refused("not_host")
    seating.fill(seats)
    return _changed(table)


@transaction.atomic
def start(*, match: Match, by: User) -> Match:
    """Start the match at the host's word; the word of the others is agreement, and starts it when all have agreed.

    Raises Refused ``not_open``, ``starting``, ``not_seated``, ``empty_seats``, ``suspended``.
    """
    seating.lock_person(by)
    table = seating.lock_open(match.pk)
    seats = seating.seats_of(table)
    seat = seating.seat_with(seats, by)
    seat.ready = True
    seat.save(update_fields=["ready"])
    if table.host_id == by.pk or seating.agreed(seats):
        return nonces.begin(table, seats)
    return _changed(table)


@transaction.atomic
def quick_play(*, user: User, variant: str = "") -> Match:
    """Seat the user where others wait for a quick game of the variant (by default the one played last), or alone.

    Bots take the seats still free 20 seconds after its first person came. Only such tables are joined: at others the
    start is up to a host. It seats no two people of whom one has blocked the other, and no two names that look alike.
    Pressed again it leads back to the same table; for another variant, that seat is given up.
    Raises Refused ``bad_request``, ``too_many_tables``, ``suspended``.
    """
    seating.lock_person(user)
    rules = offered().get(variant or last_variant(user.pk))
    if rules is None:
        raise Refused("bad_request")
    for waiting in _quick_tables().filter(seats__user=user):
        if waiting.variant == rules.key:
            return waiting
        _give_up(waiting, user)
    table = _quick_table_with_room(rules.key, user) or _lay_quick_table(user, rules)
    seats = seating.seats_of(table)
    seating.take(seats, user, index=None, ready=True)
    seating.require_few_tables(user.pk)
    return _start_if_agreed(table, seats)


@transaction.atomic
def rematch(*, match: Match, by: User, address: str = "") -> Match:
    """Return the next table of the same people: whoever asks first opens it, everybody sits there as before.

    Its bots come along at once, and it starts when its last seat is taken this way. Raises Refused
    ``not_finished``, ``not_seated``, ``name_taken``, ``table_full``, ``too_many_tables``, ``suspended``, ``no_table``.
    """
    seating.lock_person(by)
    old = Match.objects.select_for_update(of=("self",)).get(pk=match.pk)
    old_seats = seating.seats_of(old)
    index = seating.seat_with(old_seats, by).index
    if old.status in Match.UNFINISHED:
        raise Refused("not_finished")
    table = _next_table(old, old_seats, by)
    seats = seating.seats_of(table)
    if table.status != Match.Status.OPEN or seating.sits(seats, by):
        return table
    access.require_welcome(by, table.pk)
    free = index if seating.is_free(seats[index]) else None
    seating.take(seats, by, index=free, ready=True, address=_if_rated(table, address))
    seating.require_few_tables(by.pk)
    return _start_if_agreed(table, seats)


def last_variant(user_id: int | None) -> str:
    """Return the variant that the user played last, for anybody else the first that the site offers."""
    keys = tuple(offered())
    played = Seat.objects.filter(user_id=user_id, match__variant__in=keys) if user_id else Seat.objects.none()
    return played.order_by("-match_id").values_list("match__variant", flat=True).first() or keys[0]


@transaction.atomic
def fill_due(*, match_id: int) -> None:
    """Fill the table with bots and start it: nobody else came to a quick game in time (``Due.FILL``)."""
    table = Match.objects.select_for_update().get(pk=match_id)
    if table.status != Match.Status.OPEN or table.due_kind != Match.Due.FILL:
        return
    seats = seating.seats_of(table)
    seating.fill(seats)
    nonces.begin(table, seats)


@transaction.atomic
def abandon_due(*, match_id: int, now: datetime) -> None:
    """Free the seats of those whose page has gone, and close the table if nobody is left (``Due.ABANDON``)."""
    table = Match.objects.select_for_update().get(pk=match_id)
    if table.status != Match.Status.OPEN or table.due_kind != Match.Due.ABANDON:
        return
    seats = seating.seats_of(table)
    for seat in seats:
        if seat.user_id and (seat.last_seen is None or seat.last_seen < now - ABSENT_AFTER):
            seating.leave(seat)
    _settle(table, seats)


def _open(*, host: User, terms: Terms, address: str) -> Match:
    seating.lock_person(host)
    table = seating.lay_table(host=host, terms=terms)
    seating.take(seating.seats_of(table), host, index=0, address=_if_rated(table, address))
    seating.require_few_tables(host.pk)
    return _changed(table)


def _if_rated(table: Match, address: str) -> str:
    """Return the address where rating points depend on it: nothing else is kept of it anywhere."""
    return address if table.rated else ""


def _settle(table: Match, seats: Sequence[Seat]) -> Match:
    """After somebody left: close the table behind the last person; somebody who still sits there becomes the host."""
    people = [seat.user_id for seat in seats if seat.user_id]
    if not people:
        return _close(table)
    if table.host_id not in people:
        table.host_id = people[0]
    return _changed(table)


def _changed(table: Match) -> Match:
    """Show the change, and look again later whether the people of this open table are still there."""
    if table.due_kind != Match.Due.FILL:
        table.due_kind, table.due_at = Match.Due.ABANDON, timezone.now() + LOOK_AFTER
    table.save(update_fields=["host", "due_kind", "due_at"])
    return _show(table)


def _close(table: Match) -> Match:
    table.status, table.finished_at = Match.Status.VOID, timezone.now()
    table.due_kind, table.due_at = Match.Due.NOTHING, None
    table.save(update_fields=["status", "finished_at", "due_kind", "due_at"])
    # The match whose rematch this was to be leads here no longer.
    for old_id in Match.objects.filter(rematch=table).values_list("pk", flat=True):
        announcements.touch(old_id)
    return _show(table)


def _show(table: Match) -> Match:
    announcements.touch(table.pk)
    announcements.touch_lobby()
    return table


def _start_if_agreed(table: Match, seats: Sequence[Seat]) -> Match:
    return nonces.begin(table, seats) if seating.agreed(seats) else _changed(table)


def _quick_tables(*, skip_locked: bool = False) -> QuerySet[Match]:
    """Return, to be locked, the tables at which people wait for a quick game."""
    tables = Match.objects.select_for_update(of=("self",), skip_locked=skip_locked)
    return tables.filter(status=Match.Status.OPEN, due_kind=Match.Due.FILL)


def _quick_table_with_room(variant: str, user: User) -> Match | None:
    free = Seat.objects.filter(match=OuterRef("pk"), user=None, bot="")
    tables = _quick_tables(skip_locked=True).filter(access.without_blocks(user.pk), Exists(free), variant=variant)
    with_double = [seat.match_id for seat in _seats_of_quick_tables(variant) if seating.has_double([seat], user)]
    return tables.exclude(pk__in=with_double).order_by("pk").first()


def _seats_of_quick_tables(variant: str) -> QuerySet[Seat]:
    return Seat.objects.filter(match__status=Match.Status.OPEN, match__due_kind=Match.Due.FILL, match__variant=variant)


def _lay_quick_table(user: User, rules: Rules) -> Match:
    table = seating.lay_table(host=user, terms=presets_of(rules)[0].terms)
    table.due_kind, table.due_at = Match.Due.FILL, timezone.now() + FILL_AFTER
    return table


def _give_up(table: Match, user: User) -> Match:
    seats = seating.seats_of(table)
    seating.leave(seating.seat_with(seats, user))
    return _settle(table, seats)


def _next_table(old: Match, old_seats: Sequence[Seat], by: User) -> Match:
    """Return, locked, the table opened for the rematch; open it with its bots if there is none yet."""
    if old.rematch_id is not None:
        table = Match.objects.select_for_update().get(pk=old.rematch_id)
        if table.status != Match.Status.VOID:
            return table
    table = seating.lay_table(host=by, terms=Terms.of(old))
    for seat, before in zip(seating.seats_of(table), old_seats, strict=True):
        if before.user_id is None and before.bot:
            seating.seat_bot(seat, name=before.name, colour=before.colour)
    old.rematch = table
    old.save(update_fields=["rematch"])
    announcements.touch(old.pk)
    return table
