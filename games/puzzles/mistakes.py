"""The mistakes of a player in a match that is over, as positions to play again with what the player knew.

The bot's opinions from which the report was made also judge the attempts. Every move that they cannot tell from the
best one is a solution.
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
from games.match_reports.choices import opinions, seed_of
from games.match_reports.report import DECIMALS, Choice, Report

MIN_LOSS = 2.0  # points; the few opinions of a report cannot tell a smaller loss from chance


@dataclass(frozen=True, slots=True)
class Valued:
    """A legal move in notation, the points by which it is worse than the best one, and the standard error of that."""

    move: str
    behind: float
    error: float

    @property
    def is_as_good(self) -> bool:
        """Return whether the opinions cannot tell the move from the best one."""
        return self.behind <= self.error


@dataclass(frozen=True, slots=True)
class Mistake:
    """A choice, the position before it (which never leaves the server), and its legal moves, best first."""

    choice: Choice
    position: State
    moves: tuple[Valued, ...]

    @property
    def view(self) -> View:
        """What the player saw."""
        return view_for(rules_for(self.position.setup.variant), self.position, self.choice.seat)

    @property
    def solutions(self) -> tuple[str, ...]:
        """The moves that are as good as the best one, in notation."""
        return tuple(valued.move for valued in self.moves if valued.is_as_good and valued.move != self.choice.made)

    def gain(self, move: str) -> float:
        """Return the points by which a move is better than the player's."""
        behind = {valued.move: valued.behind for valued in self.moves}
        return round(behind[self.choice.made] - behind[move], DECIMALS)


def mistakes(report: Report, seat: int) -> tuple[Choice, ...]:
    """Return the choices of a seat that are mistakes, in the order of the match."""
    return tuple(
        choice
        for choice in report.choices
        if choice.seat == seat and choice.made != choice.best and choice.loss >= MIN_LOSS
    )


def load(match_id: int, choice: Choice) -> Mistake:
    """Return a choice of a match that is over, with all its moves judged."""
    position = record.load_state(match_id, choice.seq - 1)
    rules = rules_for(position.setup.variant)
    texts = [rules.move_text(move) for move in rules.legal_moves(position)]
    columns = list(zip(*opinions(position, seed_of(record.start_event(match_id)), choice.seq), strict=True))
    best = max(columns, key=fmean)
    moves = [_valued(text, best, column) for text, column in zip(texts, columns, strict=True)]
    return Mistake(choice, position, tuple(sorted(moves, key=lambda valued: valued.behind)))


def _valued(move: str, best: Sequence[float], own: Sequence[float]) -> Valued:
    behind = [one - other for one, other in zip(best, own, strict=True)]
    return Valued(move, round(fmean(behind), DECIMALS), round(stdev(behind) / sqrt(len(behind)), DECIMALS))
