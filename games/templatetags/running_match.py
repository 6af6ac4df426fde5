"""The strip with the running match of a player, on all other pages."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context

from games.match import running
from games.words import words_of

register = template.Library()


@register.inclusion_tag("running_match.html", takes_context=True)
def running_match(context: Context) -> dict[str, Any]:
    """Show the strip. Visitors, people without a running match, and pages of matches get nothing."""
    request, user = context.get("request"), context.get("user")
    page = request and request.resolver_match and request.resolver_match.url_name
    # Some error pages are rendered before the user is known.
    if user is None or page == "match" or not user.is_authenticated:
        return {}
    match = running.running_match(user.pk)
    return {"running": match, "game": words_of(match.variant).name} if match else {}
