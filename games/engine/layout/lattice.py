"""The triangular lattice: tiles with numbers at their corners, edge to edge, with one number at every vertex.

Vertex (i, j) is at x = i + j/2, y = j * sqrt(3)/2, with y pointing up. (Screens need -y, or tiles are mirrored.) Every
vertex has two cells, ``U(i,j)`` pointing up and ``D(i,j)`` pointing down. Corners are numbered clockwise: top, right,
left of a ``U``; bottom, left, right of a ``D``. A placement: ``U(0,0)=4/4/5``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import chain, product
from typing import NamedTuple

from games.engine.moves import Play, cached_play
from games.engine.tiles import Tile

Vertex = tuple[int, int]
Corners = tuple[int, ...]  # numbers at corners 0, 1 and 2 of a cell
KnownCorners = tuple[int | None, ...]  # the same; None at a vertex without a number

NUMBER = r"(0|-?[1-9][0-9]{0,5})"
PLACE_PATTERN = re.compile(rf"([UD])\({NUMBER},{NUMBER}\)=([0-9])/([0-9])/([0-9])")
CELLS_AROUND = (("U", 0, 0), ("D", -1, 0), ("U", -1, 0), ("D", -1, -1), ("U", 0, -1), ("D", 0, -1))
HEXAGON_CORNER_OFFSETS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


class Cell(NamedTuple):
    """A place for one tile; ``way`` is ``U`` or ``D``."""

    way: str
    i: int
    j: int


class LatticeTile(NamedTuple):
    """A tile on the lattice: its cell, the numbers at the cell's corners, and its number in playing order from 0."""

    tile: Tile
    cell: Cell
    corners: Corners
    order: int


START_CELL = Cell("U", 0, 0)  # cell of the first tile


@lru_cache(maxsize=4096)
def vertices(cell: Cell) -> tuple[Vertex, Vertex, Vertex]:
    """Return the vertices at corners 0, 1 and 2."""
    way, i, j = cell
    return ((i, j + 1), (i + 1, j), (i, j)) if way == "U" else ((i + 1, j), (i, j + 1), (i + 1, j + 1))


@lru_cache(maxsize=4096)
def neighbours(cell: Cell) -> tuple[Cell, Cell, Cell]:
    """Return the cells across the edges opposite corners 0, 1 and 2."""
    way, i, j = cell
    if way == "U":
        return Cell("D", i, j - 1), Cell("D", i - 1, j), Cell("D", i, j)
    return Cell("U", i, j + 1), Cell("U", i + 1, j), Cell("U", i, j)


@lru_cache(maxsize=4096)
def cells_around(vertex: Vertex) -> tuple[Cell, ...]:
    """Return the six cells around a vertex in circular order. They form a hexagon once all are occupied."""
    i, j = vertex
    return tuple(Cell(way, i + right, j + up) for way, right, up in CELLS_AROUND)


def hexagon_corners(vertex: Vertex) -> tuple[Vertex, ...]:
    """Return the six corners of the hexagon around a vertex in circular order."""
    i, j = vertex
    return tuple((i + right, j + up) for right, up in HEXAGON_CORNER_OFFSETS)


@lru_cache(maxsize=4096)
def touching_cells(cell: Cell) -> tuple[Cell, ...]:
    """Return the twelve other cells that share a vertex with this one."""
    cells = dict.fromkeys(other for vertex in vertices(cell) for other in cells_around(vertex))
    return tuple(other for other in cells if other != cell)


@lru_cache(maxsize=4096)
def touching_cells_with_vertices(cell: Cell) -> tuple[tuple[Cell, bool, tuple[Vertex, Vertex, Vertex]], ...]:
    """Return the cells of ``touching_cells``, whether they share an edge with this one, and their vertices."""
    adjacent = neighbours(cell)
    return tuple((other, other in adjacent, vertices(other)) for other in touching_cells(cell))


@lru_cache(maxsize=4096)
def hexagons_containing(cell: Cell) -> tuple[tuple[Vertex, frozenset[Cell]], ...]:
    """Return the centres of the hexagons that contain a cell, with their other five cells."""
    return tuple((vertex, frozenset(cells_around(vertex)) - {cell}) for vertex in vertices(cell))


@cache
def rotations(tile: Tile) -> tuple[Corners, ...]:
    """Return the different rotations of a tile.

    >>> rotations((0, 1, 2))
    ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    """
    return tuple(dict.fromkeys(tile[turn:] + tile[:turn] for turn in range(3)))


@cache
def rotations_by_numbers(tile: Tile) -> Mapping[KnownCorners, tuple[Corners, ...]]:
    """Return the rotations that agree with the known numbers of a cell, for all numbers with which any agrees.

    >>> rotations_by_numbers((0, 1, 2))[None, 0, None]
    ((2, 0, 1),)
    """
    by_numbers: dict[KnownCorners, tuple[Corners, ...]] = {}
    for corners in rotations(tile):
        for numbers in product(*((None, value) for value in corners)):
            by_numbers[numbers] = (*by_numbers.get(numbers, ()), corners)
    return by_numbers


