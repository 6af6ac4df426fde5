"""The corpus: recorded matches of every game, seat count and option, which must keep their meaning.

A file of transcripts. A line ``# digest`` before every transcript has the hash of the events that the rules derived
from it when it was recorded.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

from games.engine.events import Event
from games.engine.notation import event_to_json

PATH = Path(__file__).parents[1] / "records" / "corpus.txt.gz"
DIGITS = 16
DIGEST_LINE = re.compile(rf"^# ([0-9a-f]{{{DIGITS}}})\n", re.MULTILINE)


def digest(events: Iterable[Event]) -> str:
    """Return a hash of all events."""
    text = "\n".join(f"{kind} {data}" for kind, data in map(event_to_json, events))
    return sha256(text.encode()).hexdigest()[:DIGITS]


def load() -> list[tuple[str, str]]:
    """Return the digest and the transcript of every match."""
    parts = DIGEST_LINE.split(gzip.decompress(PATH.read_bytes()).decode())[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def save(matches: Sequence[tuple[str, str]]) -> None:
    """Write the corpus reproducibly."""
    text = "".join(f"# {mark}\n{match}" for mark, match in matches)
    PATH.write_bytes(gzip.compress(text.encode(), mtime=0))
