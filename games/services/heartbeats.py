"""What a heartbeat of a person's page at a table finds and renews: players' pages send one every 20 seconds.

So all of it takes two statements, whose SQL is written out: one finds whether anything has changed by which the page
was let in or its lines are chosen, the other renews the lease of the seat. Only what has changed is worked out anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db import connection

from accounts.models import User
from accounts.selectors import is_let_in
from games import access
from games.errors import Refused
from games.match.table import Muted
from games.models import Match
from games.presence import leases

LOOK = """
SELECT games_match.revision,
    (SELECT COUNT(*) FROM accounts_block WHERE blocked_id = accounts_user.id),
    (SELECT COUNT(*) FROM accounts_block WHERE blocker_id = accounts_user.id),
    (SELECT MAX(id) FROM accounts_block WHERE blocker_id = accounts_user.id),
    EXISTS (
        SELECT 1 FROM games_mutedtable
        WHERE user_id = accounts_user.id AND match_id = COALESCE(games_match.series_id, games_match.id)
    ),
    games_match.status, is_active, password, session_epoch, is_staff, reads_typed
FROM games_match, accounts_user WHERE slug = %s AND accounts_user.id = %s
"""
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
    """What the first statement finds. Whoever was blocked may be kept from the table by each person who sits down."""

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
    with connection.cursor() as cursor:
        cursor.execute(LOOK, [slug, user_id])
        row = cursor.fetchone()
    return None if row is None else Look(row[0], row[1], row[2:])


def _admitted(page: Page) -> Admitted:
    if not is_let_in(page.user):
        raise Refused("ended")
    return access.admit(page.user, page.slug, page.cookies)
