"""Runs: what lies in a row or column without a gap, and what it allows on the slots at its ends.

What lines allow on a slot is the set of the ordered pairs that fit, as bits, and three bits more: one for each two of
the three lines through a slot, set while neither of them is there. Where all that is put together is below ``OPEN``, a
tile extends two lines or three.
"""

from __future__ import annotations

from functools import lru_cache

from games.engine.layout.rhythm import ALL_PAIRS, FIRST, SECOND, numbers_between, pairs_between

OPEN = ALL_PAIRS + 1
NO_LINE_ALONG_OR_FIRST, NO_LINE_ALONG_OR_SECOND, NO_LINE_ACROSS = OPEN, 2 * OPEN, 4 * OPEN
UNTOUCHED = ALL_PAIRS | NO_LINE_ALONG_OR_FIRST | NO_LINE_ALONG_OR_SECOND | NO_LINE_ACROSS
"""What is allowed on a slot that no line goes through."""

Across = tuple[int, int]
"""What a line allows on the slots across it at a free cell: on the one that begins there, and the one that ends."""


class Run:
    """Some numbers as they lie; what they allow across at the cells after and before them, and along from there on."""

    __slots__ = ("ahead", "along_ahead", "along_behind", "behind", "length", "numbers")

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self.numbers, self.length = numbers, len(numbers)
        self.ahead, self.behind = across(numbers, ()), across((), numbers)
        self.along_ahead, self.along_behind = along(numbers, ()), along((), numbers)


@lru_cache(maxsize=16384)
def run_of(numbers: tuple[int, ...]) -> Run:
    """Return the run of these numbers. Rounds have the same few again and again."""
    return Run(numbers)


@lru_cache(maxsize=16384)
def across_between(before: Run, after: Run) -> Across:
    """Return what two runs with one free cell between them allow across it."""
    return across(before.numbers, after.numbers)


@lru_cache(maxsize=16384)
def along_between(before: Run, after: Run) -> int:
    """Return what two runs allow on the slot between them."""
    return along(before.numbers, after.numbers)


def across(before: tuple[int, ...], after: tuple[int, ...]) -> Across:
    """Return what a line allows across it at the free cell between these numbers."""
    numbers = numbers_between(before, after)
    return FIRST[numbers] | NO_LINE_ALONG_OR_SECOND, SECOND[numbers] | NO_LINE_ALONG_OR_FIRST


def along(before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """Return what a line allows on the slot between these numbers."""
    return pairs_between(before, after) | NO_LINE_ACROSS
