"""What a person has to be told, on every page until they put it away.

Each application registers how it says its kinds of notices in ``AppConfig.ready``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.models import Notice, User

Facts = dict[str, Any]
"""What JSON can hold."""
_sentences: dict[str, Callable[[Facts], str]] = {}


class Told(NamedTuple):
    """A notice in the reader's language. ``path`` leads to what it is about, "" if nowhere."""

    id: int
    text: str
    path: str


def register(kind: str, sentence: Callable[[Facts], str]) -> None:
    """Add a kind of notices: ``sentence`` says the facts of one in the active language."""
    _sentences[kind] = sentence


@transaction.atomic
def tell(kind: str, each: Mapping[int, Facts]) -> None:
    """Tell people, by their ids, something. A fact ``path`` is a page about it."""
    User.objects.filter(pk__in=each).update(has_notices=True)
    Notice.objects.bulk_create(Notice(user_id=user_id, kind=kind, facts=facts) for user_id, facts in each.items())


def pending(user: User) -> list[Told]:
    """Return what the person has not put away, the oldest first."""
    if not user.has_notices:
        return []
    return [
        Told(notice.pk, _sentences[notice.kind](notice.facts), notice.facts.get("path", ""))
        for notice in user.notices.filter(put_away_at=None, kind__in=_sentences).order_by("pk")
    ]


@transaction.atomic
def put_away(user_id: int, notice_id: int) -> None:
    """Put a notice of the person away; one of somebody else stays where it is."""
    mine = Notice.objects.filter(user=user_id, put_away_at=None)
    mine.filter(pk=notice_id).update(put_away_at=timezone.now())
    User.objects.filter(pk=user_id).update(has_notices=mine.exists())


def exported(user: User) -> list[Any]:
    """Return all notices of the person, also those that were put away."""
    return list(user.notices.order_by("pk").values("kind", "facts", "at", "put_away_at"))
