"""Where in the admin the target of an act stands, and with it what undoes the act."""

from __future__ import annotations

from django.urls import reverse

PAGES = {"user": "accounts_user", "sanction": "accounts_sanction", "case": "games_case", "message": "games_message"}
"""Named by their number in the log."""
OF_MATCH = ("match", "seat")
"""Named by the slug of a match, a seat also by its place there."""


def page_of(target: str) -> str:
    """Return the address of the row that a target of the log names, "" if it has no page.

    >>> page_of("several people")
    ''
    """
    kind, _colon, key = target.partition(":")
    if kind in PAGES and key.isdecimal():
        return reverse(f"admin:{PAGES[kind]}_change", args=[key])
    if kind in OF_MATCH:
        return f"{reverse('admin:games_match_changelist')}?q={key.partition('/')[0]}"
    return ""
