"""Finds the people whom a viewer may report for a line of chat, at a match, or by name.

The id of a line alone gives no access to it: the request must have the address of its match, and the viewer must be
able to read the line there now.
"""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from accounts.models import User
from games.access import can_see, is_over_for, seat_of, visible_match, visible_person
from games.enums import ChatRoom
from games.models import ClubMember, Match, Message
from games.moderation.cases.reporting import ReportedPlace
from games.spectators import delayed


class Reportable(NamedTuple):
    """The people whom the viewer may report, and the place of the report. ``note`` begins the words of the report."""

    people: list[User]
    place: ReportedPlace
    note: str = ""


def find_reportable(
    viewer: User, *, line: int | None, match: str, step: int | None, club: str, person: int | None
) -> Reportable:
    """Return whom the viewer may report. Raises Http404 if there is nobody else to see."""
    if line is not None:
        message = readable_line(viewer, match, line)
        people, place = [message.user], ReportedPlace(message.match, None, message)
    elif match:
        table = visible_match(viewer, match)
        seats = table.seats.filter(user__isnull=False).select_related("user").order_by("index")
        people, place = [seat.user for seat in seats], ReportedPlace(table, step)
    elif club:
        people, place = list(_leaders_of(club)), ReportedPlace()
    else:
        people, place = [visible_person(viewer, person or 0)], ReportedPlace()
    suspects = [suspect for suspect in people if suspect is not None and suspect.pk != viewer.pk]
    if not suspects:
        raise Http404(_("There is nobody to report here."))
    return Reportable(suspects, place, f"Club {club}: " if club else "")


def _leaders_of(slug: str) -> QuerySet[User]:
    leads = {"club_memberships__club__slug": slug, "club_memberships__status": ClubMember.Status.LEADER}
    return User.objects.filter(**leads).order_by("pk")


def readable_line(viewer: User, slug: str, line: int) -> Message:
    """Return a line that the viewer can read at the table with this slug. Raises Http404 otherwise."""
    lines = Message.objects.select_related("match", "user").filter(match__slug=slug, hidden=False)
    message = lines.filter(pk=line).first()
    if message is None or not can_see(viewer, message.match) or not _can_read(viewer, message):
        raise Http404(_("This message does not exist any more."))
    return message


def _can_read(viewer: User, message: Message) -> bool:
    """Return True if the viewer may read the room of this line, and the line has appeared there."""
    match = message.match
    if message.room == ChatRoom.SPECTATORS:
        return match.status not in Match.UNFINISHED or seat_of(viewer, match.pk) is None
    if message.room == ChatRoom.REVIEW:
        return is_over_for(viewer, match)
    until = delayed.chat_cutoff(match.pk, viewer.pk)
    return until is None or message.at <= until
