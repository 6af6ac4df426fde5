"""What a person has to be told, on every page until they put it away.

Each application registers how it says its kinds of notices in ``AppConfig.ready``.
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

Details = dict[str, Any]
"""What JSON can hold."""


class Kind(NamedTuple):
    """How a kind of notices is said.

    ``sentence`` says the facts of one in the active language; "" if there is nothing to say at this moment, None if
    there never will be again. ``link`` stands at the way to the fact ``path``, ``act`` and ``refuse`` on buttons that
    post to the facts of the same names, if there are any, and ``done`` on the one that puts the notice away.
    """

    sentence: Callable[[Details], str | None]
    link: Text = _("Show")
    act: Text = ""
    refuse: Text = ""
    done: Text = _("Understood")


_kinds: dict[str, Kind] = {}


class PendingNotice(NamedTuple):
    """A notice in the reader's language.

    ``path`` leads to what it is about. Buttons post to ``act`` and ``refuse``. Each is "" if there is none.
    """

    id: int
    text: str
    path: str
    act: str
    refuse: str
    kind: Kind


def register(name: str, kind: Kind) -> None:
    """Add a kind of notices."""
    _kinds[name] = kind


@transaction.atomic
def send(kind: str, each: Mapping[int, Details]) -> None:
    """Tell people, by their ids, something. A fact ``path`` is a page about it."""
    User.objects.filter(pk__in=each).update(has_notices=True)
    Notice.objects.bulk_create(Notice(user_id=user_id, kind=kind, facts=facts) for user_id, facts in each.items())


def pending(user: User) -> list[PendingNotice]:
    """Return what the person has not put away, the oldest first. What can be said no longer is put away here."""
    if not user.has_notices:
        return []
    rows = user.notices.filter(put_away_at=None, kind__in=_kinds).order_by("pk")
    said = [(notice, _kinds[notice.kind].sentence(notice.facts)) for notice in rows]
    if over := [notice.pk for notice, text in said if text is None]:
        put_away(user.pk, *over)
    return [_told(notice, text) for notice, text in said if text]


def _told(notice: Notice, text: str) -> PendingNotice:
    path, act, refuse = (str(notice.facts.get(name, "")) for name in ("path", "act", "refuse"))
    return PendingNotice(notice.pk, text, path, act, refuse, _kinds[notice.kind])


@transaction.atomic
def put_away(user_id: int, *notice_ids: int) -> None:
    """Put notices of the person away; those of somebody else stay where they are."""
    mine = Notice.objects.filter(user=user_id, put_away_at=None)
    mine.filter(pk__in=notice_ids).update(put_away_at=timezone.now())
    User.objects.filter(pk=user_id).update(has_notices=mine.exists())


def exported(user: User) -> list[Any]:
    """Return all notices of the person, also those that were put away."""
    return list(user.notices.order_by("pk").values("kind", "facts", "at", "put_away_at"))
