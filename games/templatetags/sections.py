"""The section of the site to which a page belongs, for the navigation."""

from __future__ import annotations

from django import template
from django.template import Context

register = template.Library()
PAGES = {
    "play": (
        *("lobby", "table-new", "tournaments", "tournament", "tournament-new"),
        *("daily", "daily-game", "daily-day"),
    ),
    "learn": ("rules", "how-to-play", "lesson", "lesson-task", "fair-dealing", "deal-statistics"),
    "puzzles": ("puzzles", "puzzles-game", "puzzle", "puzzle-number"),
    "watch": ("tv", "tv-game"),
    "players": (
        *("leaderboards", "leaderboard", "bot-ladder", "matches", "person"),
        *("clubs", "club", "club-new", "club-edit"),
    ),
}
SECTIONS = {page: section for section, pages in PAGES.items() for page in pages}


@register.simple_tag(takes_context=True)
def current_section(context: Context) -> str:
    """Return the section of the page, "" if it belongs to none, as error pages do."""
    resolved = getattr(context.get("request"), "resolver_match", None)
    return SECTIONS.get(resolved.url_name, "") if resolved else ""
