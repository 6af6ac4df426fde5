"""Validates an uploaded match by repeating every deal and move.

A file is accepted only if today's rules reproduce all of its events, and only the reproduced events are stored and
rendered. The few texts that no rule produces (names, keys) are checked first. Reading stops at the first event that
the rules do not reproduce, because an impossible position could take days to judge.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from json import JSONDecodeError

from games.engine.events import Event, MatchEnded
from games.engine.notation import BadRecord
from games.engine.proof import find_errors, missing_parts
from games.engine.refusal import Refusal
from games.engine.replay import IMPOSSIBLE_EVENT_ERRORS
from games.engine.transcript import read
from games.records.decoding import MAX_BYTES
from games.records.imported import Imported
from games.records.metadata import require_ours, require_times
from games.records.parsing import read_either, without_times
from games.records.unreadable import against_rules, cut_off, not_a_record, too_large, undealt
from infrastructure.limits import TooFast

WAIT_SECONDS = 5
NONSENSE = (BadRecord, Refusal, OverflowError, RecursionError, *IMPOSSIBLE_EVENT_ERRORS)

_reading = threading.Lock()


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let one thread at a time read a match. Each takes up to a second, and several would delay every table.

    Raises TooFast.
    """
    if not _reading.acquire(timeout=WAIT_SECONDS):
        raise TooFast(WAIT_SECONDS)
    try:
        yield
    finally:
        _reading.release()


@one_at_a_time()
def validate(text: str) -> Imported:
    """Return the match as the rules reproduce it. Raises Unreadable or TooFast."""
    if len(text.encode(errors="replace")) > MAX_BYTES:
        raise too_large(MAX_BYTES)
    try:
        entries, players = read_either(text)
        events = [entry.event for entry in entries]
        require_ours(events)
        require_times(entries)
        if fault := next(faults(events), ""):
            raise against_rules(fault)
        # A transcript has one time for events that happen together. If the times differ, they are dropped.
        for version in (entries, without_times(entries)):
            match = Imported.of(version, players)
            if match.past.steps and is_reproduced(match, text):
                return match
    except JSONDecodeError as error:
        raise cut_off(error) from error
    except NONSENSE as error:
        raise not_a_record(error) from error
    raise undealt()


def is_reproduced(match: Imported, text: str) -> bool:
    """Return whether the transcript of the match has no bare facts, and reading it gives the same events.

    If the original ``text`` equals the transcript, it need not be read again.
    """
    transcript = match.transcript()
    return "\n!" not in transcript and (transcript.strip() == text.strip() or read(transcript) == match.entries)


def faults(events: Sequence[Event]) -> Iterator[str]:
    """Yield the faults of a match. It may be unfinished; a finished one must contain its secret."""
    yield from find_errors(events)
    if any(isinstance(event, MatchEnded) for event in events):
        yield from missing_parts(events)
