"""Reading an uploaded match in either format, the short text or JSON."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from games.engine.notation import BadRecord, import_match
from games.engine.replay import match_start
from games.engine.transcript import Entry, read, read_start
from games.engine.transcript_head import read_about
from games.match.moments import EPOCH, MILLISECOND
from games.records import pasted
from games.records.metadata import require_our_start
from games.records.players import Player, players_of
from games.records.unreadable import MOST_EVENTS, too_long


def read_either(text: str) -> tuple[tuple[Entry, ...], tuple[Player, ...]]:
    """Read a match and its players, as JSON or text. Raises one of NONSENSE, or Unreadable."""
    text = pasted.cleaned(text)
    if text.startswith("{"):
        data = pasted.json_record(text)
        entries, said = tuple(map(Entry, import_match(data), map(moment_of, data["events"]))), data
    elif text.count("\n") + text.count(";") <= MOST_EVENTS:
        text = pasted.transcript(text)
        start, lines = read_start(text)
        require_our_start(match_start([start.event]))
        if facts := [number for number, line in lines if line.startswith("!")]:
            raise BadRecord(f"Line {facts[0]}: a bare fact, which nobody can decide again.")
        entries, said = read(text), read_about(text)
    else:
        raise too_long()
    if len(entries) > MOST_EVENTS:
        raise too_long()
    players = players_of(said.get("players"), match_start([entry.event for entry in entries]).seats)
    return (entries if all(entry.at is not None for entry in entries) else untimed(entries)), players


def untimed(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the entries without times: some without others would be useless."""
    return tuple(Entry(entry.event) for entry in entries)


def moment_of(row: dict[str, object]) -> int | None:
    """Return when an event in the JSON format happened, None if it does not say. Raises ValueError."""
    at = row.get("at")
    moment = datetime.fromisoformat(at) if isinstance(at, str) else None
    return None if moment is None or moment.tzinfo is None else (moment - EPOCH) // MILLISECOND
