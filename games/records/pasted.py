"""Repairs the text of a record that mail programs, forums or web pages have changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from json import JSONDecodeError
from typing import Any

from games.engine.events import LEAVE_REASONS, STOP_REASONS
from games.engine.notation import JSON_DECODER
from games.engine.transcript import SEAT_ACTS
from games.engine.transcript_head import HEADER_PATTERN, TITLE_PREFIX
from games.records.unreadable import several, trailing

SPACES = dict.fromkeys(map(ord, "\u00a0\u2007\u202f"), " ")
INVISIBLE = dict.fromkeys(map(ord, "\ufeff\u200b\u2060"))
QUOTED = re.compile(r"^(?:> ?)+", re.MULTILINE)
TITLES = re.compile(rf"^\s*{TITLE_PREFIX}\d+\s*$", re.MULTILINE)
WORDS = "|".join(("draw", "pass", "deal", "key", "secret", *SEAT_ACTS, *STOP_REASONS))
LEAVING = "|".join(LEAVE_REASONS)  # "left" is also a side of a line, but then no seat follows
ACT_START = re.compile(rf"!|\d+(?:-\d+)+(?![\w,])|[A-Z]\(|(?:{WORDS})\b|(?:{LEAVING}) \d+(?!-)\b")


def clean(text: str) -> str:
    """Return the text with plain spaces and line ends, without invisible characters and quotation marks of mails."""
    text = text.translate(SPACES | INVISIBLE).replace("\r\n", "\n").replace("\r", "\n")
    return QUOTED.sub("", text).lstrip()


def json_record(text: str) -> Any:
    """Return the data of the one match in a JSON text. Raises JSONDecodeError or Unreadable."""
    try:
        records = list(_json_values(text))
    except JSONDecodeError as error:
        if not error.msg.startswith("Invalid control character"):
            raise
        # A mail program broke a line within a name.
        records = list(_json_values(text.replace("\n", " ")))
    if len(records) > 1:
        raise several(len(records))
    return records[0]


def _json_values(text: str) -> Iterator[Any]:
    at = 0
    while at < len(text):
        value, end = JSON_DECODER.raw_decode(text, at)
        yield value
        at = len(text) - len(text[end:].lstrip())
        if text[at : at + 1] not in ("", "{"):
            raise trailing()


def transcript(text: str) -> str:
    """Return a transcript with its broken lines joined. Raises Unreadable if it contains several matches."""
    if (count := len(TITLES.findall(text))) > 1:
        raise several(count)
    lines: list[str] = []
    for line in map(str.strip, text.split("\n")):
        if lines and line and _continues(lines[-1], line):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return "\n".join(lines)


def _continues(before: str, line: str) -> bool:
    """Return whether ``line`` continues the line ``before``, which was broken."""
    if header := HEADER_PATTERN.fullmatch(before):
        return not _is_json(header[2])
    if not before or before.startswith(("!", TITLE_PREFIX)) or HEADER_PATTERN.fullmatch(line):
        return False
    return before.rfind("{") > before.rfind("}") or not ACT_START.match(line)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
