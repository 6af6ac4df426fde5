"""Deals in which the boards of the worked examples come about by legal play, for the referee."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from games.engine.layout.lattice import START, Cell, Corners, neighbours, place_text, spot, vertices

TILES = ["-".join(map(str, tile)) for tile in combinations_with_replacement(range(6), 3)]

Placement = tuple[Cell, Corners]


@dataclass(frozen=True)
class Script:
    """A deal and moves that are legal after it, the last of them the one in question."""

    hands: tuple[str, ...]
    pool: str
    moves: tuple[str, ...]


def tile_at(place: str) -> str:
    """Return the tile that a placement lays."""
    return "-".join(map(str, sorted(spot(place)[1])))


def is_triple(tile: str) -> bool:
    return len(set(tile.split("-"))) == 1


def worth(tile: str) -> int:
    return sum(map(int, tile.split("-")))


def script(laid: str, last: str, seats: int = 3) -> Script:
    """Return how to come to this board, wherever it lies then, and to the last placement, seat 0 leading."""
    moves = ordered([*laid.split(), last])
    hands = [[tile_at(move) for move in moves[seat::seats]] for seat in range(seats)]
    lead = tile_at(moves[0])
    limit = 99 if is_triple(lead) else worth(lead)
    spare = iter(
        tile for tile in TILES if not is_triple(tile) and worth(tile) < limit and all(tile not in h for h in hands)
    )
    full = tuple(" ".join([*hand, *(next(spare) for _ in range(7 - len(hand)))]) for hand in hands)
    return Script(full, rest_of(full), tuple(moves))


def rest_of(hands: Sequence[str], first: str = "") -> str:
    """Return the pool beside these hands, some tiles first."""
    used = {tile for text in (*hands, first) for tile in text.split()}
    return " ".join([*first.split(), *(tile for tile in TILES if tile not in used)])


def ordered(places: Sequence[str]) -> list[str]:
    """Return the placements, turned and moved together, in an order in which each lies on another.

    The first is the one that must lead: the highest triple, else the most valuable tile. The last stays the last.
    """
    lead = max(range(len(places) - 1), key=lambda at: (is_triple(tile_at(places[at])), worth(tile_at(places[at]))))
    board = next(board for board in turns([spot(place) for place in places], lead) if leads(board[lead]))
    *others, last = [each for at, each in enumerate(board) if at != lead]
    moves = [board[lead]]
    while others:
        following = next(each for each in others if {cell for cell, _ in moves} & set(neighbours(each[0])))
        others.remove(following)
        moves.append(following)
    return [place_text(*each) for each in (*moves, last)]


def leads(placement: Placement) -> bool:
    """Tell whether a tile lies as a lead does."""
    cell, corners = placement
    return cell == START and corners == tuple(sorted(corners))


def turns(board: Sequence[Placement], at: int) -> Iterator[list[Placement]]:
    """Yield the board turned by 0, 60, 120 ... degrees, one of its cells brought to U(0,0) where it points up."""
    for times in range(6):
        turned = [turn(placement, times) for placement in board]
        _, i, j = turned[at][0]
        yield [(Cell(cell.way, cell.i - i, cell.j - j), corners) for cell, corners in turned]


def turn(placement: Placement, times: int) -> Placement:
    """Return a placement turned round the origin by so many times 60 degrees."""
    cell, corners = placement
    points = dict(zip(vertices(cell), corners, strict=True))
    for _ in range(times):
        points = {(-j, i + j): number for (i, j), number in points.items()}
    low = min(i for i, _ in points), min(j for _, j in points)
    found = next(each for each in (Cell("U", *low), Cell("D", *low)) if set(vertices(each)) == set(points))
    return found, tuple(points[vertex] for vertex in vertices(found))
