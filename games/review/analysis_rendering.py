"""The bot's analysis: the value of each legal move, beside the move that was made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from games.engine.events import Drew, Event, Passed, Played
from games.engine.moves import Draw, Move, Play
from games.engine.view import View
from games.html import Html
from games.match.table import Table
from games.rendering.board import ghosts
from games.rendering.layouts import drawing_of
from games.rendering.page import safe
from games.rendering.pieces import tile_name
from games.rendering.seats import name_of
from games.review.evaluation import Evaluation
from games.review.past import Past, Step
from games.words.lookup import Words, number_text, words_for

PATIENCE = 2
"""Seconds after which a page without a script asks whether the bot has thought."""


class Evaluated(NamedTuple):
    """A move in words with its two values, whether each is the best, and whether the move was made.

    ``move`` is its notation, ``ghost`` what lies on the board of it: "" where no tile does.
    """

    move: str
    text: SafeString
    ghost: SafeString
    known: str
    opened: str
    is_choice: bool
    is_best: bool
    was_made: bool


def analysis_context(
    table: Table, view: View | None, known: Evaluation | None, past: Past, step: Step, *, language: str
) -> dict[str, Any]:
    """Return what ``review/analysis.html`` shows about the choice after a step; no view: there was none."""
    if view is None or view.viewer is None:
        return {"choice": None}
    words = words_for(table.variant, language)
    made = past.step(step.number + 1).events[0] if step.number < past.last else None
    asked = known is not None and not known.failed
    done = known is not None and known.done
    moves = evaluated(view, known.values, made, words) if known and done else []
    return {
        "choice": {
            "name": safe(name_of(table, view.viewer)),
            "asked": asked,
            "done": asked and done,
            "refresh": PATIENCE if asked and not done else 0,
            "failed": known is not None and known.failed,
            "percent": round(100 * known.progress) if known else 0,
            "moves": moves,
            "tied": sum(move.is_choice for move in moves) > 1,
        }
    }


def evaluated(view: View, values: Sequence[tuple[float, float]], made: Event | None, words: Words) -> list[Evaluated]:
    """Return every legal move, the bot's choice first. Moves with the same numbers, as they are shown, are equal."""
    shown = [tuple(round(value, 1) for value in pair) for pair in values]
    most_known, most_opened = map(max, zip(*shown, strict=True))
    found = sorted(zip(view.legal, shown, values, strict=True), key=lambda each: -each[2][0])
    return [
        Evaluated(
            view.rules.move_text(move),
            safe(move_words(view, move, words)),
            safe(ghost_of(view, move)),
            value_text(known),
            value_text(opened),
            known == most_known,
            opened == most_opened,
            is_made(move, made),
        )
        for move, (known, opened), _exact in found
    ]


def move_words(view: View, move: Move, words: Words) -> Html:
    """Return a move as a line: its tile and where it goes."""
    if isinstance(move, Play):
        tile = Html(f"<b>{tile_name(move.tile)}</b>")
        return Html(
            f"{tile} {drawing_of(view.round.layout).place_name(move.place, words)}"
            if view.round.plays or view.round.start
            else tile
        )
    return words["draw" if isinstance(move, Draw) else "pass"]


def ghost_of(view: View, move: Move) -> Html:
    """Return the drawings of a move on the board, "" for a draw or a pass."""
    return ghosts(view.round.layout, move) if isinstance(move, Play) else Html("")


def value_text(value: float) -> Html:
    """Return a value with its sign and one decimal: ``+3.5``."""
    return Html(f"{'+' if value >= 0 else ''}{number_text(round(value, 1))}")


def is_made(move: Move, made: Event | None) -> bool:
    """Return whether an event is that move."""
    if isinstance(made, Played):
        return move == Play(made.tile, made.place)
    return isinstance(made, Drew if isinstance(move, Draw) else Passed) and not isinstance(move, Play)
