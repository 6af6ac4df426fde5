"""Runs: what lies in a row or column without a gap, and what it allows on the slots at its ends.

What lines allow on a slot is the set of the ordered pairs that fit, as bits, and three bits more: one for each two of
the three lines through a slot, set while neither of them is there. Where all that is put together is below ``OPEN``, a
tile extends two lines or three.
"""

from __future__ import annotations

from functools import lru_cache

from games.engine.layout.rhythm import ALL_PAIRS, FIRST, SECOND, is_rhythmic, numbers_between, pairs_between

OPEN = ALL_PAIRS + 1
NO_LINE_ALONG_OR_FIRST, NO_LINE_ALONG_OR_SECOND, NO_LINE_ACROSS = OPEN, 2 * OPEN, 4 * OPEN
UNTOUCHED = ALL_PAIRS | NO_LINE_ALONG_OR_FIRST | NO_LINE_ALONG_OR_SECOND | NO_LINE_ACROSS
"""What is allowed on a slot that no line goes through."""

Numbers = tuple[int, ...]
Across = tuple[int, int]
"""What a line allows on the slots across it at a free cell: on the one that begins there, and the one that ends."""
Ends = tuple[int, int, int, int, int, int]
"""What fits at the free cell before a run, across it (two slots) and along from there on; and the same after it."""


class Run:
    """Some numbers as they lie, and what they allow at their two ends.

    ``head`` are the first numbers and ``tail`` the last ones, as many as decide what fits there: a run that repeats
    itself has to go on in the same way, so longer runs need not be worked out anew.
    """

    __slots__ = ("allowed", "head", "length", "numbers", "tail")

    def __init__(self, numbers: Numbers) -> None:
        self.numbers, self.length = numbers, len(numbers)
        period = len(set(numbers))
        enough = period + 1 if is_rhythmic(numbers) else self.length
        self.head, self.tail = numbers[:enough], numbers[-enough:]
        behind, ahead = across((), self.head), across(self.tail, ())
        self.allowed: Ends = (*behind, along((), self.head), *ahead, along(self.tail, ()))


@lru_cache(maxsize=16384)
def run_of(numbers: Numbers) -> Run:
    """Return the run of these numbers. Rounds have the same few again and again."""
    return Run(numbers)


def allowed_between(
    one_before: Run | None, two_before: Run | None, run: Run, one_after: Run | None, two_after: Run | None
) -> Ends:
    """Return what is ``allowed`` at the ends of a run from which others lie one or two free cells away."""
    behind, outward, ahead, onward = run.allowed[:2], run.allowed[2], run.allowed[3:5], run.allowed[5]
    if one_before:
        behind = across(one_before.tail, run.head)
    if two_before:
        outward = along(two_before.tail, run.head)
    if one_after:
        ahead = across(run.tail, one_after.head)
    if two_after:
        onward = along(run.tail, two_after.head)
    return *behind, outward, *ahead, onward


@lru_cache(maxsize=16384)
def across(before: Numbers, after: Numbers) -> Across:
    """Return what a line allows across it at the free cell between these numbers."""
    numbers = numbers_between(before, after)
    return FIRST[numbers] | NO_LINE_ALONG_OR_SECOND, SECOND[numbers] | NO_LINE_ALONG_OR_FIRST


@lru_cache(maxsize=16384)
def along(before: Numbers, after: Numbers) -> int:
    """Return what a line allows on the slot between these numbers."""
    return pairs_between(before, after) | NO_LINE_ACROSS
