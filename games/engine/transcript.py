"""A match as a short text that people can read, exact in both directions (docs/records.md).

Events that the rules of today would make again from a move are not written, so a move is only its own text. Everything
else is written as a fact of its own, in a line that begins with ``!``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from games.engine.deal import commitment
from games.engine.decide import CLOCK, decide, forfeit, hold, take_back
from games.engine.events import (
    LEAVES,
    STOPS,
    DealVoided,
    Drew,
    Event,
    KeyRevealed,
    MatchEnded,
    MatchStarted,
    Passed,
    Played,
    RoundDealt,
    SeatForfeited,
    SeatHeld,
    SeatReturned,
    SecretRevealed,
)
from games.engine.notation import ABOUT, BadRecord, event_from_json, event_to_data, event_to_json
from games.engine.refusal import Refusal
from games.engine.replay import (
    Decision,
    applied,
    checked_start,
    dealt_again,
    decisions,
    ended_again,
    keys_of,
    made_again,
    move_of,
    started,
)
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.transcript_head import comments_of, head, header, read_headers
from games.engine.variants import rules_for

LINE_LENGTH = 100
SECOND = 1000
ENDINGS = (*LEAVES, *STOPS)
SEATS = ("held", "returned", "forfeited")
BY_CLOCK = " by clock"
ACT = re.compile(r"(.*?)(?: \+(\d+(?:\.\d+)?))?(?: \{[^{}]*\})?")
"""A move or another act, the seconds since the last one, and a comment."""


class Entry(NamedTuple):
    """An event and when it happened, in milliseconds since 1970 (None: nobody knows)."""

    event: Event
    at: int | None = None


# Writing


def write(entries: Sequence[Entry], about: Mapping[str, Any] | None = None) -> str:
    """Return the match as text. Raises ``BadRecord`` if the entries are not a match.

    ``about`` is what ``export_match`` takes; what choices cost is written beside their moves.
    """
    events = [entry.event for entry in entries]
    start, keys = started(events), keys_of(events)
    known = rules_for(start.variant).knows(start.rules_version)
    writer, comments = Writer(entries[0], about or {}), comments_of(about or {})
    for decision in decisions(events):
        group = entries[decision.seq - 1 : decision.seq - 1 + len(decision.facts)]
        text = _act(start, decision, keys) if known and _timed_alike(writer.at, group) else ""
        if text:
            writer.act(text, group[0].at, comments.get(decision.seq, ""))
        else:
            writer.facts(group)
    return writer.text()


class Writer:
    """The lines so far, the acts not yet written, and what a reader knows by then: the time and the last key."""

    def __init__(self, entry: Entry, about: Mapping[str, Any]) -> None:
        self.lines = [*head(about), *_headers(entry)]
        self.waiting: list[str] = []
        self.at = entry.at
        self.key = ""

    def act(self, text: str, at: int | None, comment: str) -> None:
        """Add an act; a deal begins a paragraph."""
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

    def facts(self, group: Sequence[Entry]) -> None:
        """Add facts as they are, one line each."""
        self._end_line()
        self.lines += map(_fact, group)
        self.at = group[-1].at

    def text(self) -> str:
        """Return everything."""
        self._end_line()
        return "\n".join([*self.lines, ""])

    def _end_line(self) -> None:
        self.lines += _wrapped(self.waiting)
        self.waiting = []


def _timed_alike(before: int | None, group: Sequence[Entry]) -> bool:
    """Return whether all of these happened at one time, so that one number of seconds tells it."""
    now = group[0].at
    if any(entry.at != now for entry in group):
        return False
    return now == before or (now is not None and before is not None and now > before)


def _headers(entry: Entry) -> list[str]:
    _, data = event_to_data(entry.event)
    rows = [header(name, content) for name, content in data.items()]
    return rows if entry.at is None else [*rows, f"at: {entry.at}"]


def _act(start: MatchStarted, decision: Decision, keys: dict[int, str]) -> str:
    """Return the text of an act, "" unless reading it gives exactly the same facts."""
    try:
        if made_again(start, decision, keys) != decision.facts:
            return ""
    except Refusal:
        return ""
    first = decision.facts[0]
    if isinstance(first, Played | Drew | Passed):
        return rules_for(start.variant).move_text(move_of(first)) + (BY_CLOCK if first.by == CLOCK else "")
    if isinstance(first, SeatHeld):
        return f"held {first.seat} {first.reason}"
    if isinstance(first, SeatReturned):
        return f"returned {first.seat}"
    if isinstance(first, SeatForfeited):
        return f"forfeited {first.seat} {first.reason}"
    if isinstance(first, DealVoided | RoundDealt):
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
    """Write the seconds between two moments: `` +1.25``.

    >>> _elapsed(1_000, 2_250), _elapsed(1_000, 1_000)
    (' +1.25', '')
    """
    if before is None or now is None or before == now:
        return ""
    seconds, rest = divmod(now - before, SECOND)
    return f" +{seconds}.{rest:03}".rstrip("0").rstrip(".")


def _fact(entry: Entry) -> str:
    kind, data = event_to_json(entry.event)
    return f"! {kind} {'-' if entry.at is None else entry.at} {data}"


def _wrapped(acts: Sequence[str]) -> list[str]:
    lines: list[str] = []
    for act in acts:
        if lines and len(lines[-1]) + len(act) + 2 <= LINE_LENGTH:
            lines[-1] += f"; {act}"
        else:
            lines.append(act)
    return lines


# Reading


def read(text: str) -> tuple[Entry, ...]:
    """Return the match that ``write`` wrote. Raises ``BadRecord`` with the number of the line."""
    start, lines = read_start(text)
    reader = Reader(start)
    for number, line in lines:
        try:
            reader.take(line)
        except (Refusal, BadRecord) as error:
            raise BadRecord(f"Line {number}: {error}") from error
        except (ValueError, OverflowError) as error:
            raise BadRecord(f"Line {number}: this is not an act of a match.") from error
    return tuple(reader.entries)


def read_start(text: str) -> tuple[Entry, list[tuple[int, str]]]:
    """Return how a match began, and the lines after that with their numbers. Raises ``BadRecord``."""
    fields, lines = read_headers(text)
    at = fields.pop("at", None)
    event = event_from_json("match_started", json.dumps({name: fields[name] for name in fields if name not in ABOUT}))
    return Entry(event, at if type(at) is int else None), lines


class Reader:
    """A match being read: what happened so far, the position, and the key of the last deal."""

    def __init__(self, entry: Entry) -> None:
        self.at = entry.at
        self.start = started([entry.event])
        self.rules: Rules = rules_for(self.start.variant)
        self.state: State = checked_start(self.start)
        self.key = ""
        self.entries = [Entry(self.start, self.at)]

    def take(self, line: str) -> None:
        """Read a line. Raises ``Refusal`` or ``ValueError``."""
        if line.startswith("!"):
            _, kind, at, data = line.split(" ", 3)
            self.at = None if at == "-" else int(at)
            self._apply((event_from_json(kind, data),))
            return
        for act in filter(None, map(str.strip, line.split(";"))):
            found = ACT.fullmatch(act)
            if found and found[2] and self.at is not None:
                self.at += round(float(found[2]) * SECOND)
            self._apply(tuple(self._made(found[1] if found else act)))

    def _made(self, act: str) -> Iterator[Event]:
        if not self.rules.knows(self.start.rules_version):
            raise BadRecord("written by rules of another version")
        name, _, value = act.partition(" ")
        if name == "deal":
            self.key = value
            yield from dealt_again(self.rules, self.start, self.state, value, commitment(value))
        elif name == "key":
            yield KeyRevealed(self.state.round.number, value or self.key)
        elif name == "secret":
            commitment(value)  # it must be hexadecimal
            yield SecretRevealed(value)
        elif name in ENDINGS:
            yield from ended_again(self.rules, self.state, name, int(value) if value else None)
        elif name in SEATS:
            yield from self._seat(name, *value.split(" "))
        else:
            yield from self._move(act)

    def _seat(self, name: str, seat: str, reason: str = "") -> tuple[Event, ...]:
        if name == "returned":
            return take_back(self.state, int(seat))
        return (hold if name == "held" else forfeit)(self.state, int(seat), reason)

    def _move(self, act: str) -> tuple[Event, ...]:
        if self.state.round.to_move is None:
            raise BadRecord("nobody is to move")
        text = act.removesuffix(BY_CLOCK)
        move = self.rules.parse_move(self.state, text)
        return decide(self.rules, self.state, self.state.round.to_move, move, by="" if text == act else CLOCK)

    def _apply(self, events: Sequence[Event]) -> None:
        for event in events:
            self.entries.append(Entry(event, self.at))
            self.state = applied(self.state, event, len(self.entries))
