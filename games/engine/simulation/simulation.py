"""The base of all simulations: who holds what, whose turn it is, and the end of the round."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Self, TypeVar

from games.engine.decide import round_closed
from games.engine.events import score
from games.engine.layout import Layout
from games.engine.moves import Draw, Move, Play
from games.engine.rules import DRAW, PASS
from games.engine.state import Round, State, changed
from games.engine.tiles import Tile
from games.engine.variants import rules_for

Family = TypeVar("Family", bound=Layout)

TO_DRAW = -1
TO_PASS = -2
"""The moves that are no placement; a placement is a number of the family, 0 or more."""


class Simulation(ABC):
    """A round that is played on in place, and fast. Moves are numbers; whether one is legal is not asked.

    A set of tiles is a number with a bit for each, by its index in the variant's set. ``hands`` are such sets,
    ``boneyard`` are indices, the next tile last, ``standing`` is the score of each side. ``over``: the round is, and
    the rules themselves have scored it.
    """

    def __init__(self, state: State) -> None:
        self.rules = rules_for(state.setup.variant)
        self.seats = state.setup.seats
        self.sides = state.setup.sides
        self.target = self.rules.target(state)
        self.bits = tile_bits(self.rules.tile_set)
        self.over = False
        self.following = (*range(1, self.seats), 0)
        self.hold(state)
        self.lay(state)

    def hold(self, state: State) -> None:
        """Take over all that a layout does not show. Raises ``ValueError`` if nobody is to move."""
        if state.round.to_move is None:
            raise ValueError("No round is being played.")
        self.start = state
        self.to_move = state.round.to_move
        self.peak = state.round.peak
        self.hands = [self.set_of(hand) for hand in state.hands]
        self.boneyard = [self.bits[tile].bit_length() - 1 for tile in reversed(state.boneyard)]
        self.must_lead = self.set_of(state.must_lead) if state.must_lead and not state.round.plays else 0
        self.standing = list(state.standing)

    def copied(self) -> Self:
        """Return the same position, to be played on by itself."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)  # without slots, since this is faster than one attribute after the other
        other.hands, other.boneyard, other.standing = self.hands[:], self.boneyard[:], self.standing[:]
        return other

    def guessed(self, state: State) -> Self:
        """Return the position with the hands and the boneyard of another one that looks the same."""
        other = self.copied()
        other.hold(state)
        return other

    def set_of(self, tiles: Iterable[Tile]) -> int:
        """Return the set of some tiles. The second copy of a tile has the next bit."""
        found = 0
        for tile in tiles:
            bit = self.bits[tile]
            found |= bit << 1 if found & bit else bit
        return found

    def tiles_of(self, held: int) -> tuple[Tile, ...]:
        """Return the tiles of a set."""
        tiles, found = self.rules.tile_set, []
        while held:
            bit = held & -held
            found.append(tiles[bit.bit_length() - 1])
            held ^= bit
        return tuple(found)

    def drawing_order(self) -> tuple[Tile, ...]:
        """Return the boneyard as the rules know it."""
        return tuple([self.rules.tile_set[index] for index in reversed(self.boneyard)])

    # What a family adds

    @abstractmethod
    def lay(self, state: State) -> None:
        """Take over what lies on the table."""

    @abstractmethod
    def moves(self) -> Sequence[int]:
        """Return every legal move of the seat to move; there is always one."""

    @abstractmethod
    def play(self, seat: int, move: int) -> bool:
        """Let ``seat`` make a placement. Return whether the round is over."""

    @abstractmethod
    def placement(self, move: int) -> Play:
        """Return a placement as the rules know it."""

    @abstractmethod
    def number(self, play: Play) -> int:
        """Return the number of a placement."""

    def points(self, move: int) -> int:
        """Return what a legal move scores at once: here nothing."""
        return 0

    # Moves

    def move(self, number: int) -> Move:
        """Return a move as the rules know it."""
        if number < 0:
            return DRAW if number == TO_DRAW else PASS
        return self.placement(number)

    def numbered(self, moves: Iterable[Move]) -> list[int]:
        """Return the numbers of some moves."""
        return [
            self.number(move) if isinstance(move, Play) else TO_DRAW if isinstance(move, Draw) else TO_PASS
            for move in moves
        ]

    def make(self, move: int) -> None:
        """Let the seat to move make a legal move."""
        seat = self.to_move
        if move >= 0:
            over = self.play(seat, move)
        elif move == TO_DRAW:
            self.draw(seat)
            return
        else:
            over = self.passed(seat)
        if over:
            self.end(seat)
        else:
            self.to_move = self.following[seat]

    def draw(self, seat: int) -> None:
        """Give ``seat``, which is still to move, the next tile of the boneyard."""
        self.hands[seat] |= 1 << self.boneyard.pop()

    def passed(self, seat: int) -> bool:
        """Let ``seat`` pass. Return whether the round is over: never, where that follows from a tile alone."""
        return False

    def gain(self, seat: int, points: int) -> None:
        """Add the points of a move to the score."""
        side = self.sides[seat]
        before = self.standing[side]
        self.standing[side] = after = score(before.points + points, before.opened)
        self.peak = max(self.peak, after.points)

    def end(self, seat: int) -> None:
        """End the round after a move of ``seat``, and let the rules score it."""
        self.start, self.over = self.state(), True
        self.standing = list(self.rules.standing_after(self.start, self.rules.ended_by(self.start, seat)))

    def ended(self) -> State:
        """Return the state after the end of the round, and of the match if it ends, too."""
        return round_closed(self.rules, self.start, self.to_move)[1]

    def state(self) -> State:
        """Return what the rules have to know of the position to score it."""
        return changed(
            self.start,
            round=self.round(),
            hands=tuple(map(self.tiles_of, self.hands)),
            boneyard=self.drawing_order(),
            standing=tuple(self.standing),
        )

    def round(self) -> Round:
        """Return what the rules have to know of the round to score it: not by which moves points were made."""
        return changed(self.start.round, peak=self.peak, moves=())


def layout_of(state: State, family: type[Family]) -> Family:
    """Return the layout as one of this family. Raises ``TypeError`` for another."""
    layout = state.round.layout
    if not isinstance(layout, family):
        raise TypeError(type(layout).__name__)
    return layout


@cache
def tile_bits(tile_set: tuple[Tile, ...]) -> Mapping[Tile, int]:
    """Return the bit of each tile, of the first where there are two copies."""
    return {tile: 1 << index for index, tile in reversed(list(enumerate(tile_set)))}
