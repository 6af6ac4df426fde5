"""Open cases and appeals for the index of the admin and for the queue."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils import timezone

from accounts.models import User
from accounts.sanctions import appeals, moderation_log
from games.moderation.cases import own_figures, queue
from games.moderation.cases.timeline import clock_text

register = template.Library()
MAX_ACTS = 10


@register.simple_tag
def waiting_cases(user: User) -> int:
    """Return the number of cases that this moderator may take."""
    return queue.waiting_cases(user, timezone.now()).count()


register.filter("duration", clock_text)


@register.inclusion_tag("admin/waiting_for_you.html", takes_context=True)
def moderator_tasks(context: dict[str, Any]) -> dict[str, Any]:
    """Show the number of open appeals, and the viewer's figures, proposals and latest acts."""
    user = context["user"]
    open_appeals = appeals.open_appeals(user).count() if user.has_perm("accounts.decide_appeal") else 0
    return {
        "user": user,
        "perms": context["perms"],
        "csrf_token": context["csrf_token"],
        "appeals": open_appeals,
        "figures": own_figures.own_figures(user, timezone.now()),
        "proposals": own_figures.proposal_outcomes(user),
        "lifted": own_figures.lifted_on_appeal(user)[: own_figures.MAX_LESSONS],
        "acts": moderation_log.logged_acts().filter(moderator=user).select_related("user")[:MAX_ACTS],
    }
