"""The head of a transcript: the title and the headers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any

from games.engine.notation import ABOUT, FORMATS, BadRecord

TITLE = "dominoes match "  # begins the first line; the number of the format follows
HEADER = re.compile(r"([a-z_]+): (.+)")
REPORT, CHOICES = "report", "choices"


def head(about: Mapping[str, Any]) -> Iterator[str]:
    """Yield the title and the headers of ``ABOUT`` without the costs of choices, which ``comments_of`` returns."""
    first, second = FORMATS
    yield f"{TITLE}{second if about else first}"
    for name in ABOUT:
        content = about.get(name)
        if name == REPORT and content:
            content = {key: content[key] for key in content if key != CHOICES}
        if content:
            yield header(name, content)


def header(name: str, content: Any) -> str:
    return f"{name}: {json.dumps(content, ensure_ascii=False)}"


def comments_of(about: Mapping[str, Any]) -> dict[int, str]:
    """Return the cost of choices with the better move, as in `` {-31.2 6-2 left}``, by number of the event."""
    choices = about.get(REPORT, {}).get(CHOICES, ())
    return {choice["seq"]: f" {{-{choice['loss']} {choice['best']}}}" for choice in choices if choice["loss"]}


def read_about(text: str) -> dict[str, Any]:
    """Return the headers of ``ABOUT``; their values may be any JSON. Raises ``BadRecord``."""
    fields, _lines = read_headers(text)
    return {name: fields[name] for name in ABOUT if name in fields}


def read_headers(text: str) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """Return the headers, and the lines after them with their numbers. Raises ``BadRecord``."""
    title, *lines = map(str.strip, text.split("\n"))
    if title not in {f"{TITLE}{number}" for number in FORMATS}:
        raise BadRecord(f"Line 1: a match begins with '{TITLE}{FORMATS[0]}' or '{TITLE}{FORMATS[1]}'.")
    headers = list(takewhile(bool, map(HEADER.fullmatch, lines)))
    fields = {match[1]: _json(match[2], number) for number, match in enumerate(headers, 2) if match}
    return fields, list(enumerate(lines[len(headers) :], len(headers) + 2))


def _json(text: str, number: int) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"Line {number}: this is not JSON.") from error
