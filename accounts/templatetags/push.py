"""The offer to be told on this device when it is one's turn."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings
from django.template import Context

from accounts.models import User
from accounts.push import subscriptions

register = template.Library()


@register.inclusion_tag("push/offer.html", takes_context=True)
def push_offer(context: Context, *, briefly: bool = False) -> dict[str, Any]:
    """Show it, or how to end it; nothing to visitors, and where the site has no key. ``briefly``: only the offer."""
    user, request = context.get("user"), context.get("request")
    if not (subscriptions.is_offered() and isinstance(user, User) and request):
        return {}
    on = subscriptions.is_on(user_id=user.pk, session=request.session)
    return {"key": settings.VAPID_PUBLIC_KEY, "on": on, "briefly": briefly, "csrf_token": context.get("csrf_token")}
