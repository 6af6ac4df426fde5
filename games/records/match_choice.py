"""The matches of an uploaded file with several, for its uploader to choose one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from games.engine.notation import read_json
from games.engine.transcript_head import read_headers
from games.records.import_errors import printable_excerpt
from games.words import offered_variants, words_of

MAX_CHOICES = 200
UNREADABLE_HEAD_ERRORS = (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError)


def match_choices(texts: Sequence[str]) -> list[tuple[int, str]]:
    """Return the number and a label of each match: ``(2, "2: Kozel, Ann, Ben")``. What cannot be read is left out."""
    return [(number, _label(number, text)) for number, text in enumerate(texts[:MAX_CHOICES], 1)]


def _label(number: int, text: str) -> str:
    parts: list[str] = []
    with suppress(*UNREADABLE_HEAD_ERRORS):
        head = _head(text)
        if head["variant"] in offered_variants():
            parts.append(str(words_of(head["variant"]).name))
        parts += [printable_excerpt(player["name"]) for player in head.get("players", ())]
    return f"{number}: {', '.join(parts)}" if parts else str(number)


def _head(text: str) -> Mapping[str, Any]:
    """Return the fields of the start of a match, and its players."""
    if text.startswith("{"):
        fields = read_json(text)
        return {**fields["events"][0], "players": fields.get("players", ())}
    return read_headers(text)[0]
