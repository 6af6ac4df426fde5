"""What each viewer may see and do. Every view and consumer asks here first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import blocks, follows
from accounts.models import Block, Sanction, User
from accounts.sanctions.wording import sanction_text_late
from accounts.selectors import mutes, shut_out
from games.enums import Room
from games.errors import Refused
from games.match import disclosure
from games.match.table import Muted
from games.models import Match, Message, MutedTable, Seat

if TYPE_CHECKING:
    Viewer = User | AnonymousUser

MUTED_TABLES = "muted-tables"
"""The cookie of visitors."""
STRANGER = AnonymousUser()
"""The viewer of pages that are the same for everybody."""


def can_see(user: Viewer, match: Match) -> bool:
    """Return whether the user may see this match: anybody with the address may, unless a player has blocked them.

    An unlisted address cannot be guessed. Void matches are for their players and staff.
    """
    if user.is_staff:
        return True
    if match.status == Match.Status.VOID:
        return seat_of(user, match.pk) is not None
    return not is_blocked_here(user, match)


def is_blocked_here(user: Viewer, match: Match) -> bool:
    """Return whether a player has blocked this viewer, a spectator. Blocks count until the end is public."""
    if user.pk is None or (match.status not in Match.UNFINISHED and disclosure.is_public(match, timezone.now())):
        return False
    return not Match.objects.filter(open_to(user.pk), pk=match.pk).exists()


def open_to(user_id: int) -> Q:
    """Return the unfinished matches that no block keeps this person from watching."""
    blockers = Block.objects.filter(blocked=user_id).values("blocker")
    seats = Seat.objects.filter(match=OuterRef("pk"))
    return ~Exists(seats.filter(user__in=blockers)) | Exists(seats.filter(user=user_id))


def restricted_viewer(user: Viewer) -> int | None:
    """Return the id of a person whom somebody has blocked, so that some tables are not listed, otherwise None."""
    if user.pk is None or user.is_staff or not Block.objects.filter(blocked=user.pk).exists():
        return None
    return user.pk


def require_welcome(user: User, match_id: int) -> None:
    """Raises Refused ``no_table``, which does not say why, if somebody at this table has blocked the person."""
    if Seat.objects.filter(match=match_id, user__blocks__blocked=user.pk).exists():
        raise Refused("no_table")


def without_blocks(user_id: int) -> Q:
    """Return the tables without anybody whom the person has blocked, or by whom the person is blocked."""
    return Q(~Exists(Seat.objects.filter(match=OuterRef("pk"), user__in=blocks.apart_from(user_id))))


def visible_match(user: Viewer, slug: str) -> Match:
    """Return the match at this address. Raises Http404 where there is none for this viewer."""
    match = Match.objects.filter(slug=slug).first()
    if match is None or not can_see(user, match):
        raise Http404(_("This table does not exist, or it is gone."))
    return match


def admit(user: Viewer, slug: str, cookies: Mapping[str, str]) -> tuple[Match, Muted]:
    """Return the match at this address, and what its viewer does not read there. Raises Http404."""
    match = visible_match(user, slug)
    return match, muted(user, match, cookies)


def muted(user: Viewer, match: Match, cookies: Mapping[str, str]) -> Muted:
    """Return what this viewer does not read of the chats: the people blocked, or all where the table is muted.

    Of the tables that a visitor has muted the browser keeps a list.
    """
    if user.pk is None:
        return Muted(table=match.slug in muted_slugs(cookies))
    rows = MutedTable.objects.filter(user=user.pk, match=match.series_id or match.pk)
    return Muted(blocks.blocked_by(user.pk), rows.exists(), not user.reads_typed)


def muted_slugs(cookies: Mapping[str, str]) -> list[str]:
    """Return the tables that a visitor has muted in this browser."""
    return cookies.get(MUTED_TABLES, "").split(".")


def match_for_strangers(user: Viewer, slug: str) -> Match:
    """Return a match for a page that shows it as a ``STRANGER`` sees it. Raises Http404.

    ``user`` matters only for blocks, and so only while the match lasts. Afterwards caches may keep such pages.
    """
    match = visible_match(STRANGER, slug)
    if not is_over(STRANGER, match) and not can_see(user, match):
        raise Http404(_("This table does not exist, or it is gone."))
    return match


def may_know(user: Viewer, match: Match) -> bool:
    """Return whether this viewer may know all that has happened in the match: with a delay, spectators learn it later.

    Sockets, which hold a table and ask nothing of the database, ask ``delayed.sees_delayed``.
    """
    return disclosure.is_public(match, timezone.now()) or seat_of(user, match.pk) is not None


def is_over(user: Viewer, match: Match) -> bool:
    """Return whether the match is over as far as this viewer may know."""
    return match.status not in Match.UNFINISHED and may_know(user, match)


def is_listed(match: Match) -> bool:
    """Return whether everybody finds the finished match in the history; unlisted ones are only for their players."""
    return match.visibility == Match.Visibility.PUBLIC and match.status != Match.Status.VOID


def listed_matches(user: Viewer) -> Q:
    """Return the matches that the history lists for this viewer: the listed ones, their own, void ones for staff.

    Tables that closed before anybody played are not among them.
    """
    shown = Q(visibility=Match.Visibility.PUBLIC)
    if not user.is_staff:
        shown &= ~Q(status=Match.Status.VOID)
    shown &= disclosure.public()
    if user.pk is not None:
        shown |= Q(Exists(Seat.objects.filter(match=OuterRef("pk"), user=user.pk)))
    return shown & Q(started_at__isnull=False, finished_at__isnull=False)


def listed_seats(user: Viewer) -> Q:
    """Return the seats of the same matches."""
    shown = Q(listed=True) & ~Q(match__in=disclosure.withheld_keys())
    if user.is_staff:
        shown |= Q(match__visibility=Match.Visibility.PUBLIC, match__status=Match.Status.VOID)
    if user.pk is not None:
        shown |= Q(match__in=Seat.objects.filter(user=user.pk).values("match"))
    return shown & Q(finished_at__isnull=False)


def known_person(viewer: Viewer, person_id: int, *, has_matches: bool = False) -> User:
    """Return a person who has a page for this viewer. Raises Http404 for others, so that no number tells who is here.

    The person sat or wrote at a public table or at one of the viewer's, or is followed or blocked by the viewer.
    ``has_matches``: the history lists matches of this person for the viewer, so nothing more has to be checked.
    """
    if viewer.pk == person_id:
        return viewer
    person = follows.marked(_with_page(viewer).filter(pk=person_id), viewer.pk).first()
    if person is None or not (has_matches or person.is_blocked or person.is_followed or _has_met(viewer, person_id)):
        raise Http404(_("There is no such player, or they have played no public match."))
    return person


def _with_page(viewer: Viewer) -> QuerySet[User]:
    """Return the people whom this viewer may look for: closed accounts are gone for all but the staff."""
    people = User.objects.filter(is_active=True)
    return people if viewer.is_staff else people.filter(is_closed=False)


def _has_met(viewer: Viewer, person_id: int) -> bool:
    if _was_at(Q(match__visibility=Match.Visibility.PUBLIC), person_id):
        return True
    if viewer.pk is None:
        return False
    return _was_at(Q(match__in=Seat.objects.filter(user=viewer.pk).values("match")), person_id)


def _was_at(tables: Q, person_id: int) -> bool:
    sat, wrote = Seat.objects.filter(tables, user=person_id), Message.objects.filter(tables, user=person_id)
    return sat.exists() or wrote.filter(hidden=False).exists()


def seat_of(user: Viewer, match_id: int) -> int | None:
    """Return the index of the user's seat, None for spectators and visitors."""
    if user.pk is None:
        return None
    return Seat.objects.filter(match_id=match_id, user_id=user.pk).values_list("index", flat=True).first()


def require_not_suspended(user_id: int) -> None:
    """Raises Refused ``suspended`` with the reason and the end."""
    if sanction := shut_out(user_id):
        raise Refused("suspended", sanction_text_late(sanction))


def require_not_muted(user_id: int, match: Match, room: str) -> None:
    """Raises Refused ``muted`` with the reason and the end for somebody who cannot write in this chat."""
    for mute in mutes(user_id):
        if _is_for(mute, match, room):
            raise Refused("muted", sanction_text_late(mute))


def mute_text(user_id: int | None, match: Match, room: str) -> str:
    """Return what somebody who is muted in this chat sees in place of its form, "" for others."""
    try:
        require_not_muted(user_id or 0, match, room)
    except Refused as refused:
        return str(refused.text)
    return ""


def _is_for(mute: Sanction, match: Match, room: str) -> bool:
    """Return whether a mute is for this chat of a match."""
    if mute.scope == Sanction.Scope.TABLE:
        return bool(mute.facts["table"] == table_of(match))
    return mute.scope == Sanction.Scope.EVERYWHERE or room != Room.TABLE


def table_of(match: Match) -> str:
    """Return what names the table of a match and its rematches: the slug of the first of them."""
    return match.slug if match.series is None else match.series.slug
