"""Reasons why an uploaded text cannot be displayed as a match."""

from __future__ import annotations

import re
from collections.abc import Sequence
from json import JSONDecodeError

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

MAX_EVENTS = 1_500  # a match of the site has a few hundred
MAX_EXCERPT_LENGTH = 300
MAX_MATCHED_LENGTH = 40
SEAT_PATTERN = re.compile(r"Seat (\d{1,9})\b")  # the engine counts seats from 0
# By the beginnings of the engine's sentences.
FAULT_PATTERNS = (
    (
        re.compile(r"Line (\d{1,9})\b"),
        gettext_lazy("This is not a record of a match: line %(number)d cannot be read."),
    ),
    (
        re.compile(r"Event (\d{1,9})\b"),
        gettext_lazy("This record was changed: event %(number)d is not what the rules produce."),
    ),
    (
        re.compile(r"Round (\d{1,9})\b"),
        gettext_lazy("This record was changed: the key of round %(number)d does not fit."),
    ),
    (SEAT_PATTERN, gettext_lazy("This record was changed: the text of seat %(number)d does not fit its fingerprint.")),
    (
        re.compile("The secret was not revealed"),
        gettext_lazy("This match is over, but its secret is not in the record."),
    ),
)


class UnreadableRecord(Exception):
    """The uploaded text cannot be displayed as a match. The message is for users."""


def too_many_events_error() -> UnreadableRecord:
    text = ngettext(
        "This is too long: a record can have at most %(count)d event.",
        "This is too long: a record can have at most %(count)d events.",
        MAX_EVENTS,
    )
    return UnreadableRecord(text % {"count": MAX_EVENTS})


def too_large_error(size: int) -> UnreadableRecord:
    return UnreadableRecord(_("This is too large: a record can have at most %(size)d kB.") % {"size": size // 1000})


class SeveralMatches(UnreadableRecord):
    """The uploaded text has several matches, of which the uploader can choose one: ``texts``."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        message = ngettext(
            "This file has %(count)d match.", "This file has %(count)d matches: choose one.", len(texts)
        )
        super().__init__(message % {"count": len(texts)})


def trailing_text_error() -> UnreadableRecord:
    return UnreadableRecord(_("There is more text after the end of the record."))


def missing_deals_error() -> UnreadableRecord:
    return UnreadableRecord(_("The deals cannot be repeated: their keys are missing, or nothing was dealt."))


def damaged_json_error(error: JSONDecodeError) -> UnreadableRecord:
    return UnreadableRecord(
        _("This file is damaged or cut off at line %(line)d, character %(character)d.")
        % {"line": error.lineno, "character": error.colno}
    )


def not_a_record_error(error: Exception) -> UnreadableRecord:
    """Return the refusal of a text that the engine cannot read as a match."""
    return UnreadableRecord(_fault_text(error) or _("This is not a record of a match."))


def rule_violation_error(fault: str) -> UnreadableRecord:
    """Return the refusal of a match in which the engine has found a fault."""
    return UnreadableRecord(_fault_text(fault) or _("This record was changed: it does not follow the rules."))


def _fault_text(sentence: object) -> str:
    """Return what is wrong where, "" if the place is unknown. The engine's English sentence is not quoted."""
    sentence_start = str(sentence)[:MAX_MATCHED_LENGTH]
    for pattern, text in FAULT_PATTERNS:
        if match := pattern.match(sentence_start):
            return str(text) % {"number": int(match[1]) + (pattern is SEAT_PATTERN)} if match.groups() else str(text)
    return ""


def printable_excerpt(value: object) -> str:
    """Return a value from a record, which may be anything, as one short printable line."""
    text = str(value)
    text = text if len(text) <= MAX_EXCERPT_LENGTH else f"{text[:MAX_EXCERPT_LENGTH]}…"
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
