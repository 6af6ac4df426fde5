"""Reads an uploaded match, as a transcript or JSON."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from games.engine.notation import BadRecord, import_match
from games.engine.replay import start_event
from games.engine.transcript import Entry, read, read_start
from games.engine.transcript_head import read_about
from games.match.moments import milliseconds
from games.records import paste_repair
from games.records.import_errors import MAX_EVENTS, too_many_events_error
from games.records.metadata_checks import check_start
from games.records.players import RecordPlayer, parse_players


def parse_record(text: str) -> tuple[tuple[Entry, ...], tuple[RecordPlayer, ...]]:
    """Return the events and players of a match. Raises one of ``validation.PARSE_ERRORS``, or UnreadableRecord."""
    text = paste_repair.clean_text(text)
    if text.startswith("{"):
        fields = paste_repair.parse_single_json(text)
        entries = tuple(map(Entry, import_match(fields), map(event_time_ms, fields["events"])))
    else:
        entries, fields = _read_transcript(text)
    if len(entries) > MAX_EVENTS:
        raise too_many_events_error()
    players = parse_players(fields.get("players"), start_event([entry.event for entry in entries]).seats)
    return (entries if all(entry.at is not None for entry in entries) else without_times(entries)), players


def _read_transcript(text: str) -> tuple[tuple[Entry, ...], dict[str, Any]]:
    """Return the events and the headers of a transcript."""
    paste_repair.require_single_transcript(text)
    if text.count("\n") + text.count(";") > MAX_EVENTS:
        raise too_many_events_error()
    text = paste_repair.join_broken_lines(text)
    start, lines = read_start(text)
    check_start(start_event([start.event]))
    if bare_facts := [number for number, line in lines if line.startswith("!")]:
        raise BadRecord(f"Line {bare_facts[0]}: a bare fact, which nobody can decide again.")
    return read(text), read_about(text)


def without_times(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    return tuple(Entry(entry.event) for entry in entries)


def event_time_ms(row: dict[str, object]) -> int | None:
    """Return the time of an event in the JSON format, None without a complete one. Raises ValueError."""
    at = row.get("at")
    time = datetime.fromisoformat(at) if isinstance(at, str) else None
    return None if time is None or time.tzinfo is None else milliseconds(time)
