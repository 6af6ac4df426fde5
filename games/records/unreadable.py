"""Why an uploaded text cannot be shown as a match, in words for people."""

from __future__ import annotations

from django.utils.translation import gettext as _

MOST_EVENTS = 1_500
"""A match of the site has a few hundred."""
LONGEST_REASON = 300


class Unreadable(Exception):
    """The uploaded text cannot be shown as a match; the message says why, for people."""


def too_long() -> Unreadable:
    return Unreadable(_("This is too long: a record can have at most %(count)d events.") % {"count": MOST_EVENTS})


def undealt() -> Unreadable:
    text = _("The keys of the deals are missing, or nothing was dealt, so the deals cannot be repeated.")
    return Unreadable(text)


def shortened(reason: object) -> str:
    """Return a text that may quote anything as one short printable line."""
    text = str(reason)
    text = text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]}…"
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
