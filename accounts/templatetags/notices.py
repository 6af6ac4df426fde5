"""Notices at the top of every page."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context

from accounts import notices
from accounts.models import User

register = template.Library()


@register.inclusion_tag("accounts/notices.html", takes_context=True)
def pending_notices(context: Context) -> dict[str, Any]:
    """Show the pending notices of the person; visitors have none."""
    user, request = context.get("user"), context.get("request")
    if not isinstance(user, User) or request is None:
        return {}
    return {
        "has_person": True,
        "notices": notices.pending_notices(user),
        "csrf_token": context.get("csrf_token"),
        "page": request.get_full_path(),
    }
