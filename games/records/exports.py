"""Matches handed out: one as JSON or as a short text, many as a stream (docs/records.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import AnonymousUser

from games.access import is_over, listed_matches, listed_seats
from games.engine.notation import export_match, write_json
from games.engine.transcript import Entry, write
from games.match import record
from games.models import Match, Seat
from games.spectators import delayed

if TYPE_CHECKING:
    from games.access import Viewer

MILLISECOND = timedelta(milliseconds=1)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Rows = list[tuple[int, Any, datetime]]


def read(match_id: int, until: int | None = None) -> Rows:
    """Read a match, up to an event if one is given, for one of the functions below to write it."""
    return record.read(match_id, until)


def known_to(viewer: Viewer, match: Match) -> int:
    """Return up to which event this viewer may take the record along: all, or the rounds that are over for them."""
    if is_over(viewer, match):
        return match.version
    return record.rounds_over(match.pk, delayed.current(match.pk, viewer.pk).table.version)


def of_everybody() -> Iterator[int]:
    """Yield the matches that everybody finds in the history."""
    matches = Match.objects.filter(listed_matches(AnonymousUser()), version__gt=0).order_by("pk")
    return matches.values_list("pk", flat=True).iterator()


def matches_of(person_id: int, viewer: Viewer) -> list[int]:
    """Return the matches of a person that the history shows this viewer, as they ended."""
    seats = Seat.objects.filter(listed_seats(viewer), user=person_id, match__version__gt=0)
    return list(seats.order_by("finished_at", "match_id").values_list("match_id", flat=True))


def as_data(found: Rows) -> dict[str, Any]:
    """Return a match as JSON data: every deal, and the keys to check them."""
    return export_match((seq, event, at.isoformat(timespec="milliseconds")) for seq, event, at in found)


def as_text(found: Rows) -> str:
    """Return a match as a transcript, with its times."""
    return write([Entry(event, (at - EPOCH) // MILLISECOND) for _, event, at in found])


def as_line(found: Rows) -> str:
    """Return a match as one line of JSON."""
    return write_json(as_data(found)) + "\n"


def as_paragraph(found: Rows) -> str:
    """Return a match as a transcript among others: an empty line parts it from the next."""
    return as_text(found) + "\n"


FORMATS: dict[str, tuple[Callable[[Rows], str], str]] = {
    "jsonl": (as_line, "application/jsonl"),
    "txt": (as_paragraph, "text/plain; charset=utf-8"),
}
"""How a stream is written, by the end of its name, and what it is called on the wire."""
