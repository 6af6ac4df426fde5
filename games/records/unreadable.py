"""Why an uploaded text cannot be shown as a match, in words for people."""

from __future__ import annotations

import re
from json import JSONDecodeError

from django.utils.translation import gettext as _

MOST_EVENTS = 1_500
"""A match of the site has a few hundred."""
LONGEST_REASON = 300
QUOTED = re.compile(r"Event (\d+): \w+\(")


class Unreadable(Exception):
    """The uploaded text cannot be shown as a match; the message says why, for people."""


def too_long() -> Unreadable:
    return Unreadable(_("This is too long: a record can have at most %(count)d events.") % {"count": MOST_EVENTS})


def too_large(size: int) -> Unreadable:
    return Unreadable(_("This is too large: a record can have at most %(size)d kB.") % {"size": size // 1000})


def several(count: int) -> Unreadable:
    return Unreadable(
        _("This has several matches (%(count)d). Only one match can be shown at a time.") % {"count": count}
    )


def trailing() -> Unreadable:
    return Unreadable(_("There is something else after the end of the record."))


def undealt() -> Unreadable:
    text = _("The keys of the deals are missing, or nothing was dealt, so the deals cannot be repeated.")
    return Unreadable(text)


def cut_off(error: JSONDecodeError) -> Unreadable:
    return Unreadable(
        _("This file is damaged or cut off: it cannot be read from line %(line)d, character %(character)d on.")
        % {"line": error.lineno, "character": error.colno}
    )


def against_rules(fault: str) -> Unreadable:
    """Return what to say of a fault, which may quote the facts of an event: those are nothing for people."""
    if quoted := QUOTED.match(fault):
        text = _(
            "This record was changed: what it says happened at event %(number)s is not what the rules make of it."
        )
        return Unreadable(text % {"number": quoted[1]})
    return Unreadable(_("This match does not follow the rules: %(reason)s") % {"reason": shortened(fault)})


def shortened(reason: object) -> str:
    """Return a text that may quote anything as one short printable line."""
    text = str(reason)
    text = text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]}…"
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
