"""Downloads of records: one match as JSON or as a transcript, many as a stream (docs/records.md)."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from asgiref.sync import sync_to_async

from games.access import ANONYMOUS_VIEWER, is_over_for, listed_matches
from games.engine.events import MatchStarted
from games.engine.notation import export_match, write_json
from games.engine.transcript import Entry, write
from games.match import record
from games.match.moments import milliseconds
from games.models import Match
from games.records.about import about_match
from games.spectators import delayed
from infrastructure.limits import fair_pause, limits
from infrastructure.runtime import PerProcess

if TYPE_CHECKING:
    from games.access import Viewer

Part = TypeVar("Part")
Content = TypeVar("Content")
Chunk = TypeVar("Chunk")  # str or bytes

_stream_lock = PerProcess(asyncio.Lock)


class RecordContent(NamedTuple):
    """The content of a record: events with their numbers and times, and the data about the match."""

    rows: list[tuple[int, Any, datetime]]
    about: dict[str, Any]


def downloadable_version(viewer: Viewer, match: Match) -> int:
    """Return the version up to which this viewer may download the record: the end, or that of the last full round."""
    if is_over_for(viewer, match):
        return match.version
    return record.version_of_last_round_end(match.pk, delayed.snapshot_for(match.pk, viewer.pk).table.version)


def nonce_kind_of_match(match_id: int) -> str:
    """Return the kind of the players' texts in the record of a match (``nonce_kind``)."""
    return nonce_kind(record.start_event(match_id))


def is_secret_public(match_id: int) -> bool:
    """Return True if the record of a match contains its secret: that of a board follows when its set closes."""
    return record.matches_with_secret(Match.objects.filter(pk=match_id)).exists()


def nonce_kind(start: MatchStarted) -> str:
    """Return the kind of the texts in a record: ``sealed``, ``unsealed``, ``none``, or ``set`` for a board."""
    if start.source:
        return "set"
    if not any(start.nonces):
        return "none"
    return "sealed" if start.nonce_commitments else "unsealed"


def public_match_ids() -> Iterator[int]:
    """Yield the matches in everybody's history."""
    matches = Match.objects.filter(listed_matches(ANONYMOUS_VIEWER), version__gt=0).order_by("pk")
    return matches.values_list("pk", flat=True).iterator()


class LimitedStream(Generic[Chunk]):
    """A download in parts, such as of many matches, which counts as running until it is closed or garbage-collected.

    Raises LimitExceeded for a client over its limits. The address counts only for visitors without an account, so that
    they cannot use up the limit of accounts at the same address.
    """

    def __init__(self, texts: AsyncIterator[Chunk], *, address: str, account: int | None) -> None:
        self.texts = texts
        address = address if account is None else ""
        limits.enforce("exports", address=address, account=account)
        self.close = weakref.finalize(self, limits.acquire_place("exports", address=address, account=account))

    async def __aiter__(self) -> AsyncIterator[Chunk]:
        async for text in self.texts:
            yield text


def stream_records(match_ids: Iterable[int], extension: str) -> AsyncIterator[str]:
    """Read and write one record at a time."""
    return stream_in_turns(match_ids, read_record, STREAM_FORMATS[extension][0])


async def stream_in_turns(
    parts: Iterable[Part], read_part: Callable[[Part], Content], write_part: Callable[[Content], str]
) -> AsyncIterator[str]:
    """Read and write one part of a download at a time. The shared database thread does not wait until it is sent.

    All streams of the process take turns, and pause after every part for as long as it took: however many there are,
    they use at most half of the time.
    """
    write, load = sync_to_async(write_part, thread_sensitive=False), sync_to_async(read_part)
    for part in parts:
        async with _stream_lock():
            start = time.monotonic()
            text = await write(await load(part))
            await asyncio.sleep(fair_pause(time.monotonic() - start))
        yield text


def read_record(match_id: int, viewer: Viewer = ANONYMOUS_VIEWER, version: int | None = None) -> RecordContent:
    """Read a match up to a version that this viewer may know, or to its end, if that is public."""
    rows = record.read_events(match_id, version)
    people = None if version is None else delayed.snapshot_for(match_id, viewer.pk).table.people
    return RecordContent(rows, about_match(match_id, [event for _seq, event, _at in rows], people))


def to_json_data(match: RecordContent) -> dict[str, Any]:
    rows = ((seq, event, at.isoformat(timespec="milliseconds")) for seq, event, at in match.rows)
    return export_match(rows, match.about)


def to_transcript(match: RecordContent) -> str:
    return write([Entry(event, milliseconds(at)) for _, event, at in match.rows], match.about)


def to_json_line(match: RecordContent) -> str:
    return write_json(to_json_data(match)) + "\n"


def to_transcript_paragraph(match: RecordContent) -> str:
    """Return a transcript followed by an empty line."""
    return to_transcript(match) + "\n"


# How a match is written, and the content type, by file extension.
STREAM_FORMATS: dict[str, tuple[Callable[[RecordContent], str], str]] = {
    "jsonl": (to_json_line, "application/jsonl"),
    "txt": (to_transcript_paragraph, "text/plain; charset=utf-8"),
}
