"""The retention schedule, which ``/privacy/`` shows too.

The scheduler deletes expired rows once a day, ``manage.py clear_expired`` at any time. Records, seats, results and
rating changes stay; only ``delete_person`` removes a person from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog
from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts import traces
from accounts.login.guests import GUEST_SESSION_SECONDS
from accounts.login.suspended_guests import ADDRESS_RESTRICTION
from games.match.table import EXHIBITION_LIFETIME
from games.records import uploads
from games.retention import expired
from infrastructure.batches import process_in_batches
from infrastructure.outages import is_outage

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

log = structlog.get_logger()
ExpiredQuery = Callable[[datetime], QuerySet[Any]]
DeleteFunction = Callable[[QuerySet[Any], datetime], int]
BATCH_SIZE = 20  # rows in a transaction, for which moves have to wait
PEOPLE_BATCH_SIZE = 3  # deleting a person takes about thirty queries
MATCHES_BATCH_SIZE = 2  # a match has hundreds of events
HOURS_PER_DAY, DAYS_PER_YEAR = 24, 365


@dataclass(frozen=True, slots=True)
class RetentionRule:
    """A kind of data and how long it is stored; ``%(time)s`` in ``expiry_template`` stands for ``lifetime``.

    Without a query for ``expired_rows`` nothing is deleted here: the data stays, or a lease or cache expires.
    """

    key: str
    data: _StrPromise
    expiry_template: _StrPromise
    lifetime: timedelta = timedelta()
    expired_rows: ExpiredQuery | None = None
    delete: DeleteFunction = expired.delete_rows
    batch_size: int = BATCH_SIZE

    @property
    def expiry_text(self) -> str:
        return str(self.expiry_template) % {"time": duration_text(self.lifetime)}


def duration_text(duration: timedelta) -> str:
    """Return a length of time in whole years, in hours if it is less than a day, otherwise in days."""
    if 0 < (hours := duration // timedelta(hours=1)) < HOURS_PER_DAY:
        return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    years, rest = divmod(duration.days, DAYS_PER_YEAR)
    if years and not rest:
        return ngettext("%(count)d year", "%(count)d years", years) % {"count": years}
    return ngettext("%(count)d day", "%(count)d days", duration.days) % {"count": duration.days}


ACCOUNT_SESSION_LIFETIME = timedelta(seconds=settings.SESSION_COOKIE_AGE)
GUEST_SESSION_LIFETIME = timedelta(seconds=GUEST_SESSION_SECONDS)

RETENTION_SCHEDULE: tuple[RetentionRule, ...] = (
    RetentionRule(
        "accounts",
        _(
            "Accounts, and guests who have played or written: names, email addresses, settings, ratings, "
            "clubs, people you follow or block"
        ),
        _("Until you delete them; you can do that at any time"),
    ),
    RetentionRule(
        "guests",
        _("Guests who have not played or written"),
        _("%(time)s after your last visit"),
        timedelta(days=30),
        expired.unused_guests,
        expired.delete_people,
        PEOPLE_BATCH_SIZE,
    ),
    RetentionRule(
        "sessions",
        _("Browsers that are logged in to an account"),
        _("%(time)s after your last visit"),
        ACCOUNT_SESSION_LIFETIME,
        partial(expired.sessions, ACCOUNT_SESSION_LIFETIME),
    ),
    RetentionRule(
        "guest_sessions",
        _("Browsers that know you as a guest"),
        _("%(time)s after your last visit"),
        GUEST_SESSION_LIFETIME,
        partial(expired.sessions, GUEST_SESSION_LIFETIME),
    ),
    RetentionRule(
        "push_subscriptions",
        _("Browsers that may show you notifications"),
        _("Until you turn notifications off there, or your login there ends"),
        expired_rows=expired.push_subscriptions,
    ),
    RetentionRule(
        "tokens",
        _("Tokens for programs: their names, and when they were last used"),
        _("%(time)s after they end"),
        timedelta(days=30),
        expired.tokens,
    ),
    RetentionRule(
        "presence",
        _("Open pages, and who is watching which table"),
        _("A minute after the page is closed"),
    ),
    RetentionRule(
        "matches",
        _("Matches: records, seats, results, reports and rating changes"),
        _("Permanently; without your name once you delete your account"),
    ),
    RetentionRule(
        "open_data",
        _("Monthly files of public rated matches and daily boards, with codes in place of names"),
        _("Permanently, for everybody"),
    ),
    RetentionRule(
        "tournaments",
        _("Tournaments you entered: pairings and results"),
        _("Permanently; without your name once you delete your account"),
    ),
    RetentionRule(
        "exhibitions",
        _("Matches between bots that somebody has opened"),
        _("%(time)s after their end"),
        EXHIBITION_LIFETIME,
        expired.opened_exhibitions,
        batch_size=MATCHES_BATCH_SIZE,
    ),
    RetentionRule(
        "addresses",
        _("A hash of your network address at rated tables, unreadable without the site’s key"),
        _("Until the match is over; longer while a rematch is offered: at most %(time)s"),
        timedelta(days=1),
        expired.seat_addresses,
        expired.clear_seat_addresses,
    ),
    RetentionRule(
        "suspended_addresses",
        _("The same hash for a suspended guest"),
        _("%(time)s after the suspension"),
        ADDRESS_RESTRICTION,
        expired.sanction_addresses,
        expired.clear_sanction_addresses,
    ),
    RetentionRule(
        "tournament_addresses",
        _("The same hash in a rated tournament"),
        _("At most %(time)s after the tournament"),
        timedelta(days=1),
        expired.tournament_addresses,
        expired.clear_tournament_addresses,
    ),
    RetentionRule(
        "traces",
        _(
            "The same hash for network addresses you used, and for a random number in your browser. Moderators see "
            "how many others used the same ones. The lobby gives each address a fair share."
        ),
        _("%(time)s after your last visit from there"),
        traces.LIFETIME,
        expired.traces,
    ),
    RetentionRule(
        "limits",
        _("How often a network address or account opens pages or tries passwords"),
        _("At most a day, in memory only"),
    ),
    RetentionRule(
        "chat",
        _("Chat messages of tables"),
        _("%(time)s after the end of the match; longer while a rematch is played or a report about it is open"),
        timedelta(days=180),
        expired.chat_lines,
        expired.delete_chat_lines,
    ),
    RetentionRule(
        "muted_tables",
        _("Tables you have muted"),
        _("%(time)s after the end of the match"),
        timedelta(days=180),
        expired.muted_tables,
    ),
    RetentionRule(
        "invitations",
        _("Invitations to tables"),
        _("%(time)s; longer while the table is open"),
        timedelta(days=30),
        expired.invitations,
    ),
    RetentionRule(
        "absences",
        _("When and why you were marked as away from a table"),
        _("%(time)s; longer while the match is played"),
        timedelta(days=180),
        expired.absences,
    ),
    RetentionRule(
        "conduct",
        _("Your conduct points, line by line"),
        _("%(time)s; longer while a line still counts"),
        timedelta(days=180),
        expired.people_with_old_marks,
        expired.delete_conduct_marks,
    ),
    RetentionRule(
        "notices",
        _("Notices you have closed"),
        _("%(time)s after you close them"),
        timedelta(days=30),
        expired.notices,
    ),
    RetentionRule(
        "cases",
        _("Reports, and what moderators decided"),
        _("%(time)s after the decision; longer while a mute or suspension of the person is stored"),
        timedelta(days=2 * DAYS_PER_YEAR),
        expired.cases,
    ),
    RetentionRule(
        "sanctions",
        _("Mutes and suspensions, and appeals against them"),
        _("%(time)s after they end"),
        timedelta(days=2 * DAYS_PER_YEAR),
        expired.sanctions,
    ),
    RetentionRule(
        "acts",
        _("The log of moderators’ actions, their reasons, and when they viewed your private data"),
        _("Permanently, so that nothing can be hidden; without the names of deleted accounts"),
    ),
    RetentionRule(
        "uploads",
        _("Match records you upload to review"),
        _("%(time)s; only you can see them"),
        uploads.UPLOAD_LIFETIME,
        expired.uploaded_records,
    ),
)


def delete_expired(now: datetime) -> Iterator[tuple[str, int]]:
    """Delete expired rows in small transactions. Yield the key of a rule and the number of deleted rows."""
    for rule in RETENTION_SCHEDULE:
        if rule.expired_rows is not None:
            cutoff = now - rule.lifetime
            delete_batch = partial(_delete_batch, rule.expired_rows, rule.delete, cutoff)
            try:
                for count in process_in_batches(rule.expired_rows(cutoff), delete_batch, size=rule.batch_size):
                    yield rule.key, count
            except Exception as error:
                if is_outage(error):
                    raise
                log.exception("forgetting_failed", what=rule.key)
            yield rule.key, 0


def _delete_batch(expired_rows: ExpiredQuery, delete: DeleteFunction, cutoff: datetime, batch: list[Any]) -> int:
    """Delete the rows of a locked batch that are still expired."""
    return delete(expired_rows(cutoff).filter(pk__in=[row.pk for row in batch]), cutoff)
