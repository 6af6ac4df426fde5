"""A rematch: the same people, seats and terms."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from accounts.models import User
from games import access
from games.broadcast import announcements
from games.errors import Refused
from games.models import Match, Seat
from games.services import lobby, seating
from games.terms.terms import Terms


@transaction.atomic
def join(*, match: Match, by: User, address: str = "") -> Match:
    """Return the table of the rematch. The first to ask opens it, and everybody gets the same seat as before.

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
    seating.take(seats, by, index=free, ready=True, address=lobby.if_rated(table, address))
    seating.require_few_tables(by.pk)
    return lobby.start_if_agreed(table, seats)


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
