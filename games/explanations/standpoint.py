"""The knowledge of a seat, or of a spectator, before a move, and the consequences of the move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from games.bots.determinization import hidden_tile_groups
from games.engine.layout import Layout
from games.engine.layout.line import Line
from games.engine.layout.spinner import SpinnerLine
from games.engine.moves import Draw, Move, Play
from games.engine.rules import Rules
from games.engine.state import Round, replace_fields
from games.engine.tiles import Tile
from games.engine.variants.kozel import is_fish
from games.engine.view import View


@dataclass(frozen=True)
class Standpoint:
    """The position before a move of ``seat``. A spectator's view does not show the hand, so ``hand`` is empty then."""

    view: View
    seat: int

    @property
    def rules(self) -> Rules:
        return self.view.rules

    @property
    def hand(self) -> tuple[Tile, ...]:
        return self.view.seats[self.seat].hand or ()

    @cached_property
    def hidden(self) -> Counter[Tile]:
        """The tiles that are neither on the table nor in ``hand``."""
        round_ = self.view.round
        tiles = [placement[0] for text in round_.start if (placement := self.rules.layout.read(text))]
        return Counter(self.rules.tile_set) - Counter([*tiles, *(play.tile for play in round_.plays), *self.hand])

    @cached_property
    def possible(self) -> Mapping[int, frozenset[Tile]]:
        """The tiles that every other hand may contain, judging by earlier draws and passes."""
        groups_by_seat = hidden_tile_groups(self.rules, self.view)
        return {
            seat: frozenset(tile for group in groups for tile in group.tiles if tile in self.hidden)
            for seat, groups in groups_by_seat.items()
            if seat != self.seat
        }

    @property
    def next_seat(self) -> int:
        return (self.seat + 1) % self.view.setup.seats

    @property
    def opponents(self) -> list[int]:
        """The seats of the other sides, the next one first."""
        seats, sides = self.view.setup.seats, self.view.setup.sides
        order = [(self.seat + step) % seats for step in range(1, seats)]
        return [seat for seat in order if sides[seat] != sides[self.seat]]

    def after(self, move: Move) -> Aftermath:
        return Aftermath(self, move)


@dataclass(frozen=True)
class Aftermath:
    """The table right after a legal move, with what ``before`` knows."""

    before: Standpoint
    move: Move

    @property
    def tile(self) -> Tile | None:
        """The tile played, None for a draw or a pass."""
        return self.move.tile if isinstance(self.move, Play) else None

    @cached_property
    def round(self) -> Round:
        if not isinstance(self.move, Play):
            return self.before.view.round
        layout = self.before.view.round.layout.place(self.move.tile, self.move.place)
        return replace_fields(self.before.view.round, layout=layout)

    @property
    def layout(self) -> Layout:
        return self.round.layout

    @cached_property
    def hand(self) -> tuple[Tile, ...]:
        """The tiles of ``before.hand`` that are left."""
        tiles = list(self.before.hand)
        if self.tile in tiles:
            tiles.remove(self.tile)
        return tuple(tiles)

    @cached_property
    def hidden(self) -> Counter[Tile]:
        """The tiles that are hidden now. For spectators, the tile played was hidden before."""
        if self.tile is None or self.tile in self.before.hand:
            return self.before.hidden
        return self.before.hidden - Counter([self.tile])

    @cached_property
    def points(self) -> int:
        """The points of the move."""
        if isinstance(self.move, Play):
            return self.before.rules.play_points(self.before.view.round, self.move).total
        return self.before.view.price.total

    @cached_property
    def open_numbers(self) -> frozenset[int]:
        """The numbers on the open ends of a line; none in other layouts."""
        if isinstance(self.layout, Line):
            return frozenset(end for end in (self.layout.left_end, self.layout.right_end) if end is not None)
        return frozenset(dict(self.layout.ends).values()) if isinstance(self.layout, SpinnerLine) else frozenset()

    @cached_property
    def hidden_fitting(self) -> int:
        """The number of hidden tiles that fit now."""
        return sum(count for tile, count in self.hidden.items() if self.layout.places(tile))

    @property
    def hand_fitting(self) -> int:
        """The number of tiles left in hand that fit now."""
        return sum(bool(self.layout.places(tile)) for tile in self.hand)

    @cached_property
    def closes_round(self) -> bool:
        """Whether the move ends the round on a line and leaves tiles in hand (``kozel.fish``, ``gamezz.block``)."""
        if self.tile is None or not self.open_numbers or self.before.view.seats[self.before.seat].count < 2:
            return False
        if self.before.rules.key == "kozel" and isinstance(self.layout, Line):
            return is_fish(self.layout)
        return not any(map(self.layout.places, (*self.hidden, *self.hand)))

    @cached_property
    def stuck_seat(self) -> int | None:
        """The next seat if it certainly has no tile that fits now."""
        if isinstance(self.move, Draw) or self.closes_round:
            return None
        seat = self.before.next_seat
        tiles = self.before.possible.get(seat, frozenset()) & self.hidden.keys()
        return None if any(map(self.layout.places, tiles)) or not tiles else seat

    def numbers_lacking(self, seat: int) -> set[int]:
        """Return the numbers on open ends that a seat certainly does not have, though some hidden tile has them."""
        tiles = self.before.possible.get(seat, frozenset()) & self.hidden.keys()
        return {number for number in self.open_numbers if not _has(tiles, number) and _has(self.hidden, number)}

    @property
    def numbers_only_own_hand_fits(self) -> set[int]:
        """The numbers on open ends that only tiles of the own hand fit."""
        return {number for number in self.open_numbers if _has(self.hand, number) and not _has(self.hidden, number)}

    @cached_property
    def answers(self) -> Mapping[Tile, int]:
        """The points of the best placement of every hidden tile that fits."""
        return self.best_points(self.hidden)

    @cached_property
    def continuations(self) -> Mapping[Tile, int]:
        """The points of the best placement of every tile left in hand that fits."""
        return self.best_points(self.hand)

    def best_points(self, tiles: Iterable[Tile]) -> dict[Tile, int]:
        points: dict[Tile, int] = {}
        for play in self.layout.possible_plays(dict.fromkeys(tiles)):
            total = self.before.rules.play_points(self.round, play).total
            points[play.tile] = max(total, points.get(play.tile, total))
        return points


def _has(tiles: Iterable[Tile], number: int) -> bool:
    return any(number in tile for tile in tiles)
