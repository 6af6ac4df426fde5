"""The base of all players: try the preferred moves in many determinizations, roll each out, compare evaluations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from heapq import nlargest
from itertools import islice, repeat
from random import Random
from statistics import fmean
from typing import ClassVar

from games.bots.determinization import determinizations
from games.engine.decide import advance
from games.engine.events import Standing
from games.engine.moves import Move, Play
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import is_double, pips
from games.engine.variants import rules_for
from games.engine.view import View

VICTORY = 100
"""What winning the match is worth, in points."""
FOLLOWER = 2
DOUBLE = 3
NOISE = 3
"""How much the rollout policy of a shedder prefers a tile that fits next and a double, and its noise, in pips."""


class Player(ABC):
    """A variant's player adds two things: a rollout policy, and the evaluation of a score."""

    low_wins: ClassVar[bool]
    """Whether fewer points in a round are better."""
    breadth: ClassVar[int] = 6
    """How many moves are thought about: those that the rollout policy prefers."""
    playouts: ClassVar[int] = 24
    """How often the game is played on for one choice: a fixed amount of thought, so that play can be repeated."""
    horizon: ClassVar[int] = 1000
    """How many turns a playout goes on, unless the round ends before."""

    @abstractmethod
    def preference(self, state: State, seat: int, move: Move, random: Random) -> float:
        """Return how much the rollout policy prefers a move of ``seat``; the most preferred one is made.

        Of ``state`` it may use only what the seat sees. Below 0: to be made only where there is nothing else.
        """

    @abstractmethod
    def evaluate(self, state: State, seat: int) -> float:
        """Return the evaluation of the end of a playout for ``seat``, in points."""

    def choose(self, view: View, seat: int, random: Random) -> Move:
        """Return the move that gains most on average; all moves are tried in the same positions."""
        positions = determinizations(view.rules, view, random)
        moves = self.promising(view, next(positions), seat, random)
        if len(moves) == 1:
            return moves[0]
        values = self.gains(moves, islice(positions, self.trials(moves)), seat, random)
        return max(moves, key=values.__getitem__)

    def values(self, view: View, seat: int, random: Random) -> dict[Move, float]:
        """Return what each legal move is worth to ``seat`` with what it knows, in points gained on the others."""
        positions = determinizations(view.rules, view, random)
        return self.gains(view.legal, islice(positions, self.trials(view.legal)), seat, random)

    def open_values(self, view: View, state: State, seat: int, random: Random) -> dict[Move, float]:
        """Return the same with all hands open: ``state`` is the position that ``view`` shows."""
        return self.gains(view.legal, repeat(state, self.trials(view.legal)), seat, random)

    def trials(self, moves: Sequence[Move]) -> int:
        """Return in how many positions each of the moves is tried."""
        return max(1, self.playouts // len(moves))

    def gains(self, moves: Sequence[Move], positions: Iterable[State], seat: int, random: Random) -> dict[Move, float]:
        """Return how much more the score is worth after each move on average, all tried in the same positions."""
        found: dict[Move, list[float]] = {move: [] for move in moves}
        for position in positions:
            rules, now = rules_for(position.setup.variant), self.evaluate(position, seat)
            for move in moves:
                found[move].append(self.evaluate(self.playout(rules, position, seat, move, random), seat) - now)
        return {move: fmean(gained) for move, gained in found.items()}

    def promising(self, view: View, state: State, seat: int, random: Random) -> list[Move]:
        """Return the moves to think about: the most preferred ones, and one below 0 only if there is nothing else."""
        preferences = {move: self.preference(state, seat, move, random) for move in view.legal}
        best, *rest = nlargest(self.breadth, preferences, key=preferences.__getitem__)
        return [best, *(move for move in rest if preferences[move] >= 0)]

    def playout(self, rules: Rules, state: State, seat: int, move: Move, random: Random) -> State:
        """Let ``seat`` make the move, and roll out to the horizon or the end of the round."""
        turns = 0
        while True:
            _, after = advance(rules, state, seat, move)
            turns += after.round.to_move != seat
            if after.round.to_move is None or turns > self.horizon:
                return after
            state, seat = after, after.round.to_move
            move = self.rollout_move(rules, state, seat, random)

    def rollout_move(self, rules: Rules, state: State, seat: int, random: Random) -> Move:
        """Return the move of the rollout policy, made without thinking ahead."""
        moves = rules.legal_moves(state)
        return moves[0] if len(moves) == 1 else max(moves, key=lambda move: self.preference(state, seat, move, random))


class Collector(Player):
    """A player of a game in which points are good."""

    low_wins = False
    burden: ClassVar[float] = 0.0
    """What a pip in hand is feared to cost while the round goes on, in points."""

    def evaluate(self, state: State, seat: int) -> float:
        """Return how far the side of ``seat`` is ahead of the others' average; winning the match counts on top."""
        values = [float(standing.points) for standing in state.standing]
        if state.round.to_move is not None:
            for side, hand in zip(state.setup.sides, state.hands, strict=True):
                values[side] -= self.burden * sum(map(pips, hand))
        own = values.pop(state.setup.sides[seat])
        won = state.match_over is not None and state.match_over.places[seat] == 1
        return own - fmean(values) + VICTORY * won


class Shedder(Player):
    """A player of a line game in which points are bad, and what is left in the hand becomes points."""

    low_wins = True

    @abstractmethod
    def burden(self, standing: Standing, limit: int | None) -> float:
        """Return how bad a score is, in points, where so many points lose the match."""

    def preference(self, state: State, seat: int, move: Move, random: Random) -> float:
        """Prefer heavy tiles and doubles, and ends for which the hand holds more tiles."""
        if not isinstance(move, Play):
            return 0.0
        after = state.round.layout.place(move.tile, move.place)
        followers = sum(1 for tile in state.hands[seat] if after.places(tile))
        return pips(move.tile) + DOUBLE * is_double(move.tile) + FOLLOWER * followers + NOISE * random.random()

    def evaluate(self, state: State, seat: int) -> float:
        """Return the average burden of the others, less that of ``seat``."""
        limit = rules_for(state.setup.variant).target(state)
        burdens = [self.burden(standing, limit) for standing in state.standing]
        own = burdens.pop(seat)
        return fmean(burdens) - own
