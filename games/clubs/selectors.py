"""Clubs as their pages show them: lists, people and tournaments."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from django.db.models import Count, Exists, Model, Q, QuerySet

from accounts.names.rules import name_search_key
from accounts.selectors import suspension_of_outer_person
from games.enums import ClubStatus
from games.models import Club, ClubMember, Tournament

if TYPE_CHECKING:
    from accounts.models import User
    from games.access import Viewer

PAGE_SIZE = 20
MAX_LISTED = 50  # people who ask, and people who were removed
MAX_TOURNAMENTS = 20
Row = TypeVar("Row", bound=Model)


def clubs_page(query: str, page: int) -> tuple[list[Club], bool]:
    """Return the clubs whose name contains the query, the largest first, and whether another page follows."""
    rows = Club.objects.filter(closed_at=None)
    if key := name_search_key(query):
        rows = rows.filter(name_key__contains=key)
    return _page(rows.order_by("-members_count", "pk"), page)


def own_clubs(viewer: Viewer) -> list[tuple[Club, int]]:
    """Return the viewer's clubs, with the number of people who ask to join those that the viewer leads."""
    if viewer.pk is None:
        return []
    asking = Count("club__members", filter=Q(club__members__status=ClubStatus.ASKED, status=ClubStatus.LEADER))
    rows = ClubMember.objects.filter(user=viewer.pk).exclude(status=ClubStatus.REMOVED).select_related("club")
    return [(row.club, row.requests) for row in rows.annotate(requests=asking).order_by("club__name_key", "pk")]


def club_with_slug(slug: str) -> Club | None:
    return Club.objects.filter(slug=slug, closed_at=None).first()


def status_in(club: Club, viewer: Viewer) -> str:
    """Return what the viewer is in a club, "" for a stranger. People who were removed read it as strangers do."""
    if viewer.pk is None:
        return ""
    status = club.members.filter(user=viewer.pk).values_list("status", flat=True).first()
    return status if status is not None and status != ClubStatus.REMOVED else ""


def leaders_of(club: Club) -> list[ClubMember]:
    return list(_people(club, ClubStatus.LEADER).order_by("since", "pk"))


def members_page(club: Club, page: int) -> tuple[list[ClubMember], bool]:
    """Return the members who do not lead, the newest first, and whether another page follows."""
    return _page(_people(club, ClubStatus.MEMBER).order_by("-since", "-pk"), page)


def requests_to(club: Club) -> list[ClubMember]:
    return list(_people(club, ClubStatus.ASKED).order_by("pk")[:MAX_LISTED])


def removed_from(club: Club) -> list[ClubMember]:
    return list(_people(club, ClubStatus.REMOVED).order_by("-since", "-pk")[:MAX_LISTED])


def tournaments_of(club: Club) -> list[Tournament]:
    """Return the public tournaments of a club that run or come, the next first."""
    rows = club.tournaments.filter(stage__in=Tournament.UNFINISHED, visibility=Tournament.Visibility.PUBLIC)
    return list(rows.select_related("host", "club").order_by("starts_at", "pk")[:MAX_TOURNAMENTS])


def led_clubs(user: User) -> dict[str, Club]:
    """Return the clubs that a person leads, by slug."""
    rows = Club.objects.filter(members__user=user, members__status=ClubStatus.LEADER).order_by("name_key", "pk")
    return {row.slug: row for row in rows}


def _people(club: Club, status: ClubStatus) -> QuerySet[ClubMember]:
    """Return the people with this status. Suspended people are not listed."""
    rows = club.members.filter(status=status).select_related("user")
    return rows.exclude(Exists(suspension_of_outer_person("user")))


def _page(rows: QuerySet[Row], page: int) -> tuple[list[Row], bool]:
    """Return the rows of a page, from 1, and whether another page follows."""
    start = (page - 1) * PAGE_SIZE
    several = list(rows[start : start + PAGE_SIZE + 1])
    return several[:PAGE_SIZE], len(several) > PAGE_SIZE
