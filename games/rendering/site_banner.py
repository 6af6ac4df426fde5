"""The line of the operators above every page."""

from __future__ import annotations

from django.utils import translation

from games.errors import REFUSAL_TEXTS
from games.html import Html, escape
from games.rendering.zones import Zones


def site_banner_zones(banner: str, *, matches_paused: bool, clocks_stopped: bool, language: str) -> Zones:
    """Return the banner: the operator's own words as they are, and what is switched off, in the reader's language."""
    with translation.override(language):
        texts = [escape(banner)] if banner else []
        if matches_paused:
            texts.append(escape(REFUSAL_TEXTS["matches_paused"]))
        if clocks_stopped:
            texts.append(escape(translation.gettext("All clocks are stopped for now.")))
    lines = Html("".join([Html(f"<p>{text}</p>") for text in texts]))
    return Zones({"site-banner": Html(f'<div id="site-banner" class="site-banner" role="status">{lines}</div>')})
