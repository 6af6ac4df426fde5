"""Finds puzzles: choices in which one move is clearly best, and not the one that one would make at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
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

FEWEST_MOVES = 3
"""A choice between two is no puzzle."""
MARGIN = 4.0
"""So many points the best move is worth more than the second one."""
CERTAIN = 4.0
"""So many standard errors that is at least."""
BATCHES = 16
FIRST_LOOK, LOOK = 2, 24
"""Possible positions in each batch in which every move is tried: to see whether it is worth more, and then."""
DECIMALS = 2


def puzzles(events: Sequence[Event], seed: str) -> Iterator[Puzzle]:
    """Yield the puzzles in a match, one of each round at most. The same match always has the same ones."""
    found_in = 0
    for seq, state, _facts in decisions(events):
        chance = Random(f"{seed} {seq - 2}")  # noqa: S311 (repeatable on purpose)
        if state.round.number != found_in and (puzzle := puzzle_of(state, events[: seq - 1], chance)) is not None:
            found_in = state.round.number
            yield puzzle


def puzzle_of(state: State, events: Sequence[Event], chance: Random) -> Puzzle | None:
    """Return a position as a puzzle, None if it is none."""
    if state.match_over or state.round.to_move != SOLVER:
        return None
    view = view_for(rules_for(state.setup.variant), state, SOLVER)
    if len(view.legal) < FEWEST_MOVES:
        return None
    for each in (FIRST_LOOK, LOOK):
        values, margin, error = _judged(view, chance, each)
        if margin < MARGIN or margin < CERTAIN * error or values[0].move == _at_once(view, chance):
            return None
    return Puzzle(tuple(events), tuple(values), round(margin, DECIMALS), round(error, DECIMALS), BATCHES * LOOK)


def _judged(view: View, chance: Random, each: int) -> tuple[list[Valued], float, float]:
    """Return the legal moves, the best first, by how much the best beats the second, and the error of that."""
    player = bots.player_of(view.rules.key)
    games = player.guesses(view, chance)
    moves = next(games).numbers(view.legal)
    rows = [player.gains(moves, islice(games, each), SOLVER, chance) for _ in range(BATCHES)]
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


def _at_once(view: View, chance: Random) -> str:
    """Return the move that is made without thinking ahead."""
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
    """Yield the puzzles of rounds that bots play among themselves, without end, with each number of seats in turn."""
    rules = rules_for(variant)
    for number, seats in enumerate(_for_ever(rules.seat_counts)):
        name = f"{seed} {number}"
        yield from puzzles(SelfPlay(rules, seats, {}, name).first_round(), name)


def _for_ever(counts: Sequence[int]) -> Iterator[int]:
    while True:
        yield from counts
