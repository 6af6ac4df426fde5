"""Simulations on the triangular lattice: numbers at vertices, free cells with what is known of their corners."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Self

from games.engine.events import Played
from games.engine.layout.lattice import (
    START,
    Cell,
    Known,
    Lattice,
    Vertex,
    neighbours,
    place_text,
    rotations,
    spot,
    touching,
    vertices,
    ways,
)
from games.engine.moves import Play, play
from games.engine.simulation.simulation import TO_DRAW, TO_PASS, Simulation, layout_of
from games.engine.state import Round, State, changed
from games.engine.tiles import is_double, triple_set
from games.engine.variants.triominoes import (
    BRIDGE_BONUS,
    DRAW_PENALTY,
    HEXAGON_BONUS,
    MOST_DRAWS,
    START_BONUS,
    STUCK_PENALTY,
    ZERO,
    ZERO_BONUS,
)

TILES = triple_set(5)
PIPS = [sum(tile) for tile in TILES]
WIDTH = 64
"""More than the set reaches. Vertices are numbered in rows of so many; a cell is twice its vertex, a ``D`` 1 more."""
UNKNOWN = 6
"""Stands for the number of a vertex that has none. What is known of a cell is one number, seven by seven by seven."""
TURNS = 3
"""A placement is ``3 * (len(TILES) * cell + tile)``, and how often the tile is turned."""


def vertex_number(vertex: Vertex) -> int:
    """Return the number of a vertex."""
    i, j = vertex
    return WIDTH * (j + WIDTH // 2) + i + WIDTH // 2


@cache
def cell_number(cell: Cell) -> int:
    """Return the number of a cell."""
    return 2 * vertex_number((cell.i, cell.j)) + (cell.way == "D")


def cell_of(number: int) -> Cell:
    """Return the cell of a number."""
    j, i = divmod(number // 2, WIDTH)
    return Cell("UD"[number % 2], i - WIDTH // 2, j - WIDTH // 2)


@cache
def corners_of(cell: int) -> tuple[int, int, int]:
    """Return the vertices of a cell."""
    one, two, three = map(vertex_number, vertices(cell_of(cell)))
    return one, two, three


@cache
def cells_beside(cell: int) -> tuple[int, ...]:
    """Return the cells across the three edges."""
    return tuple(map(cell_number, neighbours(cell_of(cell))))


@cache
def around(cell: int) -> tuple[tuple[tuple[int, int, int, int], ...], ...]:
    """Return the three cells across the edges and the nine that share only a vertex, each with its own vertices."""
    beside = cells_beside(cell)
    others = [each for each in map(cell_number, touching(cell_of(cell))) if each not in beside]
    return tuple(tuple((each, *corners_of(each)) for each in cells) for cells in (beside, others))


def known_number(known: Known) -> int:
    """Return the number of what is known of a cell."""
    one, two, three = (UNKNOWN if value is None else value for value in known)
    return 49 * one + 7 * two + three


@cache
def placed(known: int, bit: int) -> tuple[int, ...]:
    """Return the placements of a tile, by its bit, on cell 0 where so much is known of it."""
    tile = bit.bit_length() - 1
    numbers = (known // 49, known // 7 % 7, known % 7)
    fits = ways(TILES[tile]).get(tuple(None if number == UNKNOWN else number for number in numbers), ())
    return tuple(TURNS * tile + rotations(TILES[tile]).index(turned) for turned in fits)


@lru_cache(maxsize=65536)
def all_placed(known: int, bits: int) -> tuple[int, ...]:
    """Return the placements of some tiles on cell 0 where so much is known of it."""
    tiles = [1 << tile for tile in range(bits.bit_length()) if bits >> tile & 1]
    return tuple([each for bit in tiles for each in placed(known, bit)])


FITTING = [sum(1 << tile for tile in range(len(TILES)) if placed(known, 1 << tile)) for known in range(343)]
"""The tiles that fit a cell, for all that may be known of it."""
COMPLETE = [UNKNOWN not in (known // 49, known // 7 % 7, known % 7) for known in range(343)]
"""Whether all is known."""
AROUND = 5
"""So many tiles meet at the centre of a hexagon before the last one."""
CELL = TURNS * len(TILES)
"""How many placements there are on a cell."""


class TriominoesSimulation(Simulation):
    """``values`` are the numbers at the vertices, ``met`` how many tiles meet there, ``occupied`` cells with a tile.

    ``free`` are the cells where a tile may lie with what is known of each; ``laid`` are seats with their tiles.
    """

    def lay(self, state: State) -> None:
        """Take over the layout."""
        layout = layout_of(state, Lattice)
        self.values = bytearray([UNKNOWN]) * (WIDTH * WIDTH)
        self.met = bytearray(WIDTH * WIDTH)
        self.occupied = bytearray(2 * WIDTH * WIDTH)
        for vertex, value in layout.values.items():
            self.values[vertex_number(vertex)] = value
        for cell in layout.cells:
            number = cell_number(cell)
            self.occupied[number] = 1
            for corner in corners_of(number):
                self.met[corner] += 1
        self.free = {cell_number(cell): known_number(known) for cell, known in layout.free.items()}
        self.drawn, self.passes = state.round.drawn, state.round.passes
        self.laid = tuple([(play.seat, TILES.index(play.tile)) for play in state.round.plays])

    def copied(self) -> Self:
        """Return the same position, to be played on by itself."""
        other = super().copied()
        other.values, other.met, other.occupied = self.values[:], self.met[:], self.occupied[:]
        other.free = self.free.copy()
        return other

    def moves(self) -> Sequence[int]:
        """Return every legal move: a seat that can place a tile may draw all the same."""
        if not self.laid:
            first = CELL * cell_number(START)
            return [first + TURNS * tile for tile in range(len(TILES)) if self.must_lead >> tile & 1]
        hand = self.hands[self.to_move]
        found = [
            CELL * cell + each
            for cell, known in self.free.items()
            if hand & FITTING[known]
            for each in all_placed(known, hand & FITTING[known])
        ]
        found.append(TO_DRAW if self.drawn < MOST_DRAWS and self.boneyard else TO_PASS)
        return found

    def points(self, move: int) -> int:
        """Return what a placement scores, or what a draw or a stuck turn costs."""
        if move < 0:
            return DRAW_PENALTY if move == TO_DRAW else STUCK_PENALTY * (self.drawn == MOST_DRAWS)
        cell, tile = move // CELL, move % CELL // TURNS
        if self.laid:
            return PIPS[tile] + self.bonus(cell) if COMPLETE[self.free[cell]] else PIPS[tile]
        return PIPS[tile] + START_BONUS * is_double(TILES[tile]) + ZERO_BONUS * (TILES[tile] == ZERO)

    def bonus(self, cell: int) -> int:
        """Return what bridges and hexagons bring on a free cell with a number at each of its corners."""
        met = self.met
        one, two, three = corners_of(cell)
        hexagons = (met[one] == AROUND) + (met[two] == AROUND) + (met[three] == AROUND)
        occupied = self.occupied
        one, two, three = cells_beside(cell)
        bridges = occupied[one] + occupied[two] + occupied[three] == 1
        return HEXAGON_BONUS[hexagons] + BRIDGE_BONUS * bridges

    def play(self, seat: int, move: int) -> bool:
        """Lay a tile, and score it."""
        self.gain(seat, self.points(move))
        cell, tile = move // CELL, move % CELL // TURNS
        values, occupied, free = self.values, self.occupied, self.free
        for vertex, value in zip(corners_of(cell), rotations(TILES[tile])[move % TURNS], strict=True):
            values[vertex] = value
            self.met[vertex] += 1
        occupied[cell] = 1
        free.pop(cell, None)
        beside, others = around(cell)
        for each, one, two, three in beside:
            if not occupied[each]:
                free[each] = 49 * values[one] + 7 * values[two] + values[three]
        for each, one, two, three in others:
            if each in free:
                free[each] = 49 * values[one] + 7 * values[two] + values[three]
        self.laid = (*self.laid, (seat, tile))
        self.drawn = self.passes = 0
        self.hands[seat] ^= 1 << tile
        return not self.hands[seat]

    def draw(self, seat: int) -> None:
        """Draw, at a price."""
        self.gain(seat, DRAW_PENALTY)
        self.drawn += 1
        super().draw(seat)

    def passed(self, seat: int) -> bool:
        """Pass, at a price if the turn is stuck; the round is over when everybody did with an empty pool."""
        self.gain(seat, self.points(TO_PASS))
        self.drawn = 0
        self.passes += 1
        return not self.boneyard and self.passes >= self.seats

    def placement(self, move: int) -> Play:
        """Return a placement as the rules know it."""
        tile = TILES[move % CELL // TURNS]
        return play(tile, place_text(cell_of(move // CELL), rotations(tile)[move % TURNS]))

    def number(self, play: Play) -> int:
        """Return the number of a placement."""
        cell, corners = spot(play.place)
        turn = rotations(play.tile).index(corners)
        return CELL * cell_number(cell) + TURNS * TILES.index(play.tile) + turn

    def round(self) -> Round:
        """Return what the rules have to know of the round to score it."""
        plays = tuple([Played(seat, TILES[tile], "", None) for seat, tile in self.laid])
        return changed(super().round(), plays=plays)
