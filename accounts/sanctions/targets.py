"""Links from the log of moderation to the admin page of a target, where an act can be undone."""

from __future__ import annotations

from django.urls import reverse
from django.utils.html import format_html

# Targets that the log names by their primary key; matches and seats are named by the slug of the match.
ADMIN_PAGES = {
    "user": "accounts_user",
    "sanction": "accounts_sanction",
    "case": "games_case",
    "message": "games_message",
}


def admin_page_of(target: str) -> str:
    """Return the address of the page for a target, "" if it has none.

    >>> admin_page_of("several people")
    ''
    """
    kind, _colon, key = target.partition(":")
    if kind in ADMIN_PAGES and key.isdecimal():
        return reverse(f"admin:{ADMIN_PAGES[kind]}_change", args=[key])
    if kind in ("match", "seat"):
        return f"{reverse('admin:games_match_changelist')}?q={key.partition('/')[0]}"
    return ""


def target_link(target: str) -> str:
    """Return the link to the page of a target or of the evidence of an act, or its name if it has no page."""
    page = admin_page_of(target)
    return format_html('<a href="{}">{}</a>', page, target) if page else target
