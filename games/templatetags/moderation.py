"""What waits for a moderator, for the first page of the admin and the queue."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils import timezone

from accounts.models import User
from accounts.sanctions import appeals, log
from games.moderation.cases import queue

register = template.Library()
LATELY = 10


@register.simple_tag
def waiting_cases(user: User) -> int:
    """Return how many cases this moderator may take."""
    return queue.waiting(user, timezone.now()).count()


@register.inclusion_tag("admin/desk.html", takes_context=True)
def desk(context: dict[str, Any]) -> dict[str, Any]:
    """Show what waits for the viewer, and what they did last."""
    user = context["user"]
    waits = appeals.waiting(user).count() if user.has_perm("accounts.decide_appeal") else 0
    return {
        "user": user,
        "perms": context["perms"],
        "csrf_token": context["csrf_token"],
        "appeals": waits,
        "acts": log.acts().filter(moderator=user).select_related("user")[:LATELY],
    }
