"""Names at tables: guests choose theirs, and moderators remove names."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F

from accounts.models import User
from accounts.names.rules import clean_name, name_search_key, refuse_taken_name
from games.broadcast import announcements
from games.chat.posting import allows_only_phrases
from games.errors import Refused
from games.match import series
from games.models import Entry, Match, Message, Seat
from games.services import seating

TABLE_ROOM = Message.Room.TABLE


@transaction.atomic
def rename_guest(*, match: Match, user: User, name: str) -> Match:
    """Rename a guest who sits at this table.

    Raises Refused ``bad_request``, ``not_seated``, ``finished``, ``name_taken``, ``suspended``, ``phrases_only``.
    """
    seating.lock_person(user)
    table = Match.objects.select_for_update(no_key=True, of=("self",)).get(pk=match.pk)
    if table.status not in Match.UNFINISHED:
        raise Refused("finished")
    if allows_only_phrases(table):
        raise Refused("phrases_only")
    seats = seating.seats_of(table)
    seat = seating.seat_of(seats, user.pk)
    user.name = _validate_name(user, name)
    if seating.has_similar_name([player for player in seats if player != seat], user):
        raise Refused("name_taken")
    user.save(update_fields=["name"])
    seat.name = user.name
    seat.save(update_fields=["name"])
    lines = Message.objects.filter(
        match__in=(table.pk, *series.earlier_match_ids(table.pk, table.series_id)), user=user
    )
    lines.update(name=user.name, changes=F("changes") + 1)
    announcements.touch_table(table.pk)
    announcements.touch_lobby()
    return table


@transaction.atomic
def replace_name_everywhere(user_id: int, before: str, after: str) -> None:
    """Replace a person's name at all seats, in all chat lines and in all tournaments that have it."""
    Entry.objects.filter(user=user_id, name=before).update(name=after)
    lines = Message.objects.filter(user=user_id, name=before)
    seats = Seat.objects.filter(user=user_id, name=before)
    match_ids = {
        *seats.values_list("match", flat=True),
        *lines.filter(room=TABLE_ROOM).values_list("match", flat=True),
    }
    spectator_chat_ids = set(lines.exclude(room=TABLE_ROOM).values_list("match", flat=True))
    seats.exclude(name_key="").update(name_key=name_search_key(after))
    seats.update(name=after)
    lines.update(name=after, changes=F("changes") + 1)
    for match_id in sorted(spectator_chat_ids):
        announcements.touch_spectator_chat(match_id)
    Match.objects.filter(pk__in=match_ids).update(revision=F("revision") + 1)
    revisions = Match.objects.filter(pk__in=match_ids).values_list("slug", "revision")
    announcements.announce(announcements.match_announcements(revisions))
    announcements.touch_lobby()


def _validate_name(user: User, name: str) -> str:
    if not user.is_guest:
        raise Refused("bad_request")
    try:
        refuse_taken_name(valid_name := clean_name(name), by=user.pk)
    except ValidationError as error:
        raise Refused("bad_request", error.messages[0]) from None
    return valid_name
