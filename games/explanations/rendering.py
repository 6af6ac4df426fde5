"""Renders facts as sentences for a reader."""

from __future__ import annotations

from collections.abc import Sequence
from html import unescape

from games.engine.events import Played
from games.explanations.fact import AttemptFacts, Fact
from games.explanations.texts import MOVE_NAMES, OTHER_PLACE, Speech, fact_sentence
from games.match.table import Table
from games.rendering.moves import move_name
from games.words.lookup import Words
from infrastructure.bidi import isolate


def explanation(
    facts: Sequence[Fact],
    table: Table,
    words: Words,
    *,
    better: str,
    worse: str,
    reader: int | None,
    is_better_played: bool = False,
) -> list[str]:
    """Return facts as sentences of plain text. Moves are in notation, and ``reader`` is the reader's seat.

    If both moves place the same tile and places have no names, the one that was not played is "at another place".
    """
    if not facts:
        return []
    better_name, worse_name = _move_text(better, words), _move_text(worse, words)
    if better_name == worse_name and is_better_played:
        worse_name = OTHER_PLACE % {"tile": worse_name}
    elif better_name == worse_name:
        better_name = OTHER_PLACE % {"tile": better_name}
    speech = Speech(better_name, worse_name, [isolate(person.name) for person in table.people], reader)
    return [fact_sentence(fact, speech) for fact in facts]


def attempt_reasons(attempt: AttemptFacts, table: Table, words: Words, *, reader: int | None) -> list[str]:
    """Return the sentences about an attempted move, for the reader at the seat ``reader``, if at any."""
    facts, better, worse, is_better_attempted = attempt
    return explanation(
        facts, table, words, better=better, worse=worse, reader=reader, is_better_played=is_better_attempted
    )


def _move_text(move: str, words: Words) -> str:
    placement = words.rules.layout.read(move)
    if placement is None:
        return str(MOVE_NAMES[move])
    return unescape(move_name("play", Played(0, *placement, None), words))
