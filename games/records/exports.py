"""Downloads of records: one match as JSON or as a transcript, many as a stream (docs/records.md)."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from asgiref.sync import sync_to_async

from games.access import STRANGER, is_over, listed_matches, listed_seats
from games.engine.events import MatchStarted
from games.engine.notation import export_match, write_json
from games.engine.transcript import Entry, write
from games.match import record
from games.match.moments import EPOCH, MILLISECOND
from games.models import Match, Seat
from games.records.about import about
from games.spectators import delayed
from infrastructure.limits import limits, rest_after
from infrastructure.runtime import PerProcess

if TYPE_CHECKING:
    from games.access import Viewer

_stream_turn = PerProcess(asyncio.Lock)


class Recorded(NamedTuple):
    """The content of a record: events with their numbers and times, and the data about the match."""

    rows: list[tuple[int, Any, datetime]]
    about: dict[str, Any]


def visible_version(viewer: Viewer, match: Match) -> int:
    """Return the version up to which this viewer may download the record: the end, or that of the last full round."""
    if is_over(viewer, match):
        return match.version
    return record.last_round_over(match.pk, delayed.snapshot_for(match.pk, viewer.pk).table.version)


def texts(match_id: int) -> str:
    """Return the kind of the players' texts in the record of a match (``texts_of``)."""
    return texts_of(record.start_event(match_id))


def texts_of(start: MatchStarted) -> str:
    """Return the kind of the players' texts in a record: ``sealed``, ``unsealed`` or ``none``."""
    if not any(start.nonces):
        return "none"
    return "sealed" if start.nonce_commitments else "unsealed"


def public_matches() -> Iterator[int]:
    """Yield the matches in everybody's history."""
    matches = Match.objects.filter(listed_matches(STRANGER), version__gt=0).order_by("pk")
    return matches.values_list("pk", flat=True).iterator()


def matches_of(person_id: int, viewer: Viewer) -> list[int]:
    """Return the matches in a person's history that this viewer may see, in the order of their ends."""
    seats = Seat.objects.filter(listed_seats(viewer), user=person_id, match__version__gt=0)
    return list(seats.order_by("finished_at", "match_id").values_list("match_id", flat=True))


class Download:
    """A stream of matches, which counts as running until it is closed or garbage-collected.

    Raises TooFast for a client over its limits. The address counts only for visitors without an account, so that they
    cannot use up the limit of accounts at the same address.
    """

    def __init__(self, match_ids: Iterable[int], ending: str, *, address: str, account: int | None) -> None:
        self.match_ids, self.ending = match_ids, ending
        address = address if account is None else ""
        limits.require("exports", address=address, account=account)
        self.close = weakref.finalize(self, limits.hold("exports", address=address, account=account))

    async def __aiter__(self) -> AsyncIterator[str]:
        async for text in stream(self.match_ids, self.ending):
            yield text


async def stream(match_ids: Iterable[int], ending: str) -> AsyncIterator[str]:
    """Read and write one match at a time. The shared database thread does not wait until it is sent.

    All streams of the process take turns, and pause after every match for as long as it took: however many there are,
    they use at most half of the time.
    """
    write = sync_to_async(FORMATS[ending][0], thread_sensitive=False)
    load = sync_to_async(read_match)
    for match_id in match_ids:
        async with _stream_turn():
            start = time.monotonic()
            text = await write(await load(match_id))
            await asyncio.sleep(rest_after(time.monotonic() - start))
        yield text


def read_match(match_id: int, viewer: Viewer = STRANGER, version: int | None = None) -> Recorded:
    """Read a match up to a version that this viewer may know, or to its end, if that is public."""
    rows = record.read(match_id, version)
    people = None if version is None else delayed.snapshot_for(match_id, viewer.pk).table.people
    return Recorded(rows, about(match_id, [event for _seq, event, _at in rows], people))


def as_data(match: Recorded) -> dict[str, Any]:
    rows = ((seq, event, at.isoformat(timespec="milliseconds")) for seq, event, at in match.rows)
    return export_match(rows, match.about)


def as_text(match: Recorded) -> str:
    return write([Entry(event, (at - EPOCH) // MILLISECOND) for _, event, at in match.rows], match.about)


def as_line(match: Recorded) -> str:
    return write_json(as_data(match)) + "\n"


def as_paragraph(match: Recorded) -> str:
    """Return a transcript followed by an empty line."""
    return as_text(match) + "\n"


# How a match is written, and the content type, by file extension.
FORMATS: dict[str, tuple[Callable[[Recorded], str], str]] = {
    "jsonl": (as_line, "application/jsonl"),
    "txt": (as_paragraph, "text/plain; charset=utf-8"),
}
