"""The head of a transcript: its title, what is said of the match beside its events, and how it began."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any

from games.engine.notation import ABOUT, FORMATS, BadRecord

TITLE = "dominoes match "
"""The first line begins with it and ends with the number of the format."""
HEADER = re.compile(r"([a-z_]+): (.+)")
REPORT, CHOICES = "report", "choices"


def head(about: Mapping[str, Any]) -> Iterator[str]:
    """Yield the title and the headers of ``ABOUT``; what each choice cost stands beside its move (``comments_of``)."""
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
    """Return by their events what choices cost and what was better: `` {-31.2 6-2 left}``."""
    choices = about.get(REPORT, {}).get(CHOICES, ())
    return {each["seq"]: f" {{-{each['loss']} {each['best']}}}" for each in choices if each["loss"]}


def read_about(text: str) -> dict[str, Any]:
    """Return what a match says by ``ABOUT``: anything that JSON can hold. Raises ``BadRecord``."""
    fields, _lines = read_headers(text)
    return {name: fields[name] for name in ABOUT if name in fields}


def read_headers(text: str) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """Return the headers, and the lines after them with their numbers. Raises ``BadRecord``."""
    title, *lines = map(str.strip, text.split("\n"))
    if title not in {f"{TITLE}{number}" for number in FORMATS}:
        raise BadRecord(f"Line 1: a match begins with '{TITLE}{FORMATS[0]}' or '{TITLE}{FORMATS[1]}'.")
    found = list(takewhile(bool, map(HEADER.fullmatch, lines)))
    fields = {each[1]: _json(each[2], number) for number, each in enumerate(found, 2) if each}
    return fields, list(enumerate(lines[len(found) :], len(found) + 2))


def _json(text: str, number: int) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"Line {number}: this is not JSON.") from error
