"""The base of all players: try the preferred moves in many determinizations, roll each out, compare evaluations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from itertools import islice, repeat
from random import Random
from statistics import fmean
from typing import ClassVar, Generic, TypeVar

from games.bots.determinization import determinizations
from games.bots.levels import Level
from games.engine.events import Standing
from games.engine.moves import Move
from games.engine.simulation.line import AFTER, FITTING, TILES, LineSimulation
from games.engine.simulation.simulation import Simulation
from games.engine.state import State
from games.engine.tiles import is_double, pips
from games.engine.view import View

VICTORY = 100
"""What winning the match is worth, in points."""
FOLLOWER = 2
DOUBLE = 3
NOISE = 3
"""How much the rollout policy of a shedder prefers a tile that fits next and a double, and its noise, in pips."""
SHED = [pips(tile) + DOUBLE * is_double(tile) for tile in TILES for _side in range(2)]
"""How much a shedder prefers each placement for its tile."""

Game = TypeVar("Game", bound=Simulation)


class Player(ABC, Generic[Game]):
    """A variant's player names its simulation and adds two things: a rollout policy, and the evaluation of a score.

    It thinks in the numbers of the simulation; only what comes in and goes out are moves of the rules.
    """

    simulation: type[Game]
    low_wins: ClassVar[bool]
    """Whether fewer points in a round are better."""
    sheds: ClassVar[bool] = False
    """Whether heavy tiles are better laid early, because those left in the hand count."""
    breadth: ClassVar[int] = 6
    """How many moves are thought about: those that the rollout policy prefers."""
    playouts: ClassVar[int] = 24
    """How often the game is played on for one choice, by the usual level: fixed, so that play can be repeated."""
    horizon: ClassVar[int] = 1000
    """How many turns a playout goes on, unless the round ends before."""

    @abstractmethod
    def preferences(self, game: Game, moves: Sequence[int], random: Random) -> list[float]:
        """Return how much the rollout policy prefers each of these moves; the most preferred one is made.

        Of ``game`` it may use only what the seat to move sees. Below 0: to be made only where there is nothing else.
        """

    @abstractmethod
    def evaluate(self, game: Game, seat: int) -> float:
        """Return the evaluation of the end of a playout for ``seat``, in points."""

    def choose(self, view: View, seat: int, random: Random, level: Level) -> Move:
        """Return the move, of those noticed, that gains most on average; all are tried in the same positions."""
        games = self.guesses(view, random)
        game = next(games)
        moves = self.promising(game, level.noticed(game.numbered(view.legal), random), random)
        if len(moves) > 1:
            gains = self.gains(moves, islice(games, self.trials(moves, level.thought)), seat, random)
            return game.move(moves[gains.index(max(gains))])
        return game.move(moves[0])

    def values(self, view: View, seat: int, random: Random) -> dict[Move, float]:
        """Return what each legal move is worth to ``seat`` with what it knows, in points gained on the others."""
        return self._values(view, islice(self.guesses(view, random), self.trials(view.legal)), seat, random)

    def open_values(self, view: View, state: State, seat: int, random: Random) -> dict[Move, float]:
        """Return the same with all hands open: ``state`` is the position that ``view`` shows."""
        return self._values(view, repeat(self.simulation(state), self.trials(view.legal)), seat, random)

    def _values(self, view: View, games: Iterable[Game], seat: int, random: Random) -> dict[Move, float]:
        first, *rest = games
        gains = self.gains(first.numbered(view.legal), (first, *rest), seat, random)
        return dict(zip(view.legal, gains, strict=True))

    def guesses(self, view: View, random: Random) -> Iterator[Game]:
        """Yield, without end, random positions that the viewer cannot tell from the real one."""
        states = determinizations(view.rules, view, random)
        first = self.simulation(next(states))
        yield first
        yield from map(first.guessed, states)

    def trials(self, moves: Sequence[object], thought: float = 1) -> int:
        """Return in how many positions each of the moves is tried."""
        return max(1, int(thought * self.playouts) // len(moves))

    def gains(self, moves: Sequence[int], games: Iterable[Game], seat: int, random: Random) -> list[float]:
        """Return how much more the score is worth after each move on average, all tried in the same positions."""
        found = []
        for game in games:
            now = self.evaluate(game, seat)
            found.append([self.evaluate(self.playout(game.copied(), move, random), seat) - now for move in moves])
        return [fmean(gained) for gained in zip(*found, strict=True)]

    def promising(self, game: Game, moves: Sequence[int], random: Random) -> list[int]:
        """Return the moves to think about: the most preferred ones, and one below 0 only if there is nothing else."""
        if len(moves) == 1:
            return list(moves)
        preferences = dict(zip(moves, self.preferences(game, moves, random), strict=True))
        best, *rest = nlargest(self.breadth, preferences, key=preferences.__getitem__)
        return [best, *(move for move in rest if preferences[move] >= 0)]

    def playout(self, game: Game, move: int, random: Random) -> Game:
        """Let the seat to move make the move, and roll out to the horizon or the end of the round."""
        turns = 0
        while True:
            seat = game.to_move
            game.make(move)
            turns += game.to_move != seat
            if game.over or turns > self.horizon:
                return game
            move = self.rollout_move(game, random)

    def rollout_move(self, game: Game, random: Random) -> int:
        """Return the move of the rollout policy, made without thinking ahead."""
        moves = game.moves()
        if len(moves) == 1:
            return moves[0]
        preferences = self.preferences(game, moves, random)
        return moves[preferences.index(max(preferences))]


class Collector(Player[Game]):
    """A player of a game in which points are good."""

    low_wins = False

    def evaluate(self, game: Game, seat: int) -> float:
        """Return how far the side of ``seat`` is ahead of the others' average; winning the match counts on top."""
        values = self.worth(game)
        own = values.pop(game.sides[seat])
        over = game.ended().match_over if game.over else None
        won = over is not None and over.places[seat] == 1
        return own - sum(values) / len(values) + VICTORY * won

    def worth(self, game: Game) -> list[float]:
        """Return what the score of each side is worth."""
        return [float(standing.points) for standing in game.standing]


class Shedder(Player[LineSimulation]):
    """A player of a line game in which points are bad, and what is left in the hand becomes points."""

    low_wins = True
    sheds = True

    @abstractmethod
    def burden(self, standing: Standing, limit: int | None) -> float:
        """Return how bad a score is, in points, where so many points lose the match."""

    def preferences(self, game: LineSimulation, moves: Sequence[int], random: Random) -> list[float]:
        """Prefer heavy tiles and doubles, and ends for which the hand holds more tiles."""
        after, hand, chance = AFTER[game.ends], game.hands[game.to_move], random.random
        return [SHED[move] + FOLLOWER * (hand & FITTING[after[move]]).bit_count() + NOISE * chance() for move in moves]

    def evaluate(self, game: LineSimulation, seat: int) -> float:
        """Return the average burden of the others, less that of ``seat``."""
        burdens = [self.burden(standing, game.target) for standing in game.standing]
        own = burdens.pop(seat)
        return sum(burdens) / len(burdens) - own
