"""Finds puzzles: choices in which one move is clearly best, but not the obvious one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from random import Random
from statistics import fmean

from games import bots
from games.engine.decide import decide
from games.engine.events import Event
from games.engine.outcome import standard_error
from games.engine.playout import Playout
from games.engine.replay import decisions
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.puzzles import SOLVER_SEAT, EvaluatedMove, Puzzle

MIN_LEGAL_MOVES = 3
MIN_MARGIN_POINTS = 4.0  # points by which the best move beats the second one
MIN_MARGIN_STANDARD_ERRORS = 4.0  # that this margin must exceed
SAMPLE_BATCHES = 16
# Possible positions per batch in which every move is tried: first a few, which rule most choices out, then many.
QUICK_BATCH_SIZE, BATCH_SIZE = 2, 24
DECIMALS = 2


def find_puzzles(events: Sequence[Event], seed: str) -> Iterator[Puzzle]:
    """Yield the puzzles in a match, at most one per round. The same match always has the same ones."""
    last_round = 0
    for seq, state, _facts in decisions(events):
        chance = Random(f"{seed} {seq - 2}")  # noqa: S311 (repeatable on purpose)
        if state.round.number != last_round and (puzzle := puzzle_from(state, events[: seq - 1], chance)) is not None:
            last_round = state.round.number
            yield puzzle


def puzzle_from(state: State, events: Sequence[Event], chance: Random) -> Puzzle | None:
    """Return a position as a puzzle, None if it is not suitable."""
    if state.match_over or state.round.to_move != SOLVER_SEAT:
        return None
    view = view_for(rules_for(state.setup.variant), state, SOLVER_SEAT)
    if len(view.legal) < MIN_LEGAL_MOVES:
        return None
    for batch_size in (QUICK_BATCH_SIZE, BATCH_SIZE):
        moves, margin, error = _evaluate_moves(view, chance, batch_size)
        if margin < max(MIN_MARGIN_POINTS, MIN_MARGIN_STANDARD_ERRORS * error):
            return None
        if moves[0].move == _obvious_move(view, chance):
            return None
    margin, error = round(margin, DECIMALS), round(error, DECIMALS)
    return Puzzle(tuple(events), tuple(moves), margin, error, samples=SAMPLE_BATCHES * BATCH_SIZE)


def _evaluate_moves(view: View, chance: Random, samples: int) -> tuple[list[EvaluatedMove], float, float]:
    """Return the legal moves, best first, the margin of the best over the second, and its standard error."""
    player = bots.bot_for_variant(view.rules.key)
    games = player.sample_positions(view, chance)
    moves = next(games).numbers(view.legal)
    batches = [player.average_gains(moves, islice(games, samples), SOLVER_SEAT, chance) for _ in range(SAMPLE_BATCHES)]
    values_by_move = list(zip(*batches, strict=True))
    moves_by_value = sorted(range(len(moves)), key=lambda move: -fmean(values_by_move[move]))
    best, second, *_rest = moves_by_value
    pairs = zip(values_by_move[best], values_by_move[second], strict=True)
    margins = [best_value - second_value for best_value, second_value in pairs]
    evaluated = [
        EvaluatedMove(
            view.rules.move_text(view.legal[move]),
            round(fmean(values_by_move[move]), DECIMALS),
            round(standard_error(values_by_move[move]), DECIMALS),
        )
        for move in moves_by_value
    ]
    return evaluated, fmean(margins), standard_error(margins)


def _obvious_move(view: View, chance: Random) -> str:
    """Return the move that the bot makes without looking ahead."""
    player = bots.bot_for_variant(view.rules.key)
    game = next(player.sample_positions(view, chance))
    moves = game.numbers(view.legal)
    return view.rules.move_text(game.move(player.candidate_moves(game, moves, chance)[0]))


class BotRound(Playout):
    """The first round of a match among bots."""

    def play_first_round(self) -> list[Event]:
        """Return the events from the start to before the end of the round."""
        self._deal()
        while self.state.round.to_move is not None:
            self._move(self.state.round.to_move)
        return self.events

    def _move(self, seat: int) -> None:
        view = view_for(self.rules, self.state, seat)
        text = bots.choose_move(view, "strong", self.chance.getrandbits(32))
        self._apply(decide(self.rules, self.state, seat, self.rules.parse_move(self.state, text)))


def puzzles_from_bot_rounds(variant: str, seed: str) -> Iterator[Puzzle]:
    """Yield the puzzles of rounds between bots, endlessly, with every number of seats in turn."""
    rules = rules_for(variant)
    for number, seats in enumerate(cycle(rules.seat_counts)):
        name = f"{seed} {number}"
        yield from find_puzzles(BotRound(rules, seats, {}, name).play_first_round(), name)
