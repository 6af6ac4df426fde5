"""The mistakes of a player in a match that is over, as positions to play again with what the player knew.

The bot gave some opinions of each choice when the report was made; the same ones judge what is tried now. Moves that
they cannot tell from the best one are all right.
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
from games.match_reports.choices import name_of, opinions
from games.match_reports.report import DECIMALS, Choice, Report

WORTH = 2.0
"""A choice that cost so many points is a mistake. The few opinions of a report tell no smaller loss from chance."""


@dataclass(frozen=True, slots=True)
class Valued:
    """A legal move in notation, and by how many points it is worth less than the best one, with its standard error."""

    move: str
    behind: float
    error: float

    @property
    def is_as_good(self) -> bool:
        """Return whether the opinions cannot tell it from the best one."""
        return self.behind <= self.error


@dataclass(frozen=True, slots=True)
class Mistake:
    """A choice, the position before it, which never leaves the server, and its legal moves, the best one first."""

    choice: Choice
    position: State
    moves: tuple[Valued, ...]

    @property
    def view(self) -> View:
        """What the player saw."""
        return view_for(rules_for(self.position.setup.variant), self.position, self.choice.seat)

    @property
    def wanted(self) -> tuple[str, ...]:
        """The moves that mend it, in notation."""
        return tuple(each.move for each in self.moves if each.is_as_good and each.move != self.choice.made)

    def gain(self, move: str) -> float:
        """Return by how many points a move is worth more than what was played."""
        behind = {each.move: each.behind for each in self.moves}
        return round(behind[self.choice.made] - behind[move], DECIMALS)


def mistakes(report: Report, seat: int) -> tuple[Choice, ...]:
    """Return the choices of a seat that are mistakes, in the order of the match."""
    made = [choice for choice in report.choices if choice.seat == seat and choice.made != choice.best]
    return tuple(choice for choice in made if choice.loss >= WORTH)


def mistake_of(choice: Choice, position: State, name: str) -> Mistake:
    """Return a choice with all its moves judged. ``name`` is that of the match (``match_reports.choices``)."""
    rules = rules_for(position.setup.variant)
    texts = [rules.move_text(move) for move in rules.legal_moves(position)]
    columns = list(zip(*opinions(position, name, choice.seq), strict=True))
    best = max(columns, key=fmean)
    moves = [_valued(text, best, column) for text, column in zip(texts, columns, strict=True)]
    return Mistake(choice, position, tuple(sorted(moves, key=lambda each: each.behind)))


def read(match_id: int, choice: Choice) -> Mistake:
    """Return a choice of a match that is over with all its moves judged."""
    return mistake_of(choice, record.load(match_id, choice.seq - 1), name_of(record.started(match_id)))


def _valued(move: str, best: Sequence[float], own: Sequence[float]) -> Valued:
    behind = [one - other for one, other in zip(best, own, strict=True)]
    return Valued(move, round(fmean(behind), DECIMALS), round(stdev(behind) / sqrt(len(behind)), DECIMALS))