@cache
def corner_patterns_of_tile(tile: Tile) -> frozenset[KnownCorners]:
    """Return the known numbers of cells that the tile fits, as a set for fast comparison."""
    return frozenset(rotations_by_numbers(tile))


@lru_cache(maxsize=16384)
def placements_on_cell(tile: Tile, cell: Cell, fitting_rotations: tuple[Corners, ...]) -> tuple[Play, ...]:
    """Return the placements of a tile on a cell in these rotations."""
    return tuple([Play(tile, place_text(cell, corners)) for corners in fitting_rotations])


def place_text(cell: Cell, corners: Corners) -> str:
    one, two, three = corners
    return f"{cell.way}({cell.i},{cell.j})={one}/{two}/{three}"


@lru_cache(maxsize=16384)
def read_place(text: str) -> tuple[Cell, Corners] | None:
    """Read the result of ``place_text``; None for other texts."""
    match = PLACE_PATTERN.fullmatch(text)
    if not match:
        return None
    way, i, j, *corners = match.groups()
    return Cell(way, int(i), int(j)), tuple(map(int, corners))


def parse_place(place: str) -> tuple[Cell, Corners]:
    """Return the cell and the corners of a placement. Raises ``ValueError``."""
    placement = read_place(place)
    if placement is None:
        raise ValueError(place)
    return placement


@dataclass(frozen=True, slots=True)
class Lattice:
    """The tiles in playing order, and fields that are derived from them for speed.

    ``values`` are the numbers at vertices, ``cells`` the occupied cells, ``free`` the empty cells that share an edge
    with a tile, with the known numbers at their corners.
    """

    tiles: tuple[LatticeTile, ...] = ()
    values: Mapping[Vertex, int] = field(default_factory=dict, compare=False, repr=False)
    cells: frozenset[Cell] = field(default=frozenset(), compare=False, repr=False)
    free: Mapping[Cell, KnownCorners] = field(default_factory=dict, compare=False, repr=False)

    def places(self, tile: Tile) -> tuple[str, ...]:
        """Return every placement of the tile. The lead is at ``U(0,0)`` with rising corners."""
        return tuple([play.place for play in self.possible_plays((tile,))])

    def possible_plays(self, tiles: Iterable[Tile]) -> list[Play]:
        if not self.tiles:
            return [cached_play(tile, place_text(START_CELL, tile)) for tile in tiles]
        free, possible = self.free, list[Play]()
        all_numbers = frozenset(free.values())
        for tile in tiles:
            if not all_numbers.isdisjoint(corner_patterns_of_tile(tile)):
                fits = rotations_by_numbers(tile)
                possible += chain(
                    *[
                        placements_on_cell(tile, cell, fits[known_corners])
                        for cell, known_corners in free.items()
                        if known_corners in fits
                    ]
                )
        return possible

    def admits(self, tile: Tile, place: str) -> bool:
        placement = read_place(place)
        if not placement or not self.tiles:
            return place in self.places(tile)
        cell, corners = placement
        return cell in self.free and corners in rotations_by_numbers(tile).get(self.free[cell], ())

    def place(self, tile: Tile, place: str) -> Lattice:
        cell, corners = parse_place(place)
        values, cells, free = dict(self.values), self.cells | {cell}, dict(self.free)
        values.update(zip(vertices(cell), corners, strict=True))
        free.pop(cell, None)
        number = values.get
        for other, is_adjacent, (one, two, three) in touching_cells_with_vertices(cell):
            if other in free or (is_adjacent and other not in cells):
                free[other] = number(one), number(two), number(three)
        return Lattice((*self.tiles, LatticeTile(tile, cell, corners, len(self.tiles))), values, cells, free)

    def text(self, tile: Tile, place: str) -> str:
        return place

    def read(self, text: str) -> tuple[Tile, str] | None:
        """Read a placement; None for other texts. The corners may be those of a mirrored tile."""
        placement = read_place(text)
        return (tuple(sorted(placement[1])), text) if placement else None

    def objection(self, place: str) -> str:
        """Return the rule that a placement breaks: ``edge``, ``corners``, ``rotation`` or ``""``."""
        cell, corners = parse_place(place)
        numbers = self.free.get(cell)
        if numbers is None and self.tiles:
            return "edge"
        if numbers and any(number not in (None, value) for number, value in zip(numbers, corners, strict=True)):
            return "corners"
        return "" if corners in rotations(tuple(sorted(corners))) else "rotation"

    def bridge(self, cell: Cell) -> Vertex | None:
        """Return the occupied vertex opposite the only shared edge of a tile on this free cell, if it is a bridge."""
        sides = [corner for corner, other in enumerate(neighbours(cell)) if other in self.cells]
        if len(sides) != 1:
            return None
        opposite = vertices(cell)[sides[0]]
        return opposite if opposite in self.values else None

    def hexagons(self, cell: Cell) -> tuple[Vertex, ...]:
        """Return the centres of the hexagons that a tile on this free cell would close."""
        return tuple([vertex for vertex, other_cells in hexagons_containing(cell) if other_cells <= self.cells])
