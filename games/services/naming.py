"""A guest who was seated under a suggested name takes another one, at the table and from then on."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F

from accounts.models import User
from accounts.names import clean_name, refuse_taken
from games.broadcast import announcements
from games.errors import Refused
from games.match import series
from games.models import Match, Message
from games.services import seating
from games.services.chat import phrases_only


@transaction.atomic
def rename(*, match: Match, user: User, name: str) -> Match:
    """Rename a guest who sits at this table.

    Raises Refused ``bad_request``, ``not_seated``, ``finished``, ``name_taken``, ``suspended``, ``phrases_only``.
    """
    seating.lock_person(user)
    table = Match.objects.select_for_update(of=("self",)).get(pk=match.pk)
    if table.status not in Match.UNFINISHED:
        raise Refused("finished")
    if phrases_only(table):
        raise Refused("phrases_only")
    seats = seating.seats_of(table)
    seat = seating.seat_with(seats, user)
    user.name = _checked(user, name)
    if seating.has_double([other for other in seats if other != seat], user):
        raise Refused("name_taken")
    user.save(update_fields=["name"])
    seat.name = user.name
    seat.save(update_fields=["name"])
    written = Message.objects.filter(match__in=(table.pk, *series.before(table.pk, table.series_id)), user=user)
    written.update(name=user.name, changes=F("changes") + 1)
    announcements.touch(table.pk)
    announcements.touch_lobby()
    return table


def _checked(user: User, name: str) -> str:
    if not user.is_guest:
        raise Refused("bad_request")
    try:
        refuse_taken(cleaned := clean_name(name), by=user.pk)
    except ValidationError as error:
        raise Refused("bad_request", error.messages[0]) from None
    return cleaned
