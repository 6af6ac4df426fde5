"""Ranking results."""

from __future__ import annotations

from collections.abc import Sequence


def ranks(results: Sequence[tuple[bool, int]]) -> tuple[int, ...]:
    """Return the rank of each result, lower ones being better: one more than the number of better ones.

    >>> ranks([(False, 20), (False, 10), (True, 0), (False, 10)])
    (3, 1, 4, 1)
    """
    return tuple(1 + sum(other < result for other in results) for result in results)
