"""The triangular lattice: tiles with numbers at their corners, edge to edge, one number at every vertex.

A vertex (i, j) lies at x = i + j/2, y = j * sqrt(3)/2, **y upwards**: on a screen whose y points down draw -y, or
every tile becomes its mirror image. Every vertex has two cells: ``U(i,j)`` points up, ``D(i,j)`` down. Corners are
numbered clockwise: top, right, left of a ``U``; bottom, left, right of a ``D``. A placement: ``U(0,0)=4/4/5``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import chain, product
from typing import NamedTuple

from games.engine.moves import Play, play
from games.engine.tiles import Tile

Vertex = tuple[int, int]
Corners = tuple[int, ...]
"""The numbers at corner 0, 1 and 2 of a cell."""
Known = tuple[int | None, ...]
"""The same, None where nothing lies yet."""

NUMBER = r"(0|-?[1-9][0-9]{0,5})"
PLACE = re.compile(rf"([UD])\({NUMBER},{NUMBER}\)=([0-9])/([0-9])/([0-9])")
AROUND = (("U", 0, 0), ("D", -1, 0), ("U", -1, 0), ("D", -1, -1), ("U", 0, -1), ("D", 0, -1))
RING = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


class Cell(NamedTuple):
    """A place for one tile: ``way`` is ``U`` (point up) or ``D`` (point down)."""

    way: str
    i: int
    j: int


class LatticeTile(NamedTuple):
    """A tile on the lattice: its cell, the numbers at the cell's corners, and when it was laid (0 for the lead)."""

    tile: Tile
    cell: Cell
    corners: Corners
    order: int


START = Cell("U", 0, 0)
"""Where the first tile lies."""


@lru_cache(maxsize=4096)
def vertices(cell: Cell) -> tuple[Vertex, Vertex, Vertex]:
    """Return the vertices at corner 0, 1 and 2 of the cell."""
    way, i, j = cell
    return ((i, j + 1), (i + 1, j), (i, j)) if way == "U" else ((i + 1, j), (i, j + 1), (i + 1, j + 1))


@lru_cache(maxsize=4096)
def neighbours(cell: Cell) -> tuple[Cell, Cell, Cell]:
    """Return the cells across the edges opposite corner 0, 1 and 2."""
    way, i, j = cell
    if way == "U":
        return Cell("D", i, j - 1), Cell("D", i - 1, j), Cell("D", i, j)
    return Cell("U", i, j + 1), Cell("U", i + 1, j), Cell("U", i, j)


@lru_cache(maxsize=4096)
def around(vertex: Vertex) -> tuple[Cell, ...]:
    """Return the six cells round a vertex, in circular order: a hexagon, once all are occupied."""
    i, j = vertex
    return tuple(Cell(way, i + right, j + up) for way, right, up in AROUND)


def ring(vertex: Vertex) -> tuple[Vertex, ...]:
    """Return the six corners of the hexagon round a vertex, in circular order: its outline."""
    i, j = vertex
    return tuple((i + right, j + up) for right, up in RING)


@lru_cache(maxsize=4096)
def touching(cell: Cell) -> tuple[Cell, ...]:
    """Return the twelve other cells that share a vertex with this one."""
    cells = dict.fromkeys(each for vertex in vertices(cell) for each in around(vertex))
    return tuple(each for each in cells if each != cell)


@lru_cache(maxsize=4096)
def nearby(cell: Cell) -> tuple[tuple[Cell, bool, tuple[Vertex, Vertex, Vertex]], ...]:
    """Return the cells that share a vertex with this one, whether they share an edge with it, and their vertices."""
    beside = neighbours(cell)
    return tuple((each, each in beside, vertices(each)) for each in touching(cell))


@lru_cache(maxsize=4096)
def hexagons_on(cell: Cell) -> tuple[tuple[Vertex, frozenset[Cell]], ...]:
    """Return the hexagons that a cell is part of: their centres, and their other five cells."""
    return tuple((vertex, frozenset(around(vertex)) - {cell}) for vertex in vertices(cell))


@cache
def rotations(tile: Tile) -> tuple[Corners, ...]:
    """Return the different ways to turn a tile; never its mirror images.

    >>> rotations((0, 1, 2))
    ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    """
    return tuple(dict.fromkeys(tile[turn:] + tile[:turn] for turn in range(3)))


@cache
def ways(tile: Tile) -> Mapping[Known, tuple[Corners, ...]]:
    """Return the rotations of the tile that agree with what is known of a cell, for all with which any agrees.

    >>> ways((0, 1, 2))[None, 0, None]
    ((2, 0, 1),)
    """
    found: dict[Known, tuple[Corners, ...]] = {}
    for turned in rotations(tile):
        for known in product(*((None, value) for value in turned)):
            found[known] = (*found.get(known, ()), turned)
    return found


@cache
def fitting(tile: Tile) -> frozenset[Known]:
    """Return all that may be known of a cell that the tile fits; sets know their hashes and are compared fast."""
    return frozenset(ways(tile))


