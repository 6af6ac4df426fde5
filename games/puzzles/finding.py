"""Finds puzzles: choices in which one move is clearly best, but not the obvious one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from math import sqrt
from random import Random
from statistics import fmean, stdev

from games import bots
from games.engine.decide import decide
from games.engine.events import Event
from games.engine.playout import Playout
from games.engine.replay import decisions
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.puzzles import SOLVER, Puzzle, Valued

MIN_MOVES = 3
MIN_MARGIN = 4.0  # points by which the best move beats the second one
MIN_STANDARD_ERRORS = 4.0  # that this margin must exceed
BATCHES = 16
# Possible positions per batch in which every move is tried: to rule most choices out quickly, and to be sure.
QUICK_SAMPLES, SAMPLES = 2, 24
DECIMALS = 2


def puzzles(events: Sequence[Event], seed: str) -> Iterator[Puzzle]:
    """Yield the puzzles in a match, at most one per round. The same match always has the same ones."""
    last_round = 0
    for seq, state, _facts in decisions(events):
        chance = Random(f"{seed} {seq - 2}")  # noqa: S311 (repeatable on purpose)
        if state.round.number != last_round and (puzzle := puzzle_of(state, events[: seq - 1], chance)) is not None:
            last_round = state.round.number
            yield puzzle


def puzzle_of(state: State, events: Sequence[Event], chance: Random) -> Puzzle | None:
    """Return a position as a puzzle, None if it is not suitable."""
    if state.match_over or state.round.to_move != SOLVER:
        return None
    view = view_for(rules_for(state.setup.variant), state, SOLVER)
    if len(view.legal) < MIN_MOVES:
        return None
    for samples in (QUICK_SAMPLES, SAMPLES):
        values, margin, error = _judge(view, chance, samples)
        if margin < max(MIN_MARGIN, MIN_STANDARD_ERRORS * error) or values[0].move == _obvious_move(view, chance):
            return None
    return Puzzle(tuple(events), tuple(values), round(margin, DECIMALS), round(error, DECIMALS), BATCHES * SAMPLES)


def _judge(view: View, chance: Random, samples: int) -> tuple[list[Valued], float, float]:
    """Return the legal moves, best first, the margin of the best over the second, and its standard error."""
    player = bots.player_of(view.rules.key)
    games = player.guesses(view, chance)
    moves = next(games).numbers(view.legal)
    rows = [player.gains(moves, islice(games, samples), SOLVER, chance) for _ in range(BATCHES)]
    columns = list(zip(*rows, strict=True))
    order = sorted(range(len(moves)), key=lambda move: -fmean(columns[move]))
    best, second, *_rest = order
    ahead = [one - other for one, other in zip(columns[best], columns[second], strict=True)]
    values = [
        Valued(
            view.rules.move_text(view.legal[move]),
            round(fmean(columns[move]), DECIMALS),
            round(_error(columns[move]), DECIMALS),
        )
        for move in order
    ]
    return values, fmean(ahead), _error(ahead)


def _error(numbers: Sequence[float]) -> float:
    return stdev(numbers) / sqrt(len(numbers))


def _obvious_move(view: View, chance: Random) -> str:
    """Return the move that the bot makes without looking ahead."""
    player = bots.player_of(view.rules.key)
    game = next(player.guesses(view, chance))
    moves = game.numbers(view.legal)
    return view.rules.move_text(game.move(player.promising(game, moves, chance)[0]))


class SelfPlay(Playout):
    """The first round of a match among bots."""

    def first_round(self) -> list[Event]:
        """Return the events from the start to before the end of the round."""
        self._deal()
        while self.state.round.to_move is not None:
            self._move(self.state.round.to_move)
        return self.events

    def _move(self, seat: int) -> None:
        view = view_for(self.rules, self.state, seat)
        text = bots.choose(view, "strong", self.chance.getrandbits(32))
        self._apply(decide(self.rules, self.state, seat, self.rules.parse_move(self.state, text)))


def self_play(variant: str, seed: str) -> Iterator[Puzzle]:
    """Yield the puzzles of rounds between bots, endlessly, with every number of seats in turn."""
    rules = rules_for(variant)
    for number, seats in enumerate(cycle(rules.seat_counts)):
        name = f"{seed} {number}"
        yield from puzzles(SelfPlay(rules, seats, {}, name).first_round(), name)
