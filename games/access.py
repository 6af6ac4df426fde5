"""Access rules: what a viewer may see and do. Every view and consumer checks them first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import blocks, follows
from accounts.models import Block, Sanction, User
from accounts.sanctions.wording import lazy_sanction_text
from accounts.selectors import active_mutes, active_suspension
from games.enums import ChatRoom
from games.errors import Refused
from games.match import disclosure
from games.match.table import Muted
from games.models import Match, Message, MutedTable, Seat
from infrastructure.not_found import ExplainedNotFound

if TYPE_CHECKING:
    Viewer = User | AnonymousUser

MUTED_TABLES = "muted-tables"  # a cookie of visitors
ANONYMOUS_VIEWER = AnonymousUser()  # the viewer of pages that are the same for everybody


def can_see(user: Viewer, match: Match) -> bool:
    """Return True if the user may see this match: anybody with the slug may, unless a player has blocked them.

    The slug of an unlisted match cannot be guessed. Void matches are visible to their players and staff, open boards
    to their players only.
    """
    if disclosure.is_open_board(match, timezone.now()):
        return seat_of(user, match.pk) is not None
    if user.is_staff:
        return True
    if match.status == Match.Status.VOID:
        return seat_of(user, match.pk) is not None
    return not is_blocked_from(user, match)


def is_blocked_from(user: Viewer, match: Match) -> bool:
    """Return True if a player has blocked this spectator. Blocks apply until the end of the match is public."""
    if user.pk is None or (
        match.status not in Match.UNFINISHED and disclosure.are_all_events_public(match, timezone.now())
    ):
        return False
    return not Match.objects.filter(unblocked_matches(user.pk), pk=match.pk).exists()


def unblocked_matches(user_id: int) -> Q:
    """Return a filter for unfinished matches that no block keeps this person from watching."""
    blockers = Block.objects.filter(blocked=user_id).values("blocker")
    seats = Seat.objects.filter(match=OuterRef("pk"))
    return ~Exists(seats.filter(user__in=blockers)) | Exists(seats.filter(user=user_id))


def restricted_viewer_id(user: Viewer) -> int | None:
    """Return the id of a person whom somebody has blocked, so that some tables are not listed, otherwise None."""
    if user.pk is None or user.is_staff or not Block.objects.filter(blocked=user.pk).exists():
        return None
    return user.pk


def require_not_blocked(user: User, match_id: int) -> None:
    """Raises Refused ``no_table`` if somebody at this table has blocked the person, without revealing the block."""
    if Seat.objects.filter(match=match_id, user__blocks__blocked=user.pk).exists():
        raise Refused("no_table")


def tables_without_blocked_people(user_id: int) -> Q:
    """Return a filter for tables without anybody whom the person has blocked or who has blocked the person."""
    return Q(~Exists(Seat.objects.filter(match=OuterRef("pk"), user__in=blocks.ids_with_block_between(user_id))))


def visible_match(user: Viewer, slug: str) -> Match:
    """Return the match with this slug. Raises Http404 if there is none for this viewer."""
    match = Match.objects.filter(slug=slug).first()
    if match is None or not can_see(user, match):
        raise no_such_match()
    return match


def no_such_match() -> ExplainedNotFound:
    """Return the same explanation for all reasons, so that nobody learns of a block."""
    return ExplainedNotFound(
        _(
            "This match does not exist, it is gone, or it was declared void. "
            "Matches between bots are deleted after some time."
        )
    )


def match_and_muted_chats(user: Viewer, slug: str, cookies: Mapping[str, str]) -> tuple[Match, Muted]:
    """Return the match with this slug, and the chats that its viewer has muted. Raises Http404."""
    match = visible_match(user, slug)
    return match, muted_chats(user, match, cookies)


def muted_chats(user: Viewer, match: Match, cookies: Mapping[str, str]) -> Muted:
    """Return which lines of a match's chats are hidden from this viewer. Visitors have a cookie with muted tables."""
    if user.pk is None:
        return Muted(table=match.slug in muted_slugs(cookies))
    rows = MutedTable.objects.filter(user=user.pk, match=match.series_id or match.pk)
    return Muted(blocks.blocked_ids(user.pk), rows.exists(), not user.reads_typed)


def muted_slugs(cookies: Mapping[str, str]) -> list[str]:
    """Return the slugs of the tables that a visitor has muted."""
    return cookies.get(MUTED_TABLES, "").split(".")


def match_for_public_page(user: Viewer, slug: str) -> Match:
    """Return a match for a page that shows it to ``ANONYMOUS_VIEWER``. Raises Http404.

    ``user`` matters only for blocks, and only until the match ends. After that the page can be cached.
    """
    match = visible_match(ANONYMOUS_VIEWER, slug)
    if not is_over_for(ANONYMOUS_VIEWER, match) and not can_see(user, match):
        raise no_such_match()
    return match


def may_know_current_state(user: Viewer, match: Match) -> bool:
    """Return True if this viewer may know the current state of the match, which spectators may see with a delay.

    Sockets have the table in memory, and use ``delayed.sees_delayed`` instead of queries.
    """
    return disclosure.are_all_events_public(match, timezone.now()) or seat_of(user, match.pk) is not None


