"""From when on everybody may know what happened in a match."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from games.match.disclosure import are_all_events_public
from games.models import Match

ROOT = Path(__file__).parents[3]
NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
# A lookup by the column, or a comparison of it.
COMPARED = re.compile(r"public_at__|public_at [<>]|[<>]=? [\w.]*public_at\b")
# The model has an index for it.
COMPARING = {"games/match/disclosure.py", "games/models/match.py"}


@pytest.mark.parametrize(
    ("delay", "version", "public_at", "expected"),
    [
        ("none", 9, None, True),
        ("30", 0, None, True),
        ("30", 9, None, False),
        ("30", 9, NOW + SECOND, False),
        ("30", 9, NOW, True),
        ("round", 9, NOW - SECOND, True),
    ],
    ids=["no delay", "not begun", "running", "a second too early", "to the moment", "afterwards"],
)
def test_disclosure_depends_on_viewer_and_time(
    delay: str, version: int, public_at: datetime | None, expected: bool
) -> None:
    match = Match(delay=delay, version=version, public_at=public_at)
    assert are_all_events_public(match, NOW) is expected


def test_disclosure_time_is_compared_in_one_place() -> None:
    files = [
        path
        for room in ("games", "accounts")
        for path in (ROOT / room).rglob("*.py")
        if "migrations" not in path.parts
    ]
    comparing = {str(path.relative_to(ROOT)) for path in files if COMPARED.search(path.read_text())}
    assert comparing == COMPARING
