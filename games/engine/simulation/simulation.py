"""The base class of simulations: hands, turns and the end of the round."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Self, TypeVar

from games.engine.decide import close_round
from games.engine.events import cached_standing
from games.engine.layout import Layout
from games.engine.moves import Draw, Move, Play
from games.engine.rules import DRAW, PASS
from games.engine.state import Round, State, replace_fields
from games.engine.tiles import Tile
from games.engine.variants import rules_for

Family = TypeVar("Family", bound=Layout)

DRAW_MOVE = -1
PASS_MOVE = -2  # placements are numbers from 0


class Simulation(ABC):
    """A mutable round for fast play. Moves are integers and their legality is not checked.

    A set of tiles is an integer with one bit per tile, by index in the variant's set. ``hands`` are such sets;
    ``boneyard`` are indices with the next tile last; ``standing`` has one score per side. ``over``: the round has
    ended and the rules have scored it.
    """

    def __init__(self, state: State) -> None:
        self.rules = rules_for(state.setup.variant)
        self.seats = state.setup.seats
        self.sides = state.setup.sides
        self.target = self.rules.target(state)
        self.bits = tile_bits(self.rules.tile_set)
        self.over = False
        self.following = (*range(1, self.seats), 0)
        self.load_hands(state)
        self.load_layout(state)

    def load_hands(self, state: State) -> None:
        """Read everything but the layout. Raises ``ValueError`` unless a round is running."""
        if state.round.to_move is None:
            raise ValueError("No round is being played.")
        self.start = state
        self.to_move = state.round.to_move
        self.peak = state.round.peak
        self.hands = [self.set_of(hand) for hand in state.hands]
        self.boneyard = [self.bits[tile].bit_length() - 1 for tile in reversed(state.boneyard)]
        self.must_lead = self.set_of(state.must_lead) if state.must_lead and not state.round.plays else 0
        self.standing = list(state.standing)

    def copy(self) -> Self:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)  # faster than assigning every attribute
        other.hands, other.boneyard, other.standing = self.hands[:], self.boneyard[:], self.standing[:]
        return other

    def with_hidden(self, state: State) -> Self:
        """Return a copy with the hands and the boneyard of a state that looks the same to the viewer."""
        other = self.copy()
        other.load_hands(state)
        return other

    def set_of(self, tiles: Iterable[Tile]) -> int:
        """Return the set of some tiles. The second copy of a tile has the next bit."""
        members = 0
        for tile in tiles:
            bit = self.bits[tile]
            members |= bit << 1 if members & bit else bit
        return members

    def tiles_of(self, members: int) -> tuple[Tile, ...]:
        """Return the tiles of a set."""
        all_tiles, tiles = self.rules.tile_set, []
        while members:
            bit = members & -members
            tiles.append(all_tiles[bit.bit_length() - 1])
            members ^= bit
        return tuple(tiles)

    # Methods of the families

    @abstractmethod
    def load_layout(self, state: State) -> None: ...

    @abstractmethod
    def moves(self) -> Sequence[int]:
        """Return every legal move of the seat to move, at least one."""

    @abstractmethod
    def play(self, seat: int, move: int) -> bool:
        """Make a placement. Return True if the round is over."""

    @abstractmethod
    def placement(self, move: int) -> Play:
        """Convert a placement from its number."""

    @abstractmethod
    def number(self, play: Play) -> int:
        """Convert a placement to its number."""

    def points(self, move: int) -> int:
        """Return the points of a legal move."""
        return 0

    # Moves

    def move(self, number: int) -> Move:
        """Convert a move from its number."""
        if number < 0:
            return DRAW if number == DRAW_MOVE else PASS
        return self.placement(number)

    def numbers(self, moves: Iterable[Move]) -> list[int]:
        """Convert moves to their numbers."""
        return [
            self.number(move) if isinstance(move, Play) else DRAW_MOVE if isinstance(move, Draw) else PASS_MOVE
            for move in moves
        ]

    def make_move(self, move: int) -> None:
        """Make a legal move of the seat to move."""
        seat = self.to_move
        if move >= 0:
            over = self.play(seat, move)
        elif move == DRAW_MOVE:
            self.draw(seat)
            return
        else:
            over = self.pass_turn(seat)
        if over:
            self.end(seat)
        else:
            self.to_move = self.following[seat]

    def draw(self, seat: int) -> None:
        self.hands[seat] |= 1 << self.boneyard.pop()

    def pass_turn(self, seat: int) -> bool:
        """Pass. Return True if the round is over, which only a tile causes by default."""
        return False

    def add_points(self, seat: int, points: int) -> None:
        """Add the points of a move to the score."""
        side = self.sides[seat]
        before = self.standing[side]
        self.standing[side] = after = cached_standing(before.points + points, before.opened)
        self.peak = max(self.peak, after.points)

    def end(self, seat: int) -> None:
        """End the round after a move of ``seat`` and let the rules score it."""
        self.start, self.over = self.state(), True
        self.standing = list(self.rules.standing_after(self.start, self.rules.ended_by(self.start, seat)))

    def final_state(self) -> State:
        """Return the state after the end of the round, and of the match if it is over."""
        return close_round(self.rules, self.start, self.to_move)[1]

    def state(self) -> State:
        """Return a state with everything that the rules need to score the round."""
        return replace_fields(
            self.start,
            round=self.round(),
            hands=tuple(map(self.tiles_of, self.hands)),
            boneyard=tuple([self.rules.tile_set[index] for index in reversed(self.boneyard)]),
            standing=tuple(self.standing),
        )

    def round(self) -> Round:
        """Return a round with everything that the rules need to score it."""
        return replace_fields(self.start.round, peak=self.peak, moves=())


def require_layout(state: State, family: type[Family]) -> Family:
    """Return the layout with its type. Raises ``TypeError`` for another family."""
    layout = state.round.layout
    if not isinstance(layout, family):
        raise TypeError(type(layout).__name__)
    return layout


@cache
def tile_bits(all_tiles: tuple[Tile, ...]) -> Mapping[Tile, int]:
    """Return the bit of every tile; for two copies that of the first."""
    return {tile: 1 << index for index, tile in reversed(list(enumerate(all_tiles)))}