def is_over_for(user: Viewer, match: Match) -> bool:
    """Return True if the match is over as far as this viewer may know. An open board is not, for review and record."""
    if match.status in Match.UNFINISHED or disclosure.is_open_board(match, timezone.now()):
        return False
    return may_know_current_state(user, match)


def is_publicly_listed(match: Match) -> bool:
    """Return True if the history lists a finished match for everybody, not only for its players."""
    return match.visibility == Match.Visibility.PUBLIC and match.status != Match.Status.VOID


def listed_matches(user: Viewer) -> Q:
    """Return a filter for the matches in this viewer's history: public ones, their own, and void ones for staff.

    Tables that closed before the match are not in it.
    """
    listed = Q(visibility=Match.Visibility.PUBLIC)
    if not user.is_staff:
        listed &= ~Q(status=Match.Status.VOID)
    listed &= disclosure.disclosed_matches()
    if user.pk is not None:
        own = Q(Exists(Seat.objects.filter(match=OuterRef("pk"), user=user.pk)))
        listed |= own & ~Q(pk__in=disclosure.open_board_ids())
    return listed & Q(started_at__isnull=False, finished_at__isnull=False)


def listed_seats(user: Viewer) -> Q:
    """Return a filter for the seats of the same matches."""
    listed = Q(listed=True) & ~Q(match__in=disclosure.undisclosed_match_ids())
    if user.is_staff:
        listed |= Q(match__visibility=Match.Visibility.PUBLIC, match__status=Match.Status.VOID)
    if user.pk is not None:
        own = Q(match__in=Seat.objects.filter(user=user.pk).values("match"))
        listed |= own & ~Q(match__in=disclosure.open_board_ids())
    return listed & Q(finished_at__isnull=False)


def visible_person(viewer: Viewer, person_id: int, *, has_matches: bool = False) -> User:
    """Return a person whose page this viewer may see. Raises Http404 for others, so that ids reveal nobody.

    The person sat or wrote at a public table or at one of the viewer's, or the viewer follows or blocks them.
    Bots have a public page.
    ``has_matches``: the viewer's history has matches of this person, so these need no check.
    """
    if viewer.pk == person_id:
        return viewer
    person = follows.annotate_relations(_people_with_page(viewer).filter(pk=person_id), viewer.pk).first()
    is_public = person is not None and (has_matches or person.is_bot or person.is_blocked or person.is_followed)
    if person is None or not (is_public or _has_met(viewer, person_id)):
        raise ExplainedNotFound(_("This player does not exist, or has not played a public match."))
    return person


def _people_with_page(viewer: Viewer) -> QuerySet[User]:
    """Return the people who can have a page for this viewer. Closed accounts are visible to staff only."""
    people = User.objects.filter(is_active=True)
    return people if viewer.is_staff else people.filter(is_closed=False)


def _has_met(viewer: Viewer, person_id: int) -> bool:
    if _was_at_table(Q(match__visibility=Match.Visibility.PUBLIC), person_id):
        return True
    if viewer.pk is None:
        return False
    return _was_at_table(Q(match__in=Seat.objects.filter(user=viewer.pk).values("match")), person_id)


def _was_at_table(tables: Q, person_id: int) -> bool:
    seats, messages = Seat.objects.filter(tables, user=person_id), Message.objects.filter(tables, user=person_id)
    return seats.exists() or messages.filter(hidden=False).exists()


def seat_of(user: Viewer, match_id: int) -> int | None:
    """Return the index of the user's seat, None for spectators and visitors."""
    if user.pk is None:
        return None
    return Seat.objects.filter(match_id=match_id, user_id=user.pk).values_list("index", flat=True).first()


def require_not_suspended(user_id: int) -> None:
    """Raises Refused ``suspended``, with the reason and the end, for a suspended person."""
    if sanction := active_suspension(user_id):
        raise Refused("suspended", lazy_sanction_text(sanction))


def require_not_muted(user_id: int, match: Match, room: str) -> None:
    """Raises Refused ``muted``, with the reason and the end, for somebody who cannot write in this chat."""
    for mute in active_mutes(user_id):
        if _mute_applies(mute, match, room):
            raise Refused("muted", lazy_sanction_text(mute))


def mute_text(user_id: int | None, match: Match, room: str) -> str:
    """Return the text that replaces the chat form for a muted person, "" for others."""
    try:
        require_not_muted(user_id or 0, match, room)
    except Refused as refusal:
        return str(refusal.text)
    return ""


def _mute_applies(mute: Sanction, match: Match, room: str) -> bool:
    """Return True if a mute applies to this chat of a match."""
    if mute.scope == Sanction.Scope.TABLE:
        return bool(mute.facts["table"] == table_slug(match))
    return mute.scope == Sanction.Scope.EVERYWHERE or room != ChatRoom.TABLE


def table_slug(match: Match) -> str:
    """Return the name of the table of a match and its rematches: the slug of the first match."""
    return match.slug if match.series is None else match.series.slug
