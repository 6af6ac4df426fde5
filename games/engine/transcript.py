"""A match as a short, readable and lossless text (docs/records.md).

A move is only its notation if the current rules derive its events from it. Other events are written in full, in lines
that begin with ``!``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from games.engine.deal import commitment
from games.engine.decide import decide, forfeit_seat, give_back_seat, hold_seat
from games.engine.events import (
    CLOCK,
    LEAVE_REASONS,
    STOP_REASONS,
    DealEvent,
    Event,
    KeyRevealed,
    MatchEnded,
    MatchStarted,
    MoveEvent,
    SeatEvent,
    SeatHeld,
    SeatReturned,
    SecretRevealed,
    move_of,
)
from games.engine.notation import ABOUT_FIELDS, BadRecord, event_from_json, event_to_data, event_to_json
from games.engine.refusal import Refusal
from games.engine.replay import (
    Decision,
    apply_untrusted,
    decide_again,
    decisions,
    initial_state,
    repeat_deal,
    repeat_match_end,
    round_keys,
    start_event,
)
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.transcript_head import head_lines, header_line, loss_comments, read_headers
from games.engine.variants import rules_for

LINE_LENGTH = 100
SECOND_MS = 1000
END_REASONS = (*LEAVE_REASONS, *STOP_REASONS)
ABSENCE_ACTS = ("held", "returned", "forfeited")
BY_CLOCK = " by clock"
# Move or other act, seconds since the last one, comment.
ACT_PATTERN = re.compile(r"(.*?)(?: \+(\d+(?:\.\d+)?))?(?: \{[^{}]*\})?")


class Entry(NamedTuple):
    """An event and its time in milliseconds since 1970, None if unknown."""

    event: Event
    at: int | None = None


# Writing


def write(entries: Sequence[Entry], about: Mapping[str, Any] | None = None) -> str:
    """Return the match as text. Raises ``BadRecord`` if the entries are not a match.

    ``about`` is the argument of ``export_match``; costs of choices become comments of their moves.
    """
    events = [entry.event for entry in entries]
    start, keys = start_event(events), round_keys(events)
    is_replayable = rules_for(start.variant).knows(start.rules_version)
    writer, comments = TranscriptWriter(entries[0], about or {}), loss_comments(about or {})
    for decision in decisions(events):
        step = entries[decision.seq - 1 : decision.seq - 1 + len(decision.events)]
        text = _act(start, decision, keys) if is_replayable and _is_simultaneous(writer.at, step) else ""
        if text:
            writer.add_act(text, step[0].at, comments.get(decision.seq, ""))
        else:
            writer.add_events(step)
    return writer.text()


class TranscriptWriter:
    """The lines so far, the acts of the next lines, and the time and key that a reader knows there."""

    def __init__(self, entry: Entry, about: Mapping[str, Any]) -> None:
        _, data = event_to_data(entry.event)
        self.lines = [*head_lines(about), *(header_line(name, content) for name, content in data.items())]
        self.lines += [] if entry.at is None else [f"at: {entry.at}"]
        self.waiting: list[str] = []
        self.at = entry.at
        self.key = ""

    def add_act(self, text: str, at: int | None, comment: str) -> None:
        """Add an act. A deal begins a paragraph."""
        name, _, value = text.partition(" ")
        text = "key" if name == "key" and value == self.key else text
        if name == "deal":
            self._end_line()
            self.lines.append("")
            self.key = value
        self.waiting.append(text + _elapsed(self.at, at) + comment)
        if name == "deal":
            self._end_line()
        self.at = at

    def add_events(self, step: Sequence[Entry]) -> None:
        """Add events in full, one per line."""
        self._end_line()
        self.lines += map(_fact, step)
        self.at = step[-1].at

    def text(self) -> str:
        self._end_line()
        return "\n".join([*self.lines, ""])

    def _end_line(self) -> None:
        self.lines += _lines_of_acts(self.waiting)
        self.waiting = []


def _is_simultaneous(before: int | None, step: Sequence[Entry]) -> bool:
    """Return True if the events have one time that can be written as seconds since ``before``."""
    now = step[0].at
    if any(entry.at != now for entry in step):
        return False
    return now == before or (now is not None and before is not None and now > before)


def _act(start: MatchStarted, decision: Decision, keys: dict[int, str]) -> str:
    """Return the text of an act, "" unless reading it gives exactly the same events."""
    try:
        if decide_again(start, decision, keys) != decision.events:
            return ""
    except Refusal:
        return ""
    first = decision.events[0]
    if isinstance(first, MoveEvent):
        return rules_for(start.variant).move_text(move_of(first)) + (BY_CLOCK if first.by == CLOCK else "")
    if isinstance(first, SeatReturned):
        return f"returned {first.seat}"
    if isinstance(first, SeatEvent):
        return f"{'held' if isinstance(first, SeatHeld) else 'forfeited'} {first.seat} {first.reason}"
    if isinstance(first, DealEvent):
        key = keys.get(first.round, "")
        return f"deal {key}" if key and commitment(key) == first.commitment else ""
    if isinstance(first, KeyRevealed):
        return f"key {first.key}" if first.round == decision.state.round.number else ""
    if isinstance(first, SecretRevealed):
        return f"secret {first.secret}"
    if isinstance(first, MatchEnded):
        return first.reason if first.seat is None else f"{first.reason} {first.seat}"
    return ""


def _elapsed(before: int | None, now: int | None) -> str:
    """Return the seconds between two times, "" if there are none.

    >>> _elapsed(1_000, 2_250), _elapsed(1_000, 1_000)
    (' +1.25', '')
    """
    if before is None or now is None or before == now:
        return ""
    seconds, rest = divmod(now - before, SECOND_MS)
    return f" +{seconds}.{rest:03}".rstrip("0").rstrip(".")


def _fact(entry: Entry) -> str:
    kind, data = event_to_json(entry.event)
    return f"! {kind} {'-' if entry.at is None else entry.at} {data}"


def _lines_of_acts(acts: Sequence[str]) -> list[str]:
    lines: list[str] = []
    for act in acts:
        if lines and len(lines[-1]) + len(act) + 2 <= LINE_LENGTH:
            lines[-1] += f"; {act}"
        else:
            lines.append(act)
    return lines


# Reading


def read(text: str) -> tuple[Entry, ...]:
    """Read a match from the text of ``write``. Raises ``BadRecord`` with the number of the line."""
    start, lines = read_start(text)
    reader = TranscriptReader(start)
    for number, line in lines:
        try:
            reader.apply_transcript_line(line)
        except (Refusal, BadRecord) as error:
            raise BadRecord(f"Line {number}: {error}") from error
        except (ValueError, OverflowError) as error:
            raise BadRecord(f"Line {number}: this is not an act of a match.") from error
    return tuple(reader.entries)


def read_start(text: str) -> tuple[Entry, list[tuple[int, str]]]:
    """Return the start of the match, and the lines after the headers with their numbers. Raises ``BadRecord``."""
    fields, lines = read_headers(text)
    at = fields.pop("at", None)
    event = event_from_json(
        "match_started", json.dumps({name: fields[name] for name in fields if name not in ABOUT_FIELDS})
    )
    return Entry(event, at if type(at) is int else None), lines


class TranscriptReader:
    """The entries read so far, the position after them, and the key of the last deal."""

    def __init__(self, entry: Entry) -> None:
        self.at = entry.at
        self.start = start_event([entry.event])
        self.rules: Rules = rules_for(self.start.variant)
        self.state: State = initial_state(self.start)
        self.key = ""
        self.entries = [Entry(self.start, self.at)]

    def apply_transcript_line(self, line: str) -> None:
        """Add the events of a line. Raises ``Refusal`` or ``ValueError``."""
        if line.startswith("!"):
            _, kind, at, data = line.split(" ", 3)
            self.at = None if at == "-" else int(at)
            self._apply((event_from_json(kind, data),))
            return
        for act in filter(None, map(str.strip, line.split(";"))):
            match = ACT_PATTERN.fullmatch(act)
            if match and match[2] and self.at is not None:
                self.at += round(float(match[2]) * SECOND_MS)
            self._apply(tuple(self._events(match[1] if match else act)))

    def _events(self, act: str) -> Iterator[Event]:
        if not self.rules.knows(self.start.rules_version):
            raise BadRecord("written by rules of another version")
        name, _, value = act.partition(" ")
        if name == "deal":
            self.key = value
            yield from repeat_deal(self.rules, self.start, self.state, value, commitment(value))
        elif name == "key":
            yield KeyRevealed(self.state.round.number, value or self.key)
        elif name == "secret":
            commitment(value)  # raises unless hexadecimal
            yield SecretRevealed(value)
        elif name in END_REASONS:
            yield from repeat_match_end(self.rules, self.state, name, int(value) if value else None)
        elif name in ABSENCE_ACTS:
            yield from self._seat(name, *value.split(" "))
        else:
            yield from self._move(act)

    def _seat(self, name: str, seat: str, reason: str = "") -> tuple[Event, ...]:
        if name == "returned":
            return give_back_seat(self.state, int(seat))
        return (hold_seat if name == "held" else forfeit_seat)(self.state, int(seat), reason)

    def _move(self, act: str) -> tuple[Event, ...]:
        if self.state.round.to_move is None:
            raise BadRecord("nobody is to move")
        text = act.removesuffix(BY_CLOCK)
        move = self.rules.parse_move(self.state, text)
        return decide(self.rules, self.state, self.state.round.to_move, move, by="" if text == act else CLOCK)

    def _apply(self, events: Sequence[Event]) -> None:
        for event in events:
            self.entries.append(Entry(event, self.at))
            self.state = apply_untrusted(self.state, event, len(self.entries))
