"""Repairs the text of a record that mail programs, forums or web pages have changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from json import JSONDecodeError
from typing import Any

from games.engine.events import LEAVE_REASONS, STOP_REASONS
from games.engine.notation import JSON_DECODER
from games.engine.transcript import ABSENCE_ACTS
from games.engine.transcript_head import HEADER_PATTERN, TITLE_PREFIX
from games.records.import_errors import SeveralMatches, trailing_text_error

NO_BREAK_SPACES = dict.fromkeys(map(ord, "\u00a0\u2007\u202f"), " ")
INVISIBLE_CHARACTERS = dict.fromkeys(map(ord, "\ufeff\u200b\u2060"))
QUOTE_PREFIX = re.compile(r"^(?:> ?)+", re.MULTILINE)
TITLE_LINE = re.compile(rf"^[ \t]*{TITLE_PREFIX}\d+[ \t]*$", re.MULTILINE)
ACT_WORDS = "|".join(("draw", "pass", "deal", "key", "secret", *ABSENCE_ACTS, *STOP_REASONS))
LEAVE_WORDS = "|".join(LEAVE_REASONS)  # "left" is also a side of a line, but then no seat follows
ACT_START = re.compile(rf"!|\d+(?:-\d+)+(?![\w,])|[A-Z]\(|(?:{ACT_WORDS})\b|(?:{LEAVE_WORDS}) \d+(?!-)\b")


def clean_text(text: str) -> str:
    """Return the text with plain spaces and line ends, without invisible characters and quotation marks of mails."""
    text = text.translate(NO_BREAK_SPACES | INVISIBLE_CHARACTERS).replace("\r\n", "\n").replace("\r", "\n")
    return QUOTE_PREFIX.sub("", text).lstrip()


def parse_single_json(text: str) -> Any:
    """Return the data of the one match in a JSON text. Raises JSONDecodeError or UnreadableRecord."""
    try:
        records = list(_json_values(text))
    except JSONDecodeError as error:
        if not error.msg.startswith("Invalid control character"):
            raise
        # A mail program broke a line within a name.
        records = list(_json_values(text.replace("\n", " ")))
    if len(records) > 1:
        raise SeveralMatches([source for source, _value in records])
    return records[0][1]


def _json_values(text: str) -> Iterator[tuple[str, Any]]:
    """Yield the text and the data of each JSON value."""
    position = 0
    while position < len(text):
        value, end = JSON_DECODER.raw_decode(text, position)
        yield text[position:end], value
        position = len(text) - len(text[end:].lstrip())
        if text[position : position + 1] not in ("", "{"):
            raise trailing_text_error()


def require_single_transcript(text: str) -> None:
    """Raises SeveralMatches."""
    title_indexes = [title.start() for title in TITLE_LINE.finditer(text)]
    if len(title_indexes) > 1:
        bounds = zip(title_indexes, [*title_indexes[1:], None], strict=True)
        raise SeveralMatches([text[title_index:end].strip() for title_index, end in bounds])


def join_broken_lines(text: str) -> str:
    """Return a transcript with its broken lines joined."""
    lines: list[str] = []
    for line in map(str.strip, text.split("\n")):
        if lines and line and _is_continuation(lines[-1], line):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return "\n".join(lines)


def _is_continuation(previous: str, line: str) -> bool:
    """Return whether ``line`` continues the line ``previous``, which was broken."""
    if header := HEADER_PATTERN.fullmatch(previous):
        return not _is_json(header[2])
    if not previous or previous.startswith(("!", TITLE_PREFIX)) or HEADER_PATTERN.fullmatch(line):
        return False
    return previous.rfind("{") > previous.rfind("}") or not ACT_START.match(line)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
