"""The line of the operators above every page."""

from __future__ import annotations

from dataclasses import asdict

from django import template
from django.template import Context
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.rendering.page import as_safe_string
from games.rendering.site_banner import site_banner_zones
from games.rendering.zones import Zones
from games.site_switches import current_switches

register = template.Library()


@register.simple_tag(takes_context=True)
def site_banner(context: Context) -> SafeString | str:
    """Show the banner. Pages that are rendered once for everybody have none."""
    if "request" not in context:
        return ""
    return as_safe_string(_zones().markup["site-banner"])


@register.simple_tag
def site_banner_digest() -> str:
    """Return the digest of the banner, for the address of a socket."""
    return ".".join(_zones().digests)


def _zones() -> Zones:
    return site_banner_zones(**asdict(current_switches()), language=get_language() or "en")
