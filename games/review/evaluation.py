"""The progress and result of an analysis, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.engine.moves import Move
from games.engine.outcome import Outcome
from games.explanations.fact import AttemptFacts


@dataclass(frozen=True, slots=True)
class Evaluation:
    """``progress`` goes from 0 to 1; ``values`` are empty until the analysis is complete.

    They are pairs in the order of the legal moves of the view: the outcome with what the seat knew, and with all hands
    open. ``explanation`` compares the best move with another one.
    """

    progress: float
    values: tuple[tuple[Outcome, Outcome], ...] = ()
    has_failed: bool = False
    explanation: AttemptFacts | None = None

    @property
    def is_done(self) -> bool:
        return bool(self.values)


def rank_of(outcome: Outcome) -> tuple[int, int]:
    """Return the whole percentage and the whole points, by which moves are ranked. Readers see no more of them."""
    return round(100 * outcome.chance), round(outcome.points)


def moves_to_compare(
    moves: Sequence[Move], outcomes: Sequence[Outcome], played: Move | None
) -> tuple[Move, Move] | None:
    """Return the best move, and the one to compare with it; None if all moves are equally good.

    That is the move played or, if that was one of the best, the best of the others.
    """
    by_move = dict(zip(moves, outcomes, strict=True))
    ranks = {move: rank_of(outcome) for move, outcome in by_move.items()}
    best_rank = max(ranks.values())
    best = [move for move in moves if ranks[move] == best_rank]
    worse_moves = [move for move in moves if ranks[move] != best_rank]
    if not worse_moves:
        return None
    better, worse = (
        played if played in group else max(group, key=lambda move: (ranks[move], by_move[move]))
        for group in (best, worse_moves)
    )
    return better, worse
