"""The base classes of bots: Monte Carlo search over determinizations.

Every preferred move is tried in the same random positions that agree with the view, played out, and evaluated.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from itertools import islice, repeat
from random import Random
from statistics import fmean
from typing import ClassVar, Generic, TypeVar

from games.bots.determinization import sample_determinizations
from games.bots.levels import Level
from games.engine.events import Standing
from games.engine.moves import Move
from games.engine.simulation.line import ENDS_AFTER, FITTING, TILES, LineSimulation
from games.engine.simulation.simulation import Simulation
from games.engine.state import State
from games.engine.tiles import is_double, pips
from games.engine.view import View

VICTORY_BONUS = 100  # value of winning the match, in points
FITTING_TILE_BONUS = 2  # for each tile of the hand that fits one of the new ends
DOUBLE_BONUS = 3
NOISE = 3  # range of the random part of a preference
# Preference for the tile of each placement, by the number of the move.
TILE_PREFERENCE_BY_MOVE = [pips(tile) + DOUBLE_BONUS * is_double(tile) for tile in TILES for _side in range(2)]

Game = TypeVar("Game", bound=Simulation)


class BotPlayer(ABC, Generic[Game]):
    """Variants add a simulation, a rollout policy and an evaluation. Moves are numbers of the simulation."""

    simulation: type[Game]
    is_low_better: ClassVar[bool]  # fewer points in a round are better
    plays_heavy_tiles_early: ClassVar[bool] = False  # because tiles left in hand count
    max_candidates: ClassVar[int] = 6  # moves to compare: those that the rollout policy prefers
    playouts: ClassVar[int] = 24  # playouts for one choice at level ``strong``; fixed, so that play can be repeated
    horizon: ClassVar[int] = 1000  # turns of a playout, unless the round ends earlier
    report_playouts: ClassVar[int] = 9000  # playouts to the end of the round for all choices of a match together
    judged_moves: ClassVar[int] = 6  # moves of a choice that reports compare: the preferred ones, and the one made
    check_playouts: ClassVar[int] = 6000  # more of them for its key moments
    chance_playouts: ClassVar[int] = 800  # and for who was ahead, for all positions of a match together
    # How far the results of playouts differ from those of bots that look ahead, in standard deviations of the playouts
    # (``benchmarks/match_reports.py luck``).
    luck_error: ClassVar[float] = 0.25

    @abstractmethod
    def preferences(self, game: Game, moves: Sequence[int], random: Random) -> list[float]:
        """Return the rollout policy's preference for these moves; below 0 for a last resort.

        Only what the seat to move sees of ``game`` may be used.
        """

    @abstractmethod
    def evaluate_position(self, game: Game, seat: int) -> float:
        """Return the value of the end of a playout for ``seat``, in points."""

    def choose_move(self, view: View, seat: int, random: Random, level: Level) -> Move:
        """Return the move that gains most on average, or sometimes a random one, as the level has it."""
        if (random_move := level.random_move(view.legal, random)) is not None:
            return random_move
        games = self.sample_positions(view, random)
        game = next(games)
        moves = self.candidate_moves(game, level.drop_overlooked(game.numbers(view.legal), random), random)
        if len(moves) > 1:
            count = self.positions_per_move(moves, level.playout_factor)
            gains = self.average_gains(moves, islice(games, count), seat, random)
            return game.move(moves[gains.index(max(gains))])
        return game.move(moves[0])

    def move_values(self, view: View, seat: int, random: Random) -> dict[Move, float]:
        """Return the value of every legal move by the knowledge of ``seat``, in points gained on the opponents."""
        games = islice(self.sample_positions(view, random), self.positions_per_move(view.legal))
        return self._values(view, games, seat, random)

    def open_move_values(self, view: View, state: State, seat: int, random: Random) -> dict[Move, float]:
        """Return the same with all hands open; ``state`` is the position of ``view``."""
        return self._values(view, repeat(self.simulation(state), self.positions_per_move(view.legal)), seat, random)

    def _values(self, view: View, games: Iterable[Game], seat: int, random: Random) -> dict[Move, float]:
        first, *rest = games
        gains = self.average_gains(first.numbers(view.legal), (first, *rest), seat, random)
        return dict(zip(view.legal, gains, strict=True))

    def sample_positions(self, view: View, random: Random) -> Iterator[Game]:
        """Yield random positions that agree with the view, without end."""
        states = sample_determinizations(view.rules, view, random)
        first = self.simulation(next(states))
        yield first
        yield from map(first.with_hidden, states)

    def positions_per_move(self, moves: Sequence[object], playout_factor: float = 1) -> int:
        """Return the number of positions in which every move is tried."""
        return max(1, int(playout_factor * self.playouts) // len(moves))

    def average_gains(self, moves: Sequence[int], games: Iterable[Game], seat: int, random: Random) -> list[float]:
        """Return the average gain of every move, all tried in the same positions."""
        rows = []
        for game in games:
            value_before = self.evaluate_position(game, seat)
            played_out_games = (self.play_out(game.copy(), move, random) for move in moves)
            rows.append([self.evaluate_position(played_out, seat) - value_before for played_out in played_out_games])
        return [fmean(gains) for gains in zip(*rows, strict=True)]

    def candidate_moves(self, game: Game, moves: Sequence[int], random: Random) -> list[int]:
        """Return the moves to compare: the most preferred ones, and a last resort only if there is nothing else."""
        if len(moves) == 1:
            return list(moves)
        preferences = dict(zip(moves, self.preferences(game, moves, random), strict=True))
        best, *rest = nlargest(self.max_candidates, preferences, key=preferences.__getitem__)
        return [best, *(move for move in rest if preferences[move] >= 0)]

    def preferred_moves(self, game: Game, moves: Sequence[int], random: Random) -> list[int]:
        """Return several moves, those first that the rollout policy prefers."""
        preferences = dict(zip(moves, self.preferences(game, moves, random), strict=True))
        return sorted(moves, key=preferences.__getitem__, reverse=True)

    def play_out(self, game: Game, move: int, random: Random) -> Game:
        """Make the move, then follow the rollout policy to the horizon or the end of the round."""
        turns = 0
        while True:
            seat = game.to_move
            game.make_move(move)
            turns += game.to_move != seat
            if game.over or turns > self.horizon:
                return game
            move = self.rollout_move(game, random)

    def finish_round(self, game: Game, move: int, random: Random) -> Game:
        """Make the move, then follow the rollout policy to the end of the round."""
        game.make_move(move)
        while not game.over:
            game.make_move(self.rollout_move(game, random))
        return game

    def rollout_move(self, game: Game, random: Random) -> int:
        moves = game.moves()
        if len(moves) == 1:
            return moves[0]
        preferences = self.preferences(game, moves, random)
        return moves[preferences.index(max(preferences))]


class PointsCollector(BotPlayer[Game]):
    """A player of a game in which points are good."""

    is_low_better = False

    def evaluate_position(self, game: Game, seat: int) -> float:
        """Return the lead of the side of ``seat`` over the average of the others; winning the match is a bonus."""
        values = self.side_values(game)
        own = values.pop(game.sides[seat])
        over = game.final_state().match_over if game.over else None
        won = over is not None and over.places[seat] == 1
        return own - sum(values) / len(values) + VICTORY_BONUS * won

    def side_values(self, game: Game) -> list[float]:
        """Return the value of every side's score."""
        return [float(standing.points) for standing in game.standing]


class TileShedder(BotPlayer[LineSimulation]):
    """A player of a line game in which points are bad and the tiles left in hand become points."""

    is_low_better = True
    plays_heavy_tiles_early = True

    @abstractmethod
    def standing_cost(self, standing: Standing, limit: int | None) -> float:
        """Return the cost of a score in points. Scores from ``limit`` on lose the match."""

    def preferences(self, game: LineSimulation, moves: Sequence[int], random: Random) -> list[float]:
        """Prefer heavy tiles, doubles, and ends that more tiles of the hand fit."""
        ends_after, hand, chance = ENDS_AFTER[game.ends], game.hands[game.to_move], random.random
        return [
            TILE_PREFERENCE_BY_MOVE[move]
            + FITTING_TILE_BONUS * (hand & FITTING[ends_after[move]]).bit_count()
            + NOISE * chance()
            for move in moves
        ]

    def evaluate_position(self, game: LineSimulation, seat: int) -> float:
        """Return the average cost of the opponents' scores minus that of ``seat``."""
        costs = [self.standing_cost(standing, game.target) for standing in game.standing]
        own = costs.pop(seat)
        return sum(costs) / len(costs) - own
