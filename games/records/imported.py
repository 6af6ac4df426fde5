"""A match that somebody brings along to look back at: decided again from its first deal on, and kept for him alone.

Nothing of the file itself is shown. It is taken only if today's rules make every fact of it again, so what is kept and
drawn is what the rules have made; the few texts that no rule makes (names, keys) have to look like ours. They are
looked at first, and the first fact that the rules do not make ends the reading: a position that no rule makes may take
days to judge.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import cycle

from django.utils.translation import gettext as _

from games.engine.events import (
    DealVoided,
    Event,
    KeyRevealed,
    MatchEnded,
    MatchStarted,
    RoundDealt,
    RoundEnded,
    SecretRevealed,
)
from games.engine.evolve import fold
from games.engine.notation import BadRecord, import_match
from games.engine.proof import missing, wrong
from games.engine.refusal import Refusal
from games.engine.replay import BROKEN, checked_start, keys_of, started
from games.engine.transcript import Entry, read, read_start, write
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.match.table import Person, Table
from games.models import Match
from games.records.exports import EPOCH, MILLISECOND
from games.review.past import Past, Step, steps_of
from infrastructure.limits import TooFast

LARGEST = 1_000_000
"""Bytes of a file."""
MOST_EVENTS = 1_500
"""A match of the site has a few hundred."""
LAST_MOMENT = 4_102_444_800_000
"""Milliseconds: the year 2100."""
LONGEST_TEXT = 64
LONGEST_REASON = 300
SEALED = re.compile(r"[0-9a-f]{64}", re.ASCII)
COLOURS = ("teal", "red", "blue", "orange")
PATIENCE_SECONDS = 5
NONSENSE = (BadRecord, Refusal, OverflowError, RecursionError, *BROKEN)


class Unreadable(Exception):
    """The text is no match that can be shown; the text of the error says why, to people."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A match that was brought along: what happened, cut into steps."""

    entries: tuple[Entry, ...]
    past: Past

    @property
    def start(self) -> MatchStarted:
        return started([entry.event for entry in self.entries])

    def table(self, step: Step) -> Table:
        """Return a table without names, clocks and chat. It has no address."""
        start = self.start
        people = tuple(
            Person(seat, _("Seat %(number)d") % {"number": seat + 1}, colour, "human")
            for seat, colour in zip(range(start.seats), cycle(COLOURS), strict=False)
        )
        return Table(
            match_id=0,
            slug="",
            variant=start.variant,
            options=start.options,
            seat_count=start.seats,
            status=Match.Status.RUNNING,
            rated=False,
            visibility=Match.Visibility.LINK,
            clock=Match.Clock.NONE,
            move_ms=1,  # a clock that never runs says nothing
            commitment=start.commitment,
            host_id=None,
            version=step.version,
            revision=step.version,
            round=step.round,
            people=people,
            turn_started_ms=None,
            deadline_ms=None,
            due_kind="",
        )

    def view(self, step: Step, seat: int | None, *, open_hands: bool) -> View:
        """Return what a seat (None: everybody) saw after a step, or all hands."""
        first, *events = (entry.event for entry in self.entries[: step.version])
        deal = max((at for at, event in enumerate(events) if isinstance(event, RoundDealt)), default=0)
        ended = (event for event in events[:deal] if isinstance(event, RoundEnded))
        state = fold((first, *ended, *events[deal:]))
        return view_for(rules_for(state.variant), state, seat, open_hands=open_hands)


# Reading


