"""What moderators give as reasons again and again. Everybody reads these in their own language."""

from __future__ import annotations

from django.utils.translation import gettext, gettext_noop

REASONS = (
    gettext_noop("You insulted or threatened somebody."),
    gettext_noop("You flooded the chat, or advertised in it."),
    gettext_noop("You kept the others waiting again and again."),
    gettext_noop("You left matches again and again."),
    gettext_noop("You lost on purpose."),
    gettext_noop("You played together with somebody at the table."),
    gettext_noop("You had help during matches."),
    gettext_noop("You played under several names."),
    gettext_noop("Your name is offensive, or that of somebody else."),
)
"""Kept in English, as they stand here."""


def reason_text(reason: str) -> str:
    """Return a reason in the active language if it is one of these; what a moderator wrote stays as it is."""
    return gettext(reason) if reason in REASONS else reason
