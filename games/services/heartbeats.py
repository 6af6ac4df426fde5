"""A heartbeat of a page at a table: checks that its person may stay, and renews the lease of the seat.

The pages of players send one every 20 seconds, so at human pace there are two of them for each move. The check and the
lease are one written SQL statement each: through the ORM they take 5 ms of CPU instead of 0.3, and a core would carry
fewer tables than it has to (docs/performance.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db import connection

from accounts.models import User
from accounts.selectors import has_access
from games import access
from games.errors import Refused
from games.match.table import Muted
from games.models import Match
from games.presence import leases

# The revision, the number of people who block this one, and what else the admission and the visible chat lines depend
# on.
SELECT_ADMISSION_INPUTS = """
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
Admission = tuple[Match, Muted]
AdmissionInputs = tuple[Any, ...]  # what the admission of a page and its visible chat lines depend on


@dataclass(frozen=True, slots=True)
class PageHeartbeat:
    """A heartbeat of a person's page at a table.

    ``cookies`` are those of its connection, ``admission_inputs`` those of its last admission, and ``lag_ms`` is None
    if not measured.
    """

    user: User
    slug: str
    match_id: int
    cookies: Mapping[str, str]
    is_seated: bool
    admission_inputs: AdmissionInputs
    lag_ms: int | None


class HeartbeatResult(NamedTuple):
    """The result of a heartbeat. ``admission`` is None if nothing has changed since the last admission."""

    revision: int = 0
    admission_inputs: AdmissionInputs = ()
    admission: Admission | None = None


def admit_page(user: User | AnonymousUser, slug: str, cookies: Mapping[str, str]) -> tuple[AdmissionInputs, Admission]:
    """Admit a page: return the inputs to compare with at its first heartbeat, and its match with the muted chats.

    Raises Http404.
    """
    # Read before the admission, so that a change in between is noticed.
    row = None if user.pk is None else _read_admission_inputs(user.pk, slug)
    return row[1:] if row else (), access.match_and_muted_chats(user, slug, cookies)


def handle_heartbeat(heartbeat: PageHeartbeat, *, now: datetime) -> HeartbeatResult:
    """Check that the person may stay, and renew the lease of the seat.

    Raises Refused ``ended`` if the account is no longer let in, Http404 if this person may no longer see the match.
    """
    row, admission = _read_admission_inputs(heartbeat.user.pk, heartbeat.slug), None
    revision, inputs = (row[0], row[1:]) if row else (0, ())
    if not inputs or inputs[0] or inputs != heartbeat.admission_inputs:  # one of the blockers may have sat down since
        admission = _admit_again(heartbeat)
    if heartbeat.is_seated:
        leases.renew_lease(match_id=heartbeat.match_id, user_id=heartbeat.user.pk, now=now, lag_ms=heartbeat.lag_ms)
    return HeartbeatResult(revision, inputs, admission)


def _read_admission_inputs(user_id: int, slug: str) -> tuple[Any, ...] | None:
    with connection.cursor() as cursor:
        cursor.execute(SELECT_ADMISSION_INPUTS, [slug, user_id])
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row


def _admit_again(heartbeat: PageHeartbeat) -> Admission:
    if not has_access(heartbeat.user):
        raise Refused("ended")
    return access.match_and_muted_chats(heartbeat.user, heartbeat.slug, heartbeat.cookies)
