"""Tiles and tile sets, and their notation."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations_with_replacement

Tile = tuple[int, ...]  # two-sided: (higher half, lower half); triangular: three corners, rising


def pips(tile: Tile) -> int:
    """Return the sum of a tile's pips.

    >>> pips((6, 4))
    10
    """
    return sum(tile)


def is_double(tile: Tile) -> bool:
    """Return True for a double or a triple.

    >>> is_double((3, 3)), is_double((4, 4, 4)), is_double((6, 4))
    (True, True, False)
    """
    return len(set(tile)) == 1


@cache
def tile_text(tile: Tile) -> str:
    """Return the notation of a tile.

    >>> tile_text((6, 4)), tile_text((0, 1, 2))
    ('6-4', '0-1-2')
    """
    return "-".join(map(str, tile))


def hand_text(hand: Iterable[Tile]) -> str:
    """Return the tiles as a sum.

    >>> hand_text([(6, 3), (0, 0)])
    '6-3 + 0-0'
    """
    return " + ".join(map(tile_text, hand))


@cache
def double_set(highest: int, *, lowest: int = 0) -> tuple[Tile, ...]:
    """Return the two-sided set with ``lowest`` to ``highest`` pips on a half, in rising order of the higher half.

    >>> double_set(2)
    ((0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2))
    """
    return tuple((high, low) for high in range(lowest, highest + 1) for low in range(lowest, high + 1))


@cache
def triple_set(highest: int) -> tuple[Tile, ...]:
    """Return the triangular set with numbers up to ``highest``, in rising order. Corners are in non-decreasing order.

    >>> triple_set(1)
    ((0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1))
    """
    return tuple(combinations_with_replacement(range(highest + 1), 3))
