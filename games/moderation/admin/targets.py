"""Links from the log of moderation to the admin page of a target, where an act can be undone."""

from __future__ import annotations

from django.urls import reverse

# Targets that the log names by their primary key; matches and seats are named by the slug of the match.
PAGES = {"user": "accounts_user", "sanction": "accounts_sanction", "case": "games_case", "message": "games_message"}


def page_of(target: str) -> str:
    """Return the address of the page for a target, "" if it has none.

    >>> page_of("several people")
    ''
    """
    kind, _colon, key = target.partition(":")
    if kind in PAGES and key.isdecimal():
        return reverse(f"admin:{PAGES[kind]}_change", args=[key])
    if kind in ("match", "seat"):
        return f"{reverse('admin:games_match_changelist')}?q={key.partition('/')[0]}"
    return ""