_reading = threading.Lock()


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Read one match: the longest takes a second, and of many at once every table would wait. Raises TooFast."""
    if not _reading.acquire(timeout=PATIENCE_SECONDS):
        raise TooFast(PATIENCE_SECONDS)
    try:
        yield
    finally:
        _reading.release()


@one_at_a_time()
def checked(text: str) -> str:
    """Return the match as a transcript that holds nothing but what the rules make. Raises Unreadable, or TooFast."""
    return _checked(text)


def _checked(text: str) -> str:
    if len(text.encode(errors="replace")) > LARGEST:
        raise Unreadable(_("This is larger than any match: at most %(size)d kB are read.") % {"size": LARGEST // 1000})
    try:
        entries = read_either(text)
        events = [entry.event for entry in entries]
        require_ours(events)
        require_times(entries)
        if found := next(faults(events), ""):
            raise Unreadable(_("The rules do not make this match: %(reason)s") % {"reason": shortened(found)})
        # The times may tell apart what happens at one stroke; without them it is the same match.
        for each in (entries, untimed(entries)):
            written = write(each)
            if "\n!" not in written and read(written) == each and parted(each).past.steps:
                return written
    except NONSENSE as error:
        raise Unreadable(_("This is no record of a match: %(reason)s") % {"reason": shortened(error)}) from error
    raise undealt()


def faults(events: Sequence[Event]) -> Iterator[str]:
    """Yield what does not hold. A match may go on after what is there of it; one that is over has told its secret."""
    yield from wrong(events)
    if any(isinstance(event, MatchEnded) for event in events):
        yield from missing(events)


def read_either(text: str) -> tuple[Entry, ...]:
    """Read a match in either format. Raises one of NONSENSE, or Unreadable if it is too long."""
    text = text.lstrip("\ufeff \t\r\n").replace("\r\n", "\n")
    if text.startswith("{"):
        data = json.loads(text)
        entries = tuple(map(Entry, import_match(data), map(moment_of, data["events"])))
    elif text.count("\n") + text.count(";") <= MOST_EVENTS:
        start, lines = read_start(text)
        require_our_start(started([start.event]))
        if facts := [number for number, line in lines if line.startswith("!")]:
            raise BadRecord(f"Line {facts[0]}: a bare fact, which nobody can decide again.")
        entries = read(text)
    else:
        raise too_long()
    if len(entries) > MOST_EVENTS:
        raise too_long()
    return entries if all(entry.at is not None for entry in entries) else untimed(entries)


def untimed(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the events alone: half of the times are worth nothing."""
    return tuple(Entry(entry.event) for entry in entries)


def moment_of(row: dict[str, object]) -> int | None:
    """Return when an event of the JSON format happened, None if that is not said. Raises ValueError."""
    at = row.get("at")
    moment = datetime.fromisoformat(at) if isinstance(at, str) else None
    return None if moment is None or moment.tzinfo is None else (moment - EPOCH) // MILLISECOND


def too_long() -> Unreadable:
    return Unreadable(_("This is longer than any match: at most %(count)d events are read.") % {"count": MOST_EVENTS})


def undealt() -> Unreadable:
    text = _("The keys of the deals are missing, or nothing was dealt, so the match cannot be dealt again.")
    return Unreadable(text)


def require_ours(events: Sequence[Event]) -> None:
    """Look at all that no rule makes. Raises BadRecord or Unreadable."""
    require_our_start(started(events))
    sealed = [event.key for event in events if isinstance(event, KeyRevealed)]
    sealed += [event.secret for event in events if isinstance(event, SecretRevealed)]
    if not all(map(is_sealed, sealed)):
        raise BadRecord("A key or the secret is not 64 hexadecimal digits.")
    dealt = {event.round for event in events if isinstance(event, DealVoided | RoundDealt)}
    if not dealt or not dealt <= keys_of(events).keys():
        raise undealt()


def require_our_start(start: MatchStarted) -> None:
    """Raises BadRecord or Unreadable."""
    require_rules_of_today(start)
    if len(start.nonces) > start.seats or not all(map(is_short, (start.match, *start.nonces))):
        raise BadRecord("The name of the match or a nonce is no short text, or there are more nonces than seats.")
    if not all(is_sealed(text) for text in (start.commitment, *start.nonce_commitments) if text != ""):
        raise BadRecord("A commitment is not 64 hexadecimal digits.")
    if len(start.nonce_commitments) not in (0, start.seats) or not set(start.bots) <= set(range(start.seats)):
        raise BadRecord("There are other nonces committed to than seats, or a bot has none of the seats.")


def require_times(entries: Iterable[Entry]) -> None:
    """Raises BadRecord."""
    if not all(entry.at is None or 0 <= entry.at <= LAST_MOMENT for entry in entries):
        raise BadRecord("A time is before 1970 or after 2100.")


def require_rules_of_today(start: MatchStarted) -> None:
    """Raises BadRecord or Unreadable."""
    rules = rules_for(start.variant)
    if start.rules_version != rules.rules_version:
        raise Unreadable(
            _("This match was played under version %(its)s of the rules; only version %(ours)d can be shown here.")
            % {"its": shortened(start.rules_version), "ours": rules.rules_version}
        )
    checked_start(start)
    if dict(start.options).keys() != {option.name for option in rules.options}:
        raise BadRecord("The options are not all there.")


def is_short(text: object) -> bool:
    return isinstance(text, str) and len(text) <= LONGEST_TEXT and text.isprintable()


def is_sealed(text: object) -> bool:
    return isinstance(text, str) and SEALED.fullmatch(text) is not None


def shortened(reason: object) -> str:
    """Return a text that may quote anything as one that can be written down and read in one line."""
    text = str(reason)
    text = text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]}…"
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def parted(entries: tuple[Entry, ...]) -> Imported:
    """Cut a match into its steps."""
    rows = [(entry.event, None if entry.at is None else EPOCH + entry.at * MILLISECOND) for entry in entries]
    return Imported(entries, Past(tuple(steps_of(rows))))
