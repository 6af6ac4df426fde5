"""Reasons why an uploaded text cannot be displayed as a match."""

from __future__ import annotations

import re
from json import JSONDecodeError

from django.utils.translation import gettext as _

MAX_EVENTS = 1_500  # a match of the site has a few hundred
MAX_REASON_LENGTH = 300
QUOTED = re.compile(r"Event (\d+): \w+\(")


class Unreadable(Exception):
    """The uploaded text cannot be displayed as a match. The message is for users."""


def too_long() -> Unreadable:
    return Unreadable(_("This is too long: a record can have at most %(count)d events.") % {"count": MAX_EVENTS})


def too_large(size: int) -> Unreadable:
    return Unreadable(_("This is too large: a record can have at most %(size)d kB.") % {"size": size // 1000})


def several(count: int) -> Unreadable:
    text = _("This has several matches (%(count)d). Only one match can be shown at a time.")
    return Unreadable(text % {"count": count})


def trailing() -> Unreadable:
    return Unreadable(_("There is something else after the end of the record."))


def undealt() -> Unreadable:
    return Unreadable(_("The keys of the deals are missing, or nothing was dealt, so the deals cannot be repeated."))


def cut_off(error: JSONDecodeError) -> Unreadable:
    return Unreadable(
        _("This file is damaged or cut off: it cannot be read from line %(line)d, character %(character)d on.")
        % {"line": error.lineno, "character": error.colno}
    )


def against_rules(fault: str) -> Unreadable:
    """Return the reason for a fault of the engine, without the event data that it may quote."""
    if quoted := QUOTED.match(fault):
        text = _("This record was changed: event %(number)s is not what the rules produce.")
        return Unreadable(text % {"number": quoted[1]})
    return Unreadable(_("This match does not follow the rules: %(reason)s") % {"reason": shortened(fault)})


def shortened(reason: object) -> str:
    """Return a text, which may quote anything, as one short printable line."""
    text = str(reason)
    text = text if len(text) <= MAX_REASON_LENGTH else f"{text[:MAX_REASON_LENGTH]}…"
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
