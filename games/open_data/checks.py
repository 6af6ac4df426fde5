"""Check the files of a month: the sums, and every match in both formats."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import zip_longest
from pathlib import Path

from games.engine.events import Event
from games.engine.keyless import keyless_differences
from games.engine.notation import BadRecord, import_match, read_json
from games.engine.replay import IMPOSSIBLE_EVENT_ERRORS
from games.engine.transcript import read
from games.engine.transcript_head import TITLE_PREFIX
from games.open_data.files import RECORDS, SUMS, TRANSCRIPTS, sha256_of


def folder_faults(folder: Path) -> Iterator[str]:
    """Yield a sentence for each fault, and for each match that does not replay. Raises OSError."""
    yield from sum_faults(folder)
    for path in sorted(folder.glob(f"*.{RECORDS}")):
        yield from record_faults(path, path.with_name(path.name.replace(RECORDS, TRANSCRIPTS)))


def sum_faults(folder: Path) -> Iterator[str]:
    """Yield a sentence for each file that is missing or was changed."""
    for line in (folder / SUMS).read_text().splitlines():
        digest, name = line.split("  ")
        if not (folder / name).exists() or sha256_of(folder / name) != digest:
            yield f"{name}: the sum does not hold."


def record_faults(records: Path, transcripts: Path) -> Iterator[str]:
    """Decide every deal and move of the lines again, and compare them with the transcripts."""
    with ExitStack() as stack:
        lines, texts = (
            stack.enter_context(gzip.open(path, "rt", encoding="utf-8")) for path in (records, transcripts)
        )
        pairs = zip_longest(lines, paragraphs(texts), fillvalue="")
        for number, (line, text) in enumerate(pairs, 1):
            yield from (f"{records.name}, line {number}: {fault}" for fault in _match_faults(line, text))


def paragraphs(lines: Iterator[str]) -> Iterator[str]:
    """Yield the transcripts of a file one by one."""
    text = ""
    for line in lines:
        if line.startswith(TITLE_PREFIX) and text:
            yield text
            text = ""
        text += line
    if text:
        yield text


def _match_faults(line: str, text: str) -> Iterator[str]:
    try:
        events: tuple[Event, ...] = import_match(read_json(line))
        yield from keyless_differences(events)
        if tuple(entry.event for entry in read(text)) != events:
            yield "the transcript is of another match."
    except (BadRecord, *IMPOSSIBLE_EVENT_ERRORS) as error:
        yield repr(error)
