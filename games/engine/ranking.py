"""Ranks with ties."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence


def ranks(results: Sequence[tuple[bool, int]]) -> tuple[int, ...]:
    """Return the rank of each result, 1 for the lowest. Equal results share a rank, and the next ranks are skipped.

    >>> ranks([(False, 20), (False, 10), (True, 0), (False, 10)])
    (3, 1, 4, 1)
    """
    ascending = sorted(results)
    return tuple(1 + bisect_left(ascending, result) for result in results)
