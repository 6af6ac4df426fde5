"""An independent, naive Triominoes, written from the rule file: triangles are sets of points in the plane.

It uses nothing of the engine. A board maps every occupied triangle to the numbers at its vertices, and every question
about a placement is answered by a look at all triangles.
"""

from __future__ import annotations

from itertools import permutations
from math import atan2

Vertex = tuple[int, int]
Triangle = frozenset[Vertex]
Board = dict[Triangle, dict[Vertex, int]]
Tile = tuple[int, ...]
Placement = dict[Vertex, int]
Hands = tuple[tuple[Tile, ...], ...]

BONUS = {0: 0, 1: 50, 2: 60, 3: 70}


def up(i: int, j: int) -> Triangle:
    return frozenset({(i, j), (i + 1, j), (i, j + 1)})


def down(i: int, j: int) -> Triangle:
    return frozenset({(i + 1, j + 1), (i + 1, j), (i, j + 1)})


def point(vertex: Vertex) -> tuple[float, float]:
    return vertex[0] + vertex[1] / 2, vertex[1] * 3**0.5 / 2


def clockwise(triangle: Triangle) -> list[Vertex]:
    """Return the corners as one goes round the middle clockwise, y upwards."""
    points = [point(vertex) for vertex in triangle]
    middle = [sum(values) / 3 for values in zip(*points, strict=True)]
    return sorted(triangle, key=lambda v: -atan2(point(v)[1] - middle[1], point(v)[0] - middle[0]))


def written(triangle: Triangle, numbers: Placement) -> str:
    """Write a placement as the protocol does: the apex first, then clockwise."""
    i, j = (min(values) for values in zip(*triangle, strict=True))
    is_up = triangle == up(i, j)
    heights = [vertex[1] for vertex in triangle]
    apex = next(v for v in triangle if heights.count(v[1]) == 1)
    order = clockwise(triangle)
    at = order.index(apex)
    around = [numbers[vertex] for vertex in order[at:] + order[:at]]
    return f"{'U' if is_up else 'D'}({i},{j})=" + "/".join(map(str, around))


def read(text: str) -> tuple[Triangle, Placement]:
    """Read a placement."""
    where, _, corners = text.partition("=")
    i, j = map(int, where[2:-1].split(","))
    triangle = up(i, j) if where[0] == "U" else down(i, j)
    heights = [vertex[1] for vertex in triangle]
    order = clockwise(triangle)
    at = next(place for place, v in enumerate(order) if heights.count(v[1]) == 1)
    return triangle, dict(zip(order[at:] + order[:at], map(int, corners.split("/")), strict=True))


def board_of(text: str) -> Board:
    """Return the board with these placements."""
    return dict(map(read, text.split()))


def is_tile(triangle: Triangle, numbers: Placement) -> bool:
    """Return True if the numbers never decrease clockwise from the smallest."""
    around = [numbers[vertex] for vertex in clockwise(triangle)]
    return any(around[turn:] + around[:turn] == sorted(around) for turn in range(3))


def edge_neighbours(board: Board, triangle: Triangle) -> list[Triangle]:
    return [other for other in board if len(other & triangle) == 2]


def candidates(board: Board) -> set[Triangle]:
    """Return every empty triangle that shares an edge with one on the table."""
    columns = [i for triangle in board for i, _ in triangle]
    rows = [j for triangle in board for _, j in triangle]
    window = [
        make(i, j)
        for i in range(min(columns) - 2, max(columns) + 2)
        for j in range(min(rows) - 2, max(rows) + 2)
        for make in (up, down)
    ]
    return {triangle for triangle in window if triangle not in board and edge_neighbours(board, triangle)}


def placements(board: Board, tile: Tile) -> set[str]:
    """Return every legal placement of a tile, as text."""
    if not board:
        return {f"U(0,0)={tile[0]}/{tile[1]}/{tile[2]}"}
    values = {vertex: number for numbers in board.values() for vertex, number in numbers.items()}
    triangles = set()
    for triangle in candidates(board):
        for order in set(permutations(tile)):
            numbers = dict(zip(clockwise(triangle), order, strict=True))
            agrees = all(values.get(vertex, number) == number for vertex, number in numbers.items())
            if agrees and is_tile(triangle, numbers):
                triangles.add(written(triangle, numbers))
    return triangles


def score(board: Board, text: str) -> int:
    """Return what a placement on a table that is not empty scores."""
    triangle, numbers = read(text)
    after = {**board, triangle: numbers}
    full = sum(sum(vertex in other for other in after) == 6 for vertex in triangle)
    sides = edge_neighbours(board, triangle)
    opposite = triangle - sides[0] if len(sides) == 1 else frozenset()
    is_bridge = any(opposite <= other for other in board) and bool(opposite)
    return sum(numbers.values()) + BONUS[full] + (40 if is_bridge else 0)


def count_sequences(  # noqa: PLR0917
    hands: Hands, pool: tuple[Tile, ...], board: Board, seat: int, depth: int, turn: Turn
) -> int:
    """Count the sequences of ``depth`` moves, shorter where the round ends."""
    if depth == 0:
        return 1
    drawn, passes, lead = turn
    following = (seat + 1) % len(hands)
    nodes = 0
    for tile in lead or hands[seat]:
        hand = tuple(other for other in hands[seat] if other != tile)
        rest = (*hands[:seat], hand, *hands[seat + 1 :])
        for text in placements(board, tile):
            after = {**board, **board_of(text)}
            nodes += count_sequences(rest, pool, after, following, depth - 1, (0, 0, ())) if rest[seat] else 1
    if lead:
        return nodes
    if pool and drawn < 3:
        more = tuple((*hand, pool[0]) if index == seat else hand for index, hand in enumerate(hands))
        return nodes + count_sequences(more, pool[1:], board, seat, depth - 1, (drawn + 1, passes, ()))
    if not pool and passes + 1 >= len(hands):
        return nodes + 1
    return nodes + count_sequences(hands, pool, board, following, depth - 1, (0, passes + 1, ()))


# Tiles drawn in this turn, turns in a row without a tile, tiles that may be led.
Turn = tuple[int, int, tuple[Tile, ...]]
