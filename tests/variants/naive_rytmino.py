"""A second, naive Rytmino, written from the rule file alone: a board is a dictionary of numbers, read line by line.

Nothing of the engine is used.
"""

from __future__ import annotations

from itertools import permutations

Cell = tuple[int, int]
Board = dict[Cell, int]
Tile = tuple[int, ...]
Laid = frozenset[tuple[str, int, int]]
Hands = tuple[tuple[Tile, ...], ...]


def endless(length: int) -> set[tuple[int, ...]]:
    """Return the beginnings of every endless repetition of different numbers."""
    return {
        tuple(order[at % size] for at in range(length))
        for size in range(1, 6)
        for order in permutations(range(1, 6), size)
    }


RHYTHMS = {length: endless(length) for length in range(40)}
"""Every rhythmic sequence by its length: all different numbers are the beginning of a repetition, too."""


def cells(text: str) -> tuple[str, dict[Cell, int]]:
    """Read a placement: its way, and the number on each cell."""
    where, _, halves = text.partition("=")
    x, y = map(int, where[2:-1].split(","))
    first, second = map(int, halves.split("-"))
    return where[0], {(x, y): first, ((x + 1, y) if where[0] == "H" else (x, y + 1)): second}


def line_through(board: Board, cell: Cell, step: Cell) -> list[Cell]:
    """Return the cells of the row or column through an occupied cell, from its beginning."""
    x, y = cell
    while (x - step[0], y - step[1]) in board:
        x, y = x - step[0], y - step[1]
    found = []
    while (x, y) in board:
        found.append((x, y))
        x, y = x + step[0], y + step[1]
    return found


def lines(board: Board, new: dict[Cell, int]) -> set[tuple[Cell, ...]]:
    """Return the rows and columns that contain a new cell, single cells left out."""
    after = {**board, **new}
    found = {tuple(line_through(after, cell, step)) for cell in new for step in ((1, 0), (0, 1))}
    return {line for line in found if len(line) > 1}


def extended(board: Board, new: dict[Cell, int]) -> list[int]:
    """Return the lengths of the lines that contain a new cell and an old one."""
    return sorted(len(line) for line in lines(board, new) if any(cell in board for cell in line))


def is_stacked(laid: Laid, text: str) -> bool:
    """Tell whether four tiles of one way would lie exactly side by side."""
    way, new = cells(text)
    x, y = next(iter(new))
    there = {*laid, (way, x, y)}
    rows = [[(way, x, y + at) if way == "H" else (way, x + at, y) for at in range(-3 + first, 1 + first)]
            for first in range(4)]  # fmt: skip
    return any(all(each in there for each in row) for row in rows)


def objection(board: Board, laid: Laid, text: str) -> str:
    """Return which rule forbids a placement, the first in their order, or ""."""
    new = cells(text)[1]
    if any(cell in board for cell in new):
        return "free"
    after = {**board, **new}
    if any(tuple(after[cell] for cell in line) not in RHYTHMS[len(line)] for line in lines(board, new)):
        return "valid"
    if len(extended(board, new)) < 2:
        return "two"
    return "stack" if is_stacked(laid, text) else ""


def texts(board: Board, tile: Tile) -> set[str]:
    """Return the tile wherever it would touch the board, both ways round."""
    beside = {(x + dx, y + dy) for x, y in board for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))} - board.keys()
    found = set()
    for x, y in beside:
        for one, other in {(tile[0], tile[1]), (tile[1], tile[0])}:
            found |= {f"H({x},{y})={one}-{other}", f"H({x - 1},{y})={one}-{other}"}
            found |= {f"V({x},{y})={one}-{other}", f"V({x},{y - 1})={one}-{other}"}
    return found


def placements(board: Board, laid: Laid, tile: Tile) -> set[str]:
    """Return every legal placement of a tile, as text."""
    return {text for text in texts(board, tile) if not objection(board, laid, text)}


def score(board: Board, text: str) -> int:
    """Return what a placement scores."""
    new = cells(text)[1]
    product = 2 if len(set(new.values())) == 1 else 1
    for length in extended(board, new):
        product *= length
    return product


def with_tile(board: Board, laid: Laid, text: str) -> tuple[Board, Laid]:
    """Return the board and the slots with the tile laid."""
    way, new = cells(text)
    return {**board, **new}, laid | {(way, *next(iter(new)))}


def table(text: str) -> tuple[Board, Laid]:
    """Return the board and the slots after these placements."""
    board: Board = {}
    laid: Laid = frozenset()
    for part in text.split():
        board, laid = with_tile(board, laid, part)
    return board, laid


def count_sequences(hands: Hands, board: Board, laid: Laid, seat: int, depth: int) -> int:
    """Count the sequences of ``depth`` moves without leftover turns, shorter where the deal ends."""
    if depth == 0:
        return 1
    following = (seat + 1) % len(hands)
    nodes, placed = 0, False
    for tile in set(hands[seat]):
        at = hands[seat].index(tile)
        left = (*hands[:seat], hands[seat][:at] + hands[seat][at + 1 :], *hands[seat + 1 :])
        for text in placements(board, laid, tile):
            placed = True
            after = with_tile(board, laid, text)
            over = not left[seat] or depth == 1 or is_blocked(left, *after)
            nodes += 1 if over else count_sequences(left, *after, following, depth - 1)
    return nodes if placed else count_sequences(hands, board, laid, following, depth - 1)


def is_blocked(hands: Hands, board: Board, laid: Laid) -> bool:
    """Tell whether nobody can place any tile."""
    return not any(placements(board, laid, tile) for hand in hands for tile in set(hand))
