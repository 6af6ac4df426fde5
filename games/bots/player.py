"""The base of all players: try each move in many guessed positions, play each to the end of the round, compare."""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import islice
from random import Random
from typing import ClassVar

from games.bots.guess import guesses
from games.engine.decide import decide
from games.engine.evolve import evolve
from games.engine.moves import Move
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View

PLAYOUTS = 24
"""How many rounds are played to their end for one move: a fixed amount of thought, so that play can be repeated."""
FEWEST = 4
"""Positions in which every move is tried, however many moves there are."""


class Player(ABC):
    """A variant's player adds two things: how to play by habit, and what a score is worth."""

    low_wins: ClassVar[bool]
    """Whether fewer points in a round are better."""

    @abstractmethod
    def liking(self, state: State, seat: int, move: Move, random: Random) -> float:
        """Return how much ``seat``, playing by habit, likes a move; it makes the one it likes most."""

    @abstractmethod
    def worth(self, state: State, seat: int) -> float:
        """Return what the score after the round is worth to ``seat``, in points."""

    def choose(self, view: View, seat: int, random: Random) -> Move:
        """Return the move that did best on average; all moves are tried in the same positions."""
        rules = rules_for(view.variant)
        totals = dict.fromkeys(view.legal, 0.0)
        positions = max(FEWEST, PLAYOUTS // len(totals))
        for position in islice(guesses(rules, view, random), positions):
            for move in totals:
                totals[move] += self.worth(self.playout(rules, position, seat, move, random), seat)
        return max(totals, key=totals.__getitem__)

    def playout(self, rules: Rules, state: State, seat: int | None, move: Move, random: Random) -> State:
        """Let ``seat`` make the move and play on by habit to the end of the round."""
        while seat is not None:
            for event in decide(rules, state, seat, move):
                state = evolve(state, event)
            seat = state.to_move
            if seat is not None:
                move = self.habit(rules, state, seat, random)
        return state

    def habit(self, rules: Rules, state: State, seat: int, random: Random) -> Move:
        """Return the move made without thinking ahead."""
        moves = rules.legal_moves(state)
        return moves[0] if len(moves) == 1 else max(moves, key=lambda move: self.liking(state, seat, move, random))
