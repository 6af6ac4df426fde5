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


class NoticeKind(NamedTuple):
    """The texts of a kind of notices.

    ``sentence`` returns the text in the active language, "" if there is nothing to show now, None if the notice is
    obsolete. The others are labels: of the link to the detail ``path``, of the buttons that post to the details
    ``act`` and ``refuse``, and of the button that dismisses the notice.
    """

    sentence: Callable[[Details], str | None]
    link_label: Text = _("Show")
    accept_label: Text = ""
    refuse_label: Text = ""
    dismiss_label: Text = _("Understood")


_kinds: dict[str, NoticeKind] = {}


class PendingNotice(NamedTuple):
    """A notice in the reader's language. Paths that it does not have are ""."""

    id: int
    text: str
    path: str
    accept_path: str
    refuse_path: str
    kind: NoticeKind


def register_kind(name: str, kind: NoticeKind) -> None:
    _kinds[name] = kind


@transaction.atomic
def send(kind: str, details: Mapping[int, Details]) -> None:
    """Send a notice to several people, each with the details stored under their user id. Deleted people get none."""
    # Locked in the order of their ids, so that two notices to the same people cannot deadlock.
    people = User.objects.select_for_update(no_key=True).filter(pk__in=details).order_by("pk")
    user_ids = list(people.values_list("pk", flat=True))
    User.objects.filter(pk__in=user_ids).update(has_notices=True)
    Notice.objects.bulk_create(Notice(user_id=pk, kind=kind, facts=details[pk]) for pk in user_ids)


def pending_notices(user: User) -> list[PendingNotice]:
    """Return the notices that were not dismissed, oldest first. Obsolete ones are dismissed here."""
    if not user.has_notices:
        return []
    rows = user.notices.filter(put_away_at=None, kind__in=_kinds).order_by("pk")
    texts = [(notice, _kinds[notice.kind].sentence(notice.facts)) for notice in rows]
    if obsolete := [notice.pk for notice, text in texts if text is None]:
        dismiss(user.pk, *obsolete)
    return [_pending_notice(notice, text) for notice, text in texts if text]


def _pending_notice(notice: Notice, text: str) -> PendingNotice:
    path, accept_path, refuse_path = (str(notice.facts.get(name, "")) for name in ("path", "act", "refuse"))
    return PendingNotice(notice.pk, text, path, accept_path, refuse_path, _kinds[notice.kind])


@transaction.atomic
def dismiss(user_id: int, *notice_ids: int) -> None:
    """Dismiss notices of the person; ids of other people's notices are ignored."""
    own_notices = Notice.objects.filter(user=user_id, put_away_at=None)
    own_notices.filter(pk__in=notice_ids).update(put_away_at=timezone.now())
    User.objects.filter(pk=user_id).update(has_notices=own_notices.exists())


def export_notices(user: User) -> list[Any]:
    """Return all notices of the person, including dismissed ones."""
    return list(user.notices.order_by("pk").values("kind", "facts", "at", "put_away_at"))
