"""Messages to a person, shown on every page until they dismiss them.

Applications register their kinds of notices in ``AppConfig.ready``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Notice, User

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Text = str | _StrPromise

Details = dict[str, Any]  # JSON


class Kind(NamedTuple):
    """The texts of a kind of notices.

    ``sentence`` returns the text in the active language, "" if there is nothing to show now, None if there never will
    be again. The others are labels: ``link`` of the link to the detail ``path``, ``act`` and ``refuse`` of buttons
    that post to the details of the same names, and ``done`` of the button that dismisses the notice.
    """

    sentence: Callable[[Details], str | None]
    link: Text = _("Show")
    act: Text = ""
    refuse: Text = ""
    done: Text = _("Understood")


_kinds: dict[str, Kind] = {}


class PendingNotice(NamedTuple):
    """A notice in the reader's language. ``path``, ``act`` and ``refuse`` are "" if it has none."""

    id: int
    text: str
    path: str
    act: str
    refuse: str
    kind: Kind


def register(name: str, kind: Kind) -> None:
    _kinds[name] = kind


@transaction.atomic
def send(kind: str, details: Mapping[int, Details]) -> None:
    """Send a notice to several people. ``details`` are by user id; ``path`` among them is a page about it."""
    User.objects.filter(pk__in=details).update(has_notices=True)
    Notice.objects.bulk_create(Notice(user_id=user_id, kind=kind, facts=facts) for user_id, facts in details.items())


def pending(user: User) -> list[PendingNotice]:
    """Return the notices that were not dismissed, oldest first. Obsolete ones are dismissed here."""
    if not user.has_notices:
        return []
    rows = user.notices.filter(put_away_at=None, kind__in=_kinds).order_by("pk")
    texts = [(notice, _kinds[notice.kind].sentence(notice.facts)) for notice in rows]
    if obsolete := [notice.pk for notice, text in texts if text is None]:
        put_away(user.pk, *obsolete)
    return [_pending_notice(notice, text) for notice, text in texts if text]


def _pending_notice(notice: Notice, text: str) -> PendingNotice:
    path, act, refuse = (str(notice.facts.get(name, "")) for name in ("path", "act", "refuse"))
    return PendingNotice(notice.pk, text, path, act, refuse, _kinds[notice.kind])


@transaction.atomic
def put_away(user_id: int, *notice_ids: int) -> None:
    """Dismiss notices of the person; ids of other people's notices are ignored."""
    mine = Notice.objects.filter(user=user_id, put_away_at=None)
    mine.filter(pk__in=notice_ids).update(put_away_at=timezone.now())
    User.objects.filter(pk=user_id).update(has_notices=mine.exists())


def exported(user: User) -> list[Any]:
    """Return all notices of the person, including dismissed ones."""
    return list(user.notices.order_by("pk").values("kind", "facts", "at", "put_away_at"))
