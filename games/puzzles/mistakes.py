"""The mistakes of a player in a match that is over, as positions to play again with what the player knew.

The estimates from which the report was made also judge the attempts. Every move that they cannot tell from the best
one is a solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.match import record
from games.match_reports.choices import estimate_moves, report_seed
from games.match_reports.report import DECIMALS, Choice, Report

MIN_LOSS_POINTS = 2.0  # the few estimates of a report cannot tell a smaller loss from chance


@dataclass(frozen=True, slots=True)
class ComparedMove:
    """A legal move in notation, the points by which it is worse than the best one, and the standard error of that."""

    move: str
    points_behind: float
    error: float

    @property
    def is_as_good(self) -> bool:
        """Return whether the estimates cannot tell the move from the best one."""
        return self.points_behind <= self.error


@dataclass(frozen=True, slots=True)
class Mistake:
    """A choice, the position before it (which never leaves the server), and its legal moves, best first."""

    choice: Choice
    position: State
    moves: tuple[ComparedMove, ...]

    @property
    def view(self) -> View:
        """What the player saw."""
        return view_for(rules_for(self.position.setup.variant), self.position, self.choice.seat)

    @property
    def solutions(self) -> tuple[str, ...]:
        """The moves that are as good as the best one, in notation."""
        return tuple(move.move for move in self.moves if move.is_as_good and move.move != self.choice.made)

    def gain_of(self, move: str) -> float:
        """Return the points by which a move is better than the player's."""
        points_behind = {compared.move: compared.points_behind for compared in self.moves}
        return round(points_behind[self.choice.made] - points_behind[move], DECIMALS)


def mistakes_of_seat(report: Report, seat: int) -> tuple[Choice, ...]:
    """Return the choices of a seat that are mistakes, in the order of the match."""
    return tuple(
        choice
        for choice in report.choices
        if choice.seat == seat and choice.made != choice.best and choice.loss >= MIN_LOSS_POINTS
    )


def load_mistake(match_id: int, choice: Choice) -> Mistake:
    """Return a choice of a match that is over, with estimates of all its moves."""
    position = record.load_state(match_id, choice.seq - 1)
    rules = rules_for(position.setup.variant)
    texts = [rules.move_text(move) for move in rules.legal_moves(position)]
    columns = list(zip(*estimate_moves(position, report_seed(record.start_event(match_id)), choice.seq), strict=True))
    best_values = max(columns, key=fmean)
    moves = [_compare_move(text, best_values, column) for text, column in zip(texts, columns, strict=True)]
    return Mistake(choice, position, tuple(sorted(moves, key=lambda move: move.points_behind)))


def _compare_move(move: str, best_values: Sequence[float], values: Sequence[float]) -> ComparedMove:
    points_behind = [best_value - value for best_value, value in zip(best_values, values, strict=True)]
    error = stdev(points_behind) / sqrt(len(points_behind))
    return ComparedMove(move, round(fmean(points_behind), DECIMALS), round(error, DECIMALS))
