"""Reads files of many records: JSON lines, or transcripts one after another."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

from games.engine.events import Event
from games.engine.notation import BadRecord, import_match, read_json
from games.engine.transcript import read
from games.engine.transcript_head import TITLE_PREFIX

MATCH_START = re.compile(rf"^(?={TITLE_PREFIX})", re.MULTILINE)
COMMENT_LINE = re.compile(r"^#.*\n", re.MULTILINE)


def read_matches(file: Path) -> Iterator[tuple[Event, ...]]:
    """Yield the matches of a file, which may be compressed (``.gz``). Raises ValueError (as BadRecord) or OSError."""
    content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    text = COMMENT_LINE.sub("", content.decode())
    if not text.startswith(TITLE_PREFIX):
        return (_match_from_json_line(number, line) for number, line in enumerate(text.splitlines(), 1))
    return (tuple(entry.event for entry in read(part)) for part in MATCH_START.split(text) if part)


def _match_from_json_line(number: int, line: str) -> tuple[Event, ...]:
    try:
        return import_match(read_json(line))
    except (KeyError, TypeError, ValueError) as error:
        raise BadRecord(f"Line {number}: {error}") from error
