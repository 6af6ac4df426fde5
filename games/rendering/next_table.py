"""The line that leads a person to a table that the site has laid for them."""

from __future__ import annotations

from django.utils import translation

from games.html import Html, escape
from games.links import path_to
from games.rendering.zones import Zones


def next_table_zones(slug: str, language: str, *, follows: bool) -> Zones:
    """Return the link to the table. ``follows``: a visible page goes there by itself (js/next_table.js)."""
    with translation.override(language):
        path, text = escape(path_to("match", slug)), escape(translation.gettext("Go to the table"))
    follow = Html(f' data-follow="{path}"') if follows else Html("")
    link = Html(f'<p><a href="{path}">{text}</a></p>')
    return Zones({"next-table": Html(f'<div id="next-table" class="site-banner" role="status"{follow}>{link}</div>')})
