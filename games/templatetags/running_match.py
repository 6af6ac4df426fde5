"""The strip that tells people on other pages of the match that they are playing."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context

from games.match import running
from games.words import words_of

register = template.Library()


@register.inclusion_tag("running_match.html", takes_context=True)
def running_match(context: Context) -> dict[str, Any]:
    """Show the strip, nothing to visitors, to people who play no match, and on the page of a match."""
    request, user = context.get("request"), context.get("user")
    page = request and request.resolver_match and request.resolver_match.url_name
    # Some pages of errors are made before it is known who asked.
    if user is None or page == "match" or not user.is_authenticated:
        return {}
    match = running.running_match(user.pk)
    return {"running": match, "game": words_of(match.variant).name} if match else {}
