"""Validating an uploaded match: every deal and move is decided again.

Nothing from the file itself is shown. It is accepted only if today's rules produce every fact again, and what they
produced is stored and drawn. The few texts that no rule produces (names, keys) are checked first. Reading stops at the
first fact that the rules do not produce, because an impossible position could take days to judge.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from json import JSONDecodeError

from django.utils.translation import gettext as _

from games.engine.events import Event, MatchEnded
from games.engine.notation import BadRecord
from games.engine.proof import find_errors, missing
from games.engine.refusal import Refusal
from games.engine.replay import BROKEN
from games.engine.transcript import read
from games.records.decoding import LARGEST
from games.records.imported import Imported
from games.records.metadata import require_ours, require_times
from games.records.parsing import read_either, untimed
from games.records.unreadable import Unreadable, against_rules, cut_off, shortened, too_large, undealt
from infrastructure.limits import TooFast

WAIT_SECONDS = 5
NONSENSE = (BadRecord, Refusal, OverflowError, RecursionError, *BROKEN)

_reading = threading.Lock()


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold the lock for reading: a long match takes a second, and several at once would delay every table.

    Raises TooFast.
    """
    if not _reading.acquire(timeout=WAIT_SECONDS):
        raise TooFast(WAIT_SECONDS)
    try:
        yield
    finally:
        _reading.release()


@one_at_a_time()
def checked(text: str) -> Imported:
    """Return the match as the rules produce it. Raises Unreadable or TooFast."""
    if len(text.encode(errors="replace")) > LARGEST:
        raise too_large(LARGEST)
    try:
        entries, players = read_either(text)
        events = [entry.event for entry in entries]
        require_ours(events)
        require_times(entries)
        if fault := next(faults(events), ""):
            raise against_rules(fault)
        # Times may differ between events that happen together, which a transcript cannot say: then drop them.
        for version in (entries, untimed(entries)):
            match = Imported.of(version, players)
            if match.past.steps and is_reproduced(match, text):
                return match
    except JSONDecodeError as error:
        raise cut_off(error) from error
    except (BadRecord, Refusal) as error:
        raise Unreadable(_("This is not a record of a match: %(reason)s") % {"reason": shortened(error)}) from error
    except NONSENSE as error:
        raise Unreadable(_("This is not a record of a match.")) from error
    raise undealt()


def is_reproduced(match: Imported, text: str) -> bool:
    """Return whether the transcript of the match has no bare facts, and reading it produces the same facts.

    ``text`` is what the match was read from; if it is that transcript, it need not be read again.
    """
    transcript = match.transcript()
    return "\n!" not in transcript and (transcript.strip() == text.strip() or read(transcript) == match.entries)


def faults(events: Sequence[Event]) -> Iterator[str]:
    """Yield what is wrong. The match may be unfinished; a finished one must contain its secret."""
    yield from find_errors(events)
    if any(isinstance(event, MatchEnded) for event in events):
        yield from missing(events)
