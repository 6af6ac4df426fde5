"""What a viewer may report: a line of chat, the players of a match, or a person.

The number of a line is not enough to see it: the address of its match has to come with it, and the viewer must be able
to read the line there now.
"""

from __future__ import annotations

from typing import NamedTuple

from django.http import Http404
from django.utils.translation import gettext as _

from accounts.models import User
from games.access import can_see, is_over, known_person, seat_of, visible_match
from games.enums import Room
from games.models import Match, Message
from games.moderation.cases.reporting import ReportedPlace
from games.spectators import delayed


class Reportable(NamedTuple):
    """The people whom a report may be about, and the place where the viewer saw them."""

    people: list[User]
    place: ReportedPlace


def find(viewer: User, *, line: int | None, match: str, step: int | None, person: int | None) -> Reportable:
    """Return whom the viewer may report. Raises Http404 where the viewer sees nobody else."""
    if line is not None:
        message = readable_line(viewer, match, line)
        people, place = [message.user], ReportedPlace(message.match, None, message)
    elif match:
        table = visible_match(viewer, match)
        seats = table.seats.filter(user__isnull=False).select_related("user").order_by("index")
        people, place = [seat.user for seat in seats], ReportedPlace(table, step)
    else:
        people, place = [known_person(viewer, person or 0)], ReportedPlace()
    others = [each for each in people if each is not None and each.pk != viewer.pk]
    if not others:
        raise Http404(_("There is nobody to report here."))
    return Reportable(others, place)


def readable_line(viewer: User, slug: str, line: int) -> Message:
    """Return a line that the viewer can read at the table with this address. Raises Http404 for any other."""
    lines = Message.objects.select_related("match", "user").filter(match__slug=slug, hidden=False)
    message = lines.filter(pk=line).first()
    if message is None or not can_see(viewer, message.match) or not _can_read(viewer, message):
        raise Http404(_("This line does not exist, or it is gone."))
    return message


def _can_read(viewer: User, message: Message) -> bool:
    """Return whether the room of this line is open to the viewer, and the line is shown there by now."""
    match = message.match
    if message.room == Room.SPECTATORS:
        return match.status not in Match.UNFINISHED or seat_of(viewer, match.pk) is None
    if message.room == Room.REVIEW:
        return is_over(viewer, match)
    until = delayed.said_until(match.pk, viewer.pk)
    return until is None or message.at <= until
