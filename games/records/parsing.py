"""Reads an uploaded match, as a transcript or JSON."""

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
from games.records.unreadable import MAX_EVENTS, too_long


def read_either(text: str) -> tuple[tuple[Entry, ...], tuple[Player, ...]]:
    """Return the events and players of a match. Raises one of ``validation.NONSENSE``, or Unreadable."""
    text = pasted.clean(text)
    if text.startswith("{"):
        about = pasted.json_record(text)
        entries = tuple(map(Entry, import_match(about), map(time_ms, about["events"])))
    elif text.count("\n") + text.count(";") <= MAX_EVENTS:
        text = pasted.transcript(text)
        start, lines = read_start(text)
        require_our_start(match_start([start.event]))
        if facts := [number for number, line in lines if line.startswith("!")]:
            raise BadRecord(f"Line {facts[0]}: a bare fact, which nobody can decide again.")
        entries, about = read(text), read_about(text)
    else:
        raise too_long()
    if len(entries) > MAX_EVENTS:
        raise too_long()
    players = players_of(about.get("players"), match_start([entry.event for entry in entries]).seats)
    return (entries if all(entry.at is not None for entry in entries) else without_times(entries)), players


def without_times(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    return tuple(Entry(entry.event) for entry in entries)


def time_ms(row: dict[str, object]) -> int | None:
    """Return the time of an event in the JSON format, None without a complete one. Raises ValueError."""
    at = row.get("at")
    time = datetime.fromisoformat(at) if isinstance(at, str) else None
    return None if time is None or time.tzinfo is None else (time - EPOCH) // MILLISECOND
