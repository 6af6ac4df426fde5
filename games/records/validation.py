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
from games.records.decoding import MAX_RECORD_BYTES
from games.records.import_errors import (
    damaged_json_error,
    missing_deals_error,
    not_a_record_error,
    rule_violation_error,
    too_large_error,
)
from games.records.imported_match import ImportedMatch
from games.records.metadata_checks import check_metadata, check_times
from games.records.parsing import parse_record, without_times
from infrastructure.limits import LimitExceeded

LOCK_TIMEOUT_SECONDS = 5
PARSE_ERRORS = (BadRecord, Refusal, OverflowError, RecursionError, *IMPOSSIBLE_EVENT_ERRORS)

_validation_lock = threading.Lock()


@contextmanager
def exclusive_validation() -> Iterator[None]:
    """Let one thread at a time read a match. Each takes up to a second, and several would delay every table.

    Raises LimitExceeded.
    """
    if not _validation_lock.acquire(timeout=LOCK_TIMEOUT_SECONDS):
        raise LimitExceeded(LOCK_TIMEOUT_SECONDS)
    try:
        yield
    finally:
        _validation_lock.release()


@exclusive_validation()
def validate_record(text: str) -> ImportedMatch:
    """Return the match as the rules reproduce it. Raises UnreadableRecord or LimitExceeded."""
    if len(text.encode(errors="replace")) > MAX_RECORD_BYTES:
        raise too_large_error(MAX_RECORD_BYTES)
    try:
        entries, players = parse_record(text)
        events = [entry.event for entry in entries]
        check_metadata(events)
        check_times(entries)
        if fault := next(find_faults(events), ""):
            raise rule_violation_error(fault)
        # A transcript has one time for events that happen together. If the times differ, they are dropped.
        for candidate in (entries, without_times(entries)):
            match = ImportedMatch.from_entries(candidate, players)
            if match.match_steps.steps and is_reproducible(match, text):
                return match
    except JSONDecodeError as error:
        raise damaged_json_error(error) from error
    except PARSE_ERRORS as error:
        raise not_a_record_error(error) from error
    raise missing_deals_error()


def is_reproducible(match: ImportedMatch, text: str) -> bool:
    """Return whether the transcript of the match has no bare facts, and reading it gives the same events.

    If the original ``text`` equals the transcript, it need not be read again.
    """
    transcript = match.to_transcript()
    return "\n!" not in transcript and (transcript.strip() == text.strip() or read(transcript) == match.entries)


def find_faults(events: Sequence[Event]) -> Iterator[str]:
    """Yield the faults of a match. It may be unfinished; a finished one must contain its secret."""
    yield from find_errors(events)
    if any(isinstance(event, MatchEnded) for event in events):
        yield from missing_parts(events)
