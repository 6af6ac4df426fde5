"""The offer of push notifications."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings
from django.template import Context

from accounts.models import User
from accounts.push import subscriptions

register = template.Library()


@register.inclusion_tag("push/notifications_offer.html", takes_context=True)
def push_offer(context: Context, *, compact: bool = False) -> dict[str, Any]:
    """Show the offer, or how to turn notifications off, if the site has keys. ``compact``: only the offer."""
    user, request = context.get("user"), context.get("request")
    if not (subscriptions.is_push_available() and isinstance(user, User) and request):
        return {}
    on = subscriptions.is_subscribed(user_id=user.pk, session=request.session)
    return {"key": settings.VAPID_PUBLIC_KEY, "on": on, "compact": compact, "csrf_token": context.get("csrf_token")}