@lru_cache(maxsize=16384)
def plays_on(tile: Tile, cell: Cell, turns: tuple[Corners, ...]) -> tuple[Play, ...]:
    """Return the placements of a tile that is turned in one of these ways."""
    return tuple([Play(tile, place_text(cell, turned)) for turned in turns])


def place_text(cell: Cell, corners: Corners) -> str:
    """Write a placement: ``U(0,0)=4/4/5``."""
    one, two, three = corners
    return f"{cell.way}({cell.i},{cell.j})={one}/{two}/{three}"


@lru_cache(maxsize=16384)
def read_place(text: str) -> tuple[Cell, Corners] | None:
    """Read what ``place_text`` writes; None if it is no placement."""
    found = PLACE.fullmatch(text)
    if not found:
        return None
    way, i, j, *corners = found.groups()
    return Cell(way, int(i), int(j)), tuple(map(int, corners))


def spot(place: str) -> tuple[Cell, Corners]:
    """Return the cell and the corners of a placement. Raises ``ValueError`` if it is none."""
    found = read_place(place)
    if found is None:
        raise ValueError(place)
    return found


@dataclass(frozen=True, slots=True)
class Lattice:
    """The tiles in the order they were laid. The other fields follow from them and are kept for speed.

    ``values`` is the number at every vertex that has one, ``cells`` what is occupied, ``free`` the empty cells that
    share an edge with a tile, each with what is known of its corners.
    """

    tiles: tuple[LatticeTile, ...] = ()
    values: Mapping[Vertex, int] = field(default_factory=dict, compare=False, repr=False)
    cells: frozenset[Cell] = field(default=frozenset(), compare=False, repr=False)
    free: Mapping[Cell, Known] = field(default_factory=dict, compare=False, repr=False)

    def places(self, tile: Tile) -> tuple[str, ...]:
        """Return every placement of the tile; the first tile of all lies at ``U(0,0)``, its corners rising."""
        return tuple([play.place for play in self.plays((tile,))])

    def plays(self, tiles: Iterable[Tile]) -> list[Play]:
        """Return every placement of these tiles, tile by tile."""
        if not self.tiles:
            return [play(tile, place_text(START, tile)) for tile in tiles]
        free, found = self.free, list[Play]()
        known = frozenset(free.values())
        for tile in tiles:
            if not known.isdisjoint(fitting(tile)):
                fits = ways(tile)
                found += chain(*[plays_on(tile, cell, fits[seen]) for cell, seen in free.items() if seen in fits])
        return found

    def admits(self, tile: Tile, place: str) -> bool:
        """Return whether the place is one of the tile's places."""
        found = read_place(place)
        if not found or not self.tiles:
            return place in self.places(tile)
        cell, corners = found
        return cell in self.free and corners in ways(tile).get(self.free[cell], ())

    def place(self, tile: Tile, place: str) -> Lattice:
        """Return the lattice with the tile laid."""
        cell, corners = spot(place)
        values, cells, free = dict(self.values), self.cells | {cell}, dict(self.free)
        values.update(zip(vertices(cell), corners, strict=True))
        free.pop(cell, None)
        number = values.get
        for each, beside, (one, two, three) in nearby(cell):
            if each in free or (beside and each not in cells):
                free[each] = number(one), number(two), number(three)
        return Lattice((*self.tiles, LatticeTile(tile, cell, corners, len(self.tiles))), values, cells, free)

    def text(self, tile: Tile, place: str) -> str:
        """Write a placement; the place already names the tile."""
        return place

    def read(self, text: str) -> tuple[Tile, str] | None:
        """Read a placement; None if it is not one. The corners may be in any order, even a mirror image's."""
        found = read_place(text)
        return (tuple(sorted(found[1])), text) if found else None

    def objection(self, place: str) -> str:
        """Return what is wrong with laying a tile there: ``edge``, ``corners``, ``rotation`` or ``""``."""
        cell, corners = spot(place)
        known = self.free.get(cell)
        if known is None and self.tiles:
            return "edge"
        if known and any(there not in (None, value) for there, value in zip(known, corners, strict=True)):
            return "corners"
        return "" if corners in rotations(tuple(sorted(corners))) else "rotation"

    def bridge(self, cell: Cell) -> Vertex | None:
        """Return the vertex to which a tile on this free cell would bridge: an occupied one opposite its only edge.

        Together with ``vertices(cell)`` this is the outline of the bridge.
        """
        sides = [corner for corner, each in enumerate(neighbours(cell)) if each in self.cells]
        if len(sides) != 1:
            return None
        opposite = vertices(cell)[sides[0]]
        return opposite if opposite in self.values else None

    def hexagons(self, cell: Cell) -> tuple[Vertex, ...]:
        """Return the centres of the hexagons that a tile on this free cell would close; ``ring`` is their outline."""
        return tuple([vertex for vertex, others in hexagons_on(cell) if others <= self.cells])
