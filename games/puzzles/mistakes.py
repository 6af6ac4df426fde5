"""The mistakes of a player in a match that is over, as positions to play again with what the player knew.

New playouts judge the attempts. Every move that they cannot tell from the best one of the report is a solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from games.engine.outcome import Outcome, mean_outcome, standard_error
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.match import record
from games.match_reports.choices import ChoicePosition, report_seed, sample_moves
from games.match_reports.report import Choice, Report

SAMPLES = 40  # of the hidden tiles; every move is tried in all of them


@dataclass(frozen=True, slots=True)
class ComparedMove:
    """A legal move in notation: what it loses compared with the best one, and the standard error of its chance."""

    move: str
    behind: Outcome
    chance_error: float

    @property
    def is_as_good(self) -> bool:
        """Return whether the playouts cannot tell the move from the best one."""
        return self.behind.chance <= self.chance_error


@dataclass(frozen=True, slots=True)
class Mistake:
    """A choice, the position before it (which never leaves the server), and its moves, best first.

    Where there are many legal moves, ``moves`` has those that the bot would consider.
    """

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

    def gain_of(self, move: str) -> Outcome:
        """Return what a move gains compared with the player's."""
        behind = {compared.move: compared.behind for compared in self.moves}
        own, better = behind[self.choice.made], behind[move]
        return Outcome(own.points - better.points, own.chance - better.chance)


def mistakes_of_seat(report: Report, seat: int) -> tuple[Choice, ...]:
    """Return the choices of a seat that are mistakes, in the order of the match."""
    return tuple(choice for choice in report.choices if choice.seat == seat and choice.is_mistake)


def load_mistake(match_id: int, choice: Choice) -> Mistake:
    """Return a choice of a match that is over, with its moves judged by new playouts, the player's by the report."""
    state = record.load_state(match_id, choice.seq - 1)
    rules = rules_for(state.setup.variant)
    position = ChoicePosition(choice.seq, state, choice.seat, rules.parse_move(state, choice.made))
    best = rules.parse_move(state, choice.best)
    seed = f"{report_seed(record.start_event(match_id))} {choice.seq} mistake"
    sampled = sample_moves(position, Random(seed), SAMPLES, including=best)  # noqa: S311 (repeatable on purpose)
    best_outcomes = sampled.outcomes(best)
    compared = [ComparedMove(choice.made, Outcome(choice.loss, choice.chance_loss), choice.error)]
    compared += [
        _compare_move(rules.move_text(move), best_outcomes, sampled.outcomes(move))
        for move in sampled.moves
        if move != position.move
    ]
    return Mistake(choice, state, tuple(sorted(compared, key=lambda move: (move.behind.chance, move.behind.points))))


def _compare_move(move: str, best: Sequence[Outcome], outcomes: Sequence[Outcome]) -> ComparedMove:
    pairs = zip(best, outcomes, strict=True)
    behind = [Outcome(good.points - own.points, good.chance - own.chance) for good, own in pairs]
    error = standard_error([outcome.chance for outcome in behind])
    return ComparedMove(move, mean_outcome(behind), error)
