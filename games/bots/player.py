"""The base of all players: try the best-looking moves in many guessed positions, play each on by habit, compare."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from heapq import nlargest
from itertools import islice
from random import Random
from statistics import fmean
from typing import ClassVar

from games.bots.guess import guesses
from games.engine.decide import advance
from games.engine.moves import Move
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View

PLAYOUTS = 24
"""How often the game is played on for one move: a fixed amount of thought, so that play can be repeated."""
FEWEST = 4
"""Positions in which every move is tried, however many moves there are."""
VICTORY = 100
"""What winning the match is worth, in points."""


class Player(ABC):
    """A variant's player adds two things: how to play by habit, and what a score is worth."""

    low_wins: ClassVar[bool]
    """Whether fewer points in a round are better."""
    breadth: ClassVar[int] = 12
    """How many moves are thought about: those that habit likes most."""
    horizon: ClassVar[int] = 1000
    """How many moves ahead a playout goes, unless the round ends before."""

    @abstractmethod
    def liking(self, state: State, seat: int, move: Move, random: Random) -> float:
        """Return how much ``seat``, playing by habit, likes a move; it makes the one it likes most."""

    @abstractmethod
    def worth(self, state: State, seat: int) -> float:
        """Return what the score at the end of a playout is worth to ``seat``, in points."""

    def choose(self, view: View, seat: int, random: Random) -> Move:
        """Return the move that did best on average; all moves are tried in the same positions."""
        rules = rules_for(view.variant)
        positions = guesses(rules, view, random)
        liking = partial(self.liking, next(positions), seat, random=random)
        totals = dict.fromkeys(nlargest(self.breadth, view.legal, key=liking), 0.0)
        for position in islice(positions, max(FEWEST, PLAYOUTS // len(totals))):
            for move in totals:
                totals[move] += self.worth(self.playout(rules, position, seat, move, random), seat)
        return max(totals, key=totals.__getitem__)

    def playout(self, rules: Rules, state: State, seat: int, move: Move, random: Random) -> State:
        """Let ``seat`` make the move, and play on by habit to the horizon or the end of the round."""
        _, state = advance(rules, state, seat, move)
        for _ in range(self.horizon):
            if state.to_move is None:
                break
            _, state = advance(rules, state, state.to_move, self.habit(rules, state, state.to_move, random))
        return state

    def habit(self, rules: Rules, state: State, seat: int, random: Random) -> Move:
        """Return the move made without thinking ahead."""
        moves = rules.legal_moves(state)
        return moves[0] if len(moves) == 1 else max(moves, key=lambda move: self.liking(state, seat, move, random))


class Collector(Player):
    """A player of a game in which points are good."""

    low_wins = False

    def worth(self, state: State, seat: int) -> float:
        """Return what the side of ``seat`` is ahead of the others on average; winning the match counts on top."""
        points = [standing.points for standing in state.standing]
        own = points.pop(state.sides[seat])
        won = state.match_over is not None and state.match_over.places[seat] == 1
        return own - fmean(points) + VICTORY * won
