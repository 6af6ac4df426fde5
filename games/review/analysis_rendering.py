"""Renders the bot's analysis: the value of each legal move, and the move that was made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from games.engine.moves import Draw, Move, Play
from games.engine.outcome import Outcome
from games.engine.view import View
from games.explanations.rendering import attempt_reasons
from games.html import Html
from games.match.table import Table
from games.rendering.board import ghost_tiles
from games.rendering.layouts import drawing_of
from games.rendering.moves import signed_points
from games.rendering.page import as_safe_string
from games.rendering.pieces import tile_name
from games.rendering.seats import name_of
from games.review.evaluation import Evaluation, rank_of
from games.review.match_steps import MatchSteps, Step
from games.words.lookup import Words, words_for

REFRESH_SECONDS = 2  # for pages without a script, until the analysis is complete


class MoveOutcome(NamedTuple):
    """The chance to win after a move as a whole percentage, and the points that it gains with their sign."""

    chance: int
    points: str
    is_best: bool


class MoveValue(NamedTuple):
    """A move in words with its outcome, as the player saw it and with open hands, and whether it was played.

    ``move`` is its notation, ``ghost`` its drawing on the board, "" for a draw or a pass.
    """

    move: str
    text: SafeString
    ghost: SafeString
    closed_hands_outcome: MoveOutcome
    open_hands_outcome: MoveOutcome
    was_played: bool


def analysis_context(
    table: Table,
    view: View | None,
    evaluation: Evaluation | None,
    match_steps: MatchSteps,
    step: Step,
    *,
    language: str,
    reader: int | None = None,
) -> dict[str, Any]:
    """Return the context of ``review/analysis.html`` for the choice after a step; without a view there was none.

    The reader sits at the seat ``reader``, if at any.
    """
    if view is None or view.viewer is None:
        return {"choice": None}
    words = words_for(table.variant, language)
    has_failed = evaluation is not None and evaluation.has_failed
    is_requested, is_done = evaluation is not None and not has_failed, evaluation is not None and evaluation.is_done
    moves = move_values(view, evaluation.values, match_steps.move_after(step), words) if evaluation and is_done else []
    return {
        "choice": {
            "name": as_safe_string(name_of(table, view.viewer)),
            "requested": is_requested,
            "done": is_requested and is_done,
            "refresh": REFRESH_SECONDS if is_requested and not is_done else 0,
            "failed": has_failed,
            "percent": round(100 * evaluation.progress) if evaluation else 0,
            "moves": moves,
            "reasons": _reasons(evaluation, table, words, reader),
            "tied": sum(move.closed_hands_outcome.is_best for move in moves) > 1,
            "is_about_goat": words.rules.are_points_bad,
        }
    }


def _reasons(evaluation: Evaluation | None, table: Table, words: Words, reader: int | None) -> list[str]:
    """Return sentences about the best move."""
    if evaluation is None or evaluation.explanation is None:
        return []
    return attempt_reasons(evaluation.explanation, table, words, reader=reader)


def move_values(
    view: View, values: Sequence[tuple[Outcome, Outcome]], played: Move | None, words: Words
) -> list[MoveValue]:
    """Return every legal move, the best first. Moves whose rounded outcomes are equal share a rank."""
    best_closed, best_open = (max(map(rank_of, column)) for column in zip(*values, strict=True))
    rows = sorted(zip(view.legal, values, strict=True), key=lambda row: (rank_of(row[1][0]), row[1][0]), reverse=True)
    return [
        MoveValue(
            view.rules.move_text(move),
            as_safe_string(describe_move(view, move, words)),
            as_safe_string(ghost_tiles(view.round.layout, move) if isinstance(move, Play) else Html("")),
            _move_outcome(closed_hands, best_closed),
            _move_outcome(open_hands, best_open),
            move == played,
        )
        for move, (closed_hands, open_hands) in rows
    ]


def _move_outcome(outcome: Outcome, best: tuple[int, int]) -> MoveOutcome:
    chance, points = rank_of(outcome)
    return MoveOutcome(chance, signed_points(points), (chance, points) == best)


def describe_move(view: View, move: Move, words: Words) -> Html:
    """Return the tile of a move and its destination, or "draw" or "pass"."""
    if isinstance(move, Play):
        tile = Html(f"<b>{tile_name(move.tile)}</b>")
        return Html(
            f"{tile} {drawing_of(view.round.layout).place_name(move.place, words)}"
            if view.round.plays or view.round.start
            else tile
        )
    return words["draw" if isinstance(move, Draw) else "pass"]
