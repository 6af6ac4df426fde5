"""The line of the operators above every page."""

from __future__ import annotations

from django import template
from django.template import Context
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.rendering.page import as_safe_string
from games.rendering.site_banner import site_banner_zones
from games.site_switches import current_switches

register = template.Library()


@register.simple_tag(takes_context=True)
def site_banner(context: Context) -> SafeString | str:
    """Show the banner. Pages that are rendered once for everybody have none."""
    if "request" not in context:
        return ""
    switches = current_switches()
    zones = site_banner_zones(
        switches.banner,
        matches_paused=switches.matches_paused,
        clocks_stopped=switches.clocks_stopped,
        language=get_language() or "en",
    )
    return as_safe_string(zones.markup["site-banner"])
