"""Which pages people have in sight, so that nobody is pushed what they see. Kept only of people who get pushes."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import QuerySet

from accounts.push import subscriptions
from games.models import VisiblePage

LEASE = timedelta(seconds=45)


def shown(*, user_id: int, page: str, match_id: int | None, now: datetime) -> bool:
    """Note that a page is in sight. Return whether that is kept."""
    if not subscriptions.has_any(user_id):
        return False
    VisiblePage.objects.update_or_create(page=page, defaults={"user_id": user_id, "match": match_id, "at": now})
    return True


def hidden(page: str) -> None:
    VisiblePage.objects.filter(page=page).delete()


def pages(now: datetime) -> QuerySet[VisiblePage]:
    """Return the pages that are in sight. One whose process was killed or whose connection broke stays for a while."""
    return VisiblePage.objects.filter(at__gt=now - LEASE)


def forget_gone(now: datetime) -> None:
    VisiblePage.objects.filter(at__lte=now - LEASE).delete()
