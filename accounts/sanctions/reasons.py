"""Common reasons for decisions of moderators, by the area of a case, translated for the reader.

The reasons for reporting somebody are ``games.enums.ReportReason``.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext, gettext_noop

NO_ACTION = "nothing"  # reasons for doing nothing
# Stored in English.
REASONS: Mapping[str, tuple[str, ...]] = {
    "chat": (
        # Translators: reasons, which follow "Reason: "; use a noun if the verb would show a gender.
        gettext_noop("You insulted or threatened somebody."),
        gettext_noop("You flooded the chat, or advertised in it."),
    ),
    "conduct": (
        gettext_noop("You kept the others waiting again and again."),
        gettext_noop("You left matches again and again."),
    ),
    "fair_play": (
        gettext_noop("You lost on purpose."),
        gettext_noop("You played together with somebody at the table."),
        gettext_noop("You had help during matches."),
    ),
    "accounts": (
        gettext_noop("You played under several names."),
        gettext_noop("Your name is offensive, or that of somebody else."),
    ),
    NO_ACTION: (
        gettext_noop("Nothing here is against the rules."),
        gettext_noop("There is not enough evidence."),
    ),
}
ALL_REASONS = tuple(reason for reasons in REASONS.values() for reason in reasons)


def reason_text(reason: str) -> str:
    """Translate a common reason into the active language; other reasons stay as they are."""
    return gettext(reason) if reason in ALL_REASONS else reason


def reason_choices(reasons: tuple[str, ...] = ALL_REASONS) -> list[tuple[str, str]]:
    """Return pairs of stored and translated reasons."""
    return [(reason, reason_text(reason)) for reason in reasons]
