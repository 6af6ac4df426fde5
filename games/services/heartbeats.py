"""What a heartbeat of a person's page at a table finds and renews. The pages of players send one every 20 seconds.

It looks for changes of what the page was let in by and its lines are chosen by, and renews the lease of the seat. The
person is admitted again only after such a change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Max

from accounts.models import Block, User
from accounts.selectors import is_let_in
from games import access
from games.errors import Refused
from games.match.table import Muted
from games.models import Match, MutedTable
from games.presence import leases

# What of a person decides whether a page may stay, and which lines of the chat it shows.
OF_PERSON = ("is_active", "password", "session_epoch", "is_staff", "reads_typed")
Admitted = tuple[Match, Muted]
Signs = tuple[Any, ...]
"""What the admission of a page depends on, and which lines it shows."""


@dataclass(frozen=True, slots=True)
class Page:
    """A person's page at a table.

    ``cookies`` are those that it came with, ``signs`` those by which it was let in last. ``lag_ms`` is the lag of its
    line, None if that is not known.
    """

    user: User
    slug: str
    match_id: int
    cookies: Mapping[str, str]
    seated: bool
    signs: Signs
    lag_ms: int | None


class Found(NamedTuple):
    """What a heartbeat finds: ``admitted`` are the match and what its viewer does not read, None if as before."""

    revision: int
    signs: Signs
    admitted: Admitted | None


NOTHING = Found(0, (), None)


class Look(NamedTuple):
    """What may have changed. Each person who sits down may keep those from the table whom they have blocked."""

    revision: int
    blockers: int
    signs: Signs


def admit(user: User | AnonymousUser, slug: str, cookies: Mapping[str, str]) -> tuple[Signs, Admitted]:
    """Let a page in: return the signs for its first heartbeat beside what ``access.admit`` does. Raises Http404."""
    look = None if user.pk is None else _look(user.pk, slug)  # first: what changes meanwhile is found
    return look.signs if look else (), access.admit(user, slug, cookies)


def beat(page: Page, *, now: datetime) -> Found:
    """Check that the person may still be there, and renew what a heartbeat renews.

    Raises Refused ``ended`` for whoever is no longer let in, and Http404 where there is no match for this viewer.
    """
    look, admitted = _look(page.user.pk, page.slug), None
    if look is None or look.blockers or look.signs != page.signs:
        admitted = _admitted(page)
    signs, revision = (look.signs, look.revision) if look else ((), 0)
    if page.seated:
        leases.renew(match_id=page.match_id, user_id=page.user.pk, now=now, lag_ms=page.lag_ms)
    return Found(revision, signs, admitted)


def _look(user_id: int, slug: str) -> Look | None:
    match = Match.objects.filter(slug=slug).values_list("revision", "status", "pk", "series_id").first()
    person = User.objects.filter(pk=user_id).values_list(*OF_PERSON).first()
    if match is None or person is None:
        return None
    revision, status, match_id, series_id = match
    blocks = Block.objects.filter(blocker=user_id).aggregate(number=Count("pk"), newest=Max("pk"))
    is_muted = MutedTable.objects.filter(user=user_id, match=series_id or match_id).exists()
    blockers = Block.objects.filter(blocked=user_id).count()
    return Look(revision, blockers, (blockers, blocks, is_muted, status, *person))


def _admitted(page: Page) -> Admitted:
    if not is_let_in(page.user):
        raise Refused("ended")
    return access.admit(page.user, page.slug, page.cookies)
