"""Simulations on the triangular lattice: numbers at vertices, and free cells with the codes of their corners."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Self

from games.engine.events import Played
from games.engine.layout.lattice import (
    START_CELL,
    Cell,
    KnownCorners,
    Lattice,
    Vertex,
    neighbours,
    parse_place,
    place_text,
    rotations,
    rotations_by_numbers,
    touching_cells,
    vertices,
)
from games.engine.moves import Play, cached_play
from games.engine.simulation.simulation import DRAW_MOVE, PASS_MOVE, Simulation, require_layout
from games.engine.state import Round, State, replace_fields
from games.engine.tiles import is_double, triple_set
from games.engine.variants.triominoes import (
    BRIDGE_BONUS,
    DRAW_PENALTY,
    HEXAGON_BONUS,
    MAX_DRAWS,
    START_BONUS,
    STUCK_PENALTY,
    ZERO_BONUS,
    ZERO_TRIPLE,
)

TILES = triple_set(5)
PIPS = [sum(tile) for tile in TILES]
WIDTH = 64  # Vertices in a row, more than the set can reach. A cell is twice its vertex, plus 1 for a ``D``.
UNKNOWN = 6  # a vertex without a number; the corners of a cell are coded as one number in base 7
ROTATIONS = 3  # a placement is ``3 * (len(TILES) * cell + tile) + turn``


def vertex_number(vertex: Vertex) -> int:
    i, j = vertex
    return WIDTH * (j + WIDTH // 2) + i + WIDTH // 2


@cache
def cell_number(cell: Cell) -> int:
    return 2 * vertex_number((cell.i, cell.j)) + (cell.way == "D")


def cell_from_number(number: int) -> Cell:
    j, i = divmod(number // 2, WIDTH)
    return Cell("UD"[number % 2], i - WIDTH // 2, j - WIDTH // 2)


@cache
def cell_vertices(cell: int) -> tuple[int, int, int]:
    """Return the vertices of a cell."""
    one, two, three = map(vertex_number, vertices(cell_from_number(cell)))
    return one, two, three


@cache
def adjacent_cells(cell: int) -> tuple[int, ...]:
    """Return the cells across the three edges."""
    return tuple(map(cell_number, neighbours(cell_from_number(cell))))


@cache
def surrounding_cells(cell: int) -> tuple[tuple[tuple[int, int, int, int], ...], ...]:
    """Return the three cells across the edges and the nine that share only a vertex, with their vertices."""
    adjacent = adjacent_cells(cell)
    distant = [other for other in map(cell_number, touching_cells(cell_from_number(cell))) if other not in adjacent]
    return tuple(tuple((other, *cell_vertices(other)) for other in cells) for cells in (adjacent, distant))


def corner_code(numbers: KnownCorners) -> int:
    one, two, three = (UNKNOWN if value is None else value for value in numbers)
    return 49 * one + 7 * two + three


@cache
def tile_placements(code: int, tile: int) -> tuple[int, ...]:
    """Return the placements of a tile on cell 0 with these corners."""
    numbers = (code // 49, code // 7 % 7, code % 7)
    fits = rotations_by_numbers(TILES[tile]).get(
        tuple(None if number == UNKNOWN else number for number in numbers), ()
    )
    return tuple(ROTATIONS * tile + rotations(TILES[tile]).index(corners) for corners in fits)


@lru_cache(maxsize=65536)
def placements_of_tiles(code: int, tiles: int) -> tuple[int, ...]:
    """Return the placements of a set of tiles on cell 0 with these corners."""
    return tuple(chain(*[tile_placements(code, tile) for tile in range(tiles.bit_length()) if tiles >> tile & 1]))


# Tiles that fit a cell, by corner code.
FITTING = [sum(1 << tile for tile in range(len(TILES)) if tile_placements(code, tile)) for code in range(343)]
# Whether all three corners have a number, by corner code.
HAS_ALL_CORNERS = [UNKNOWN not in (code // 49, code // 7 % 7, code % 7) for code in range(343)]
TILES_BEFORE_HEXAGON = 5  # tiles around a vertex before the one that closes its hexagon
PLACEMENTS_PER_CELL = ROTATIONS * len(TILES)  # placements on one cell


class TriominoesSimulation(Simulation):
    """``values`` are the numbers at vertices, ``tile_count_by_vertex`` counts the tiles there.

    ``occupied`` are flags of cells; ``free`` are cells that share an edge with a tile, with their corner codes;
    ``laid`` are seats with their tiles.
    """

    def load_layout(self, state: State) -> None:
        layout = require_layout(state, Lattice)
        self.values = bytearray([UNKNOWN]) * (WIDTH * WIDTH)
        self.tile_count_by_vertex = bytearray(WIDTH * WIDTH)
        self.occupied = bytearray(2 * WIDTH * WIDTH)
        for vertex, value in layout.values.items():
            self.values[vertex_number(vertex)] = value
        for cell in layout.cells:
            number = cell_number(cell)
            self.occupied[number] = 1
            for corner in cell_vertices(number):
                self.tile_count_by_vertex[corner] += 1
        self.free = {cell_number(cell): corner_code(numbers) for cell, numbers in layout.free.items()}
        self.drawn, self.passes = state.round.drawn, state.round.passes
        self.laid = tuple([(play.seat, TILES.index(play.tile)) for play in state.round.plays])

    def copy(self) -> Self:
        other = super().copy()
        other.values, other.occupied = self.values[:], self.occupied[:]
        other.tile_count_by_vertex = self.tile_count_by_vertex[:]
        other.free = self.free.copy()
        return other

    def moves(self) -> Sequence[int]:
        if not self.laid:
            first = PLACEMENTS_PER_CELL * cell_number(START_CELL)
            # a position that was guessed from a spectator's view does not know which tile must be led
            leads = self.must_lead or self.hands[self.to_move]
            return [first + ROTATIONS * tile for tile in range(len(TILES)) if leads >> tile & 1]
        hand = self.hands[self.to_move]
        moves = [
            PLACEMENTS_PER_CELL * cell + placement
            for cell, code in self.free.items()
            if hand & FITTING[code]
            for placement in placements_of_tiles(code, hand & FITTING[code])
        ]
        moves.append(DRAW_MOVE if self.drawn < MAX_DRAWS and self.boneyard else PASS_MOVE)
        return moves

    def points(self, move: int) -> int:
        if move < 0:
            return DRAW_PENALTY if move == DRAW_MOVE else STUCK_PENALTY * (self.drawn == MAX_DRAWS)
        cell, tile = move // PLACEMENTS_PER_CELL, move % PLACEMENTS_PER_CELL // ROTATIONS
        if self.laid:
            return PIPS[tile] + self.bonus(cell) if HAS_ALL_CORNERS[self.free[cell]] else PIPS[tile]
        return PIPS[tile] + START_BONUS * is_double(TILES[tile]) + ZERO_BONUS * (TILES[tile] == ZERO_TRIPLE)

    def bonus(self, cell: int) -> int:
        """Return the bonus of a tile on a free cell whose three corners all have a number."""
        tile_count_by_vertex = self.tile_count_by_vertex
        one, two, three = cell_vertices(cell)
        hexagons = (
            (tile_count_by_vertex[one] == TILES_BEFORE_HEXAGON)
            + (tile_count_by_vertex[two] == TILES_BEFORE_HEXAGON)
            + (tile_count_by_vertex[three] == TILES_BEFORE_HEXAGON)
        )
        occupied = self.occupied
        one, two, three = adjacent_cells(cell)
        is_bridge = occupied[one] + occupied[two] + occupied[three] == 1
        return HEXAGON_BONUS[hexagons] + BRIDGE_BONUS * is_bridge

    def play(self, seat: int, move: int) -> bool:
        self.add_points(seat, self.points(move))
        cell, tile = move // PLACEMENTS_PER_CELL, move % PLACEMENTS_PER_CELL // ROTATIONS
        values, occupied, free = self.values, self.occupied, self.free
        for vertex, value in zip(cell_vertices(cell), rotations(TILES[tile])[move % ROTATIONS], strict=True):
            values[vertex] = value
            self.tile_count_by_vertex[vertex] += 1
        occupied[cell] = 1
        free.pop(cell, None)
        adjacent, distant = surrounding_cells(cell)
        for other, one, two, three in adjacent:
            if not occupied[other]:
                free[other] = 49 * values[one] + 7 * values[two] + values[three]
        for other, one, two, three in distant:
            if other in free:
                free[other] = 49 * values[one] + 7 * values[two] + values[three]
        self.laid = (*self.laid, (seat, tile))
        self.drawn = self.passes = 0
        self.hands[seat] ^= 1 << tile
        return not self.hands[seat]

    def draw(self, seat: int) -> None:
        self.add_points(seat, DRAW_PENALTY)
        self.drawn += 1
        super().draw(seat)

    def pass_turn(self, seat: int) -> bool:
        self.add_points(seat, self.points(PASS_MOVE))
        self.drawn = 0
        self.passes += 1
        return not self.boneyard and self.passes >= self.seats

    def placement(self, move: int) -> Play:
        tile = TILES[move % PLACEMENTS_PER_CELL // ROTATIONS]
        return cached_play(
            tile, place_text(cell_from_number(move // PLACEMENTS_PER_CELL), rotations(tile)[move % ROTATIONS])
        )

    def number(self, play: Play) -> int:
        cell, corners = parse_place(play.place)
        turn = rotations(play.tile).index(corners)
        return PLACEMENTS_PER_CELL * cell_number(cell) + ROTATIONS * TILES.index(play.tile) + turn

    def round(self) -> Round:
        plays = tuple([Played(seat, TILES[tile], "", None) for seat, tile in self.laid])
        return replace_fields(super().round(), plays=plays)
