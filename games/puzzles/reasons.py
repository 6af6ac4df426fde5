"""Facts about an attempted move: why it is better than another one, or what speaks against it."""

from __future__ import annotations

from games.engine.variants import rules_for
from games.engine.view import View
from games.explanations.fact import AttemptFacts, Fact
from games.explanations.facts import drawback, explain
from games.match_reports.choices import explain_moves
from games.puzzles import SOLVER_SEAT, Puzzle
from games.puzzles.mistakes import Mistake


def mistake_facts(mistake: Mistake, attempted: str) -> AttemptFacts:
    """Compare an attempt with the player's move if it is better, else with the best move."""
    choice = mistake.choice
    if attempted == choice.best:
        return AttemptFacts(choice.facts, choice.best, choice.made, is_better_attempted=True)
    if attempted in mistake.solutions:
        return attempt_facts(mistake.view, attempted, choice.made, is_better_attempted=True)
    return attempt_facts(mistake.view, choice.best, attempted, is_better_attempted=False)


def puzzle_facts(puzzle: Puzzle, attempted: str) -> AttemptFacts:
    """Compare the solution with the second best move, another attempt with the solution."""
    best, second = puzzle.moves[0].move, puzzle.moves[1].move
    if attempted != best:
        return attempt_facts(puzzle.view, best, attempted, is_better_attempted=False)
    state = puzzle.position
    better, worse = (rules_for(puzzle.variant).parse_move(state, text) for text in (best, second))
    facts = explain_moves(state, SOLVER_SEAT, better, worse, f"{best} {puzzle.margin}")
    return AttemptFacts(facts, best, second, is_better_attempted=True)


def attempt_facts(view: View, better: str, worse: str, *, is_better_attempted: bool) -> AttemptFacts:
    """Return why the better move is better or, if the worse one was attempted, what speaks against it without a hint.

    There are no facts about a move that is not legal.
    """
    moves = {view.rules.move_text(move): move for move in view.legal}
    facts: tuple[Fact, ...] = ()
    if better in moves and worse in moves:
        facts = (explain if is_better_attempted else drawback)(view, moves[better], moves[worse])
    return AttemptFacts(facts, better, worse, is_better_attempted)
