"""The table of retention times, which ``/privacy/`` shows too.

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
from accounts.login.guests import SESSION_SECONDS
from accounts.login.returning import SHUT
from games.records import uploads
from games.retention import expired
from infrastructure.batches import batches
from infrastructure.outages import is_outage

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

log = structlog.get_logger()
Rows = Callable[[datetime], QuerySet[Any]]
Forget = Callable[[QuerySet[Any], datetime], int]
BATCH = 20  # rows in a transaction, for which moves at the tables wait
PEOPLE_BATCH = 3  # deleting a person takes about thirty queries
HOURS_A_DAY, DAYS_A_YEAR = 24, 365


@dataclass(frozen=True, slots=True)
class Item:
    """A kind of data, and how long it is stored; ``%(time)s`` in ``until`` stands for ``time``.

    ``rows`` returns the expired rows. Without it nothing is deleted here: it stays, or a lease or cache ends it.
    """

    key: str
    what: _StrPromise
    until: _StrPromise
    time: timedelta = timedelta()
    rows: Rows | None = None
    forget: Forget = expired.delete
    batch: int = BATCH

    @property
    def until_text(self) -> str:
        return str(self.until) % {"time": length_text(self.time)}


def length_text(time: timedelta) -> str:
    """Return a length of time in whole years, in hours if it is less than a day, otherwise in days."""
    if 0 < (hours := time // timedelta(hours=1)) < HOURS_A_DAY:
        return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    years, rest = divmod(time.days, DAYS_A_YEAR)
    if years and not rest:
        return ngettext("%(count)d year", "%(count)d years", years) % {"count": years}
    return ngettext("%(count)d day", "%(count)d days", time.days) % {"count": time.days}


ACCOUNT_SESSION = timedelta(seconds=settings.SESSION_COOKIE_AGE)
GUEST_SESSION = timedelta(seconds=SESSION_SECONDS)

TABLE: tuple[Item, ...] = (
    Item(
        "accounts",
        _(
            "Accounts, and guests who have played or written: names, email addresses, settings, ratings, "
            "people you follow or block"
        ),
        _("Until you delete them; you can do that at any time"),
    ),
    Item(
        "guests",
        _("Guests who have not played or written"),
        _("%(time)s from your last visit"),
        timedelta(days=30),
        expired.guests,
        expired.delete_people,
        PEOPLE_BATCH,
    ),
    Item(
        "sessions",
        _("Browsers that are logged in to an account"),
        _("%(time)s from your last visit"),
        ACCOUNT_SESSION,
        partial(expired.sessions, ACCOUNT_SESSION),
    ),
    Item(
        "guest_sessions",
        _("Browsers that know you as a guest"),
        _("%(time)s from your last visit"),
        GUEST_SESSION,
        partial(expired.sessions, GUEST_SESSION),
    ),
    Item(
        "push_subscriptions",
        _("Browsers that may show you notifications"),
        _("Until you turn notifications off there, or your login there ends"),
        rows=expired.subscriptions,
    ),
    Item(
        "presence",
        _("Open pages, and who is watching which table"),
        _("A minute after the page is closed"),
    ),
    Item(
        "matches",
        _("Matches: records, seats, results, reports and rating changes"),
        _("Permanently; without your name once you delete your account"),
    ),
    Item(
        "addresses",
        _("A hash of your network address at rated tables, unreadable without the site’s key"),
        _("Until the match is over; longer while a rematch is offered: at most %(time)s"),
        timedelta(days=1),
        expired.addresses,
        expired.empty_addresses,
    ),
    Item(
        "suspended_addresses",
        _("The same hash for a suspended guest"),
        _("%(time)s from the suspension"),
        SHUT,
        expired.suspended_addresses,
        expired.empty_suspended_addresses,
    ),
    Item(
        "traces",
        _(
            "The same hash for network addresses you used, and for a random number in your browser. Moderators see "
            "how many others used the same ones. The lobby gives each address a fair share."
        ),
        _("%(time)s from your last visit from there"),
        traces.LIFETIME,
        expired.traces,
    ),
    Item(
        "limits",
        _("How often a network address or account opens pages or tries passwords"),
        _("At most a day, in memory only"),
    ),
    Item(
        "chat",
        _("Chat messages of tables"),
        _("%(time)s from the end of the match; longer while a rematch is played or a report about it is open"),
        timedelta(days=180),
        expired.chat,
        expired.delete_chat,
    ),
    Item(
        "muted_tables",
        _("Tables you have muted"),
        _("%(time)s from the end of the match"),
        timedelta(days=180),
        expired.muted_tables,
    ),
    Item(
        "invitations",
        _("Invitations to tables"),
        _("%(time)s; longer while the table is open"),
        timedelta(days=30),
        expired.invitations,
    ),
    Item(
        "absences",
        _("When and why you counted as away from a table"),
        _("%(time)s; longer while the match is played"),
        timedelta(days=180),
        expired.absences,
    ),
    Item(
        "conduct",
        _("Your conduct points, line by line"),
        _("%(time)s; longer while a line still counts"),
        timedelta(days=180),
        expired.with_old_marks,
        expired.delete_marks,
    ),
    Item(
        "notices",
        _("Notices you have closed"),
        _("%(time)s from the day you close them"),
        timedelta(days=30),
        expired.notices,
    ),
    Item(
        "cases",
        _("Reports, and what moderators decided"),
        _("%(time)s from the decision; longer while a mute or suspension of the person is stored"),
        timedelta(days=2 * DAYS_A_YEAR),
        expired.cases,
    ),
    Item(
        "sanctions",
        _("Mutes and suspensions, and appeals against them"),
        _("%(time)s from their end"),
        timedelta(days=2 * DAYS_A_YEAR),
        expired.sanctions,
    ),
    Item(
        "acts",
        _("The log of moderators’ acts and reasons, and of when they viewed your private data"),
        _("Permanently, so that nothing can be hidden; without the names of deleted accounts"),
    ),
    Item(
        "uploads",
        _("Match records you upload to review"),
        _("%(time)s; only you can see them"),
        uploads.LIFETIME,
        expired.uploads,
    ),
)


def forget_expired(now: datetime) -> Iterator[tuple[str, int]]:
    """Delete expired rows in small transactions. Yields the key of an item and the number of deleted rows."""
    for item in TABLE:
        if item.rows is not None:
            moment = now - item.time
            work = partial(_forget, item.rows, item.forget, moment)
            try:
                for count in batches(item.rows(moment), work, size=item.batch):
                    yield item.key, count
            except Exception as error:
                if is_outage(error):
                    raise
                log.exception("forgetting_failed", what=item.key)
            yield item.key, 0


def _forget(rows: Rows, forget: Forget, moment: datetime, batch: list[Any]) -> int:
    """Delete the rows of a locked batch that are still expired."""
    return forget(rows(moment).filter(pk__in=[row.pk for row in batch]), moment)
