"""The head of a transcript: the title and the headers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any

from games.engine.notation import ABOUT_FIELDS, FORMATS, BadRecord

TITLE_PREFIX = "dominoes match "  # begins the first line; the number of the format follows
HEADER_PATTERN = re.compile(r"([a-z_]+): (.+)")
REPORT, CHOICES = "report", "choices"


def head_lines(about: Mapping[str, Any]) -> Iterator[str]:
    """Yield the title and the headers of ``ABOUT_FIELDS``, without the losses, which ``loss_comments`` returns."""
    first, second = FORMATS
    yield f"{TITLE_PREFIX}{second if about else first}"
    for name in ABOUT_FIELDS:
        content = about.get(name)
        if name == REPORT and content:
            content = {key: content[key] for key in content if key != CHOICES}
        if content:
            yield header_line(name, content)


def header_line(name: str, content: Any) -> str:
    return f"{name}: {json.dumps(content, ensure_ascii=False)}"


def loss_comments(about: Mapping[str, Any]) -> dict[int, str]:
    """Return the cost of choices with the better move, as in `` {-31.2 6-2 left}``, by number of the event."""
    choices = about.get(REPORT, {}).get(CHOICES, ())
    return {choice["seq"]: f" {{-{choice['loss']} {choice['best']}}}" for choice in choices if choice["loss"]}


def read_about(text: str) -> dict[str, Any]:
    """Return the headers of ``ABOUT_FIELDS``; their values may be any JSON. Raises ``BadRecord``."""
    fields, _lines = read_headers(text)
    return {name: fields[name] for name in ABOUT_FIELDS if name in fields}


def read_headers(text: str) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """Return the headers, and the lines after them with their numbers. Raises ``BadRecord``."""
    title_line, *lines = map(str.strip, text.split("\n"))
    if title_line not in {f"{TITLE_PREFIX}{number}" for number in FORMATS}:
        raise BadRecord(f"Line 1: a match begins with '{TITLE_PREFIX}{FORMATS[0]}' or '{TITLE_PREFIX}{FORMATS[1]}'.")
    headers = list(takewhile(bool, map(HEADER_PATTERN.fullmatch, lines)))
    fields = {match[1]: _json(match[2], number) for number, match in enumerate(headers, 2) if match}
    return fields, list(enumerate(lines[len(headers) :], len(headers) + 2))


def _json(text: str, number: int) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"Line {number}: this is not JSON.") from error
