"""An independent, naive Rytmino, written from the rule file: a board is a dictionary of numbers, read line by line.

It uses nothing of the engine.
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


# Every rhythmic sequence, by length. Sequences of different numbers are rhythmic: they may repeat later.
RHYTHMS = {length: endless(length) for length in range(40)}


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
    result = []
    while (x, y) in board:
        result.append((x, y))
        x, y = x + step[0], y + step[1]
    return result


def lines(board: Board, new: dict[Cell, int]) -> set[tuple[Cell, ...]]:
    """Return the rows and columns that contain a new cell, single cells left out."""
    after = {**board, **new}
    result = {tuple(line_through(after, cell, step)) for cell in new for step in ((1, 0), (0, 1))}
    return {line for line in result if len(line) > 1}


def extended(board: Board, new: dict[Cell, int]) -> list[int]:
    """Return the lengths of the lines that contain a new cell and an old one."""
    return sorted(len(line) for line in lines(board, new) if any(cell in board for cell in line))


def is_stacked(laid: Laid, text: str) -> bool:
    """Return True if four tiles of one orientation would lie exactly side by side."""
    way, new = cells(text)
    x, y = next(iter(new))
    there = {*laid, (way, x, y)}
    rows = [[(way, x, y + at) if way == "H" else (way, x + at, y) for at in range(-3 + first, 1 + first)]
            for first in range(4)]  # fmt: skip
    return any(all(slot in there for slot in row) for row in rows)


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
    result = set()
    for x, y in beside:
        for one, other in {(tile[0], tile[1]), (tile[1], tile[0])}:
            result |= {f"H({x},{y})={one}-{other}", f"H({x - 1},{y})={one}-{other}"}
            result |= {f"V({x},{y})={one}-{other}", f"V({x},{y - 1})={one}-{other}"}
    return result


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
        rest = (*hands[:seat], hands[seat][:at] + hands[seat][at + 1 :], *hands[seat + 1 :])
        for text in placements(board, laid, tile):
            placed = True
            after = with_tile(board, laid, text)
            over = not rest[seat] or depth == 1 or is_blocked(rest, *after)
            nodes += 1 if over else count_sequences(rest, *after, following, depth - 1)
    return nodes if placed else count_sequences(hands, board, laid, following, depth - 1)


def is_blocked(hands: Hands, board: Board, laid: Laid) -> bool:
    return not any(placements(board, laid, tile) for hand in hands for tile in set(hand))
