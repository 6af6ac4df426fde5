"""Runs of numbers in a row or column, and the gaps next to them.

There are few different runs, so they are shared objects that cache what they allow and which runs they become.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from games.engine.layout.rhythm import (
    PAIRS_BY_FIRST,
    PAIRS_BY_SECOND,
    VALUES,
    is_rhythmic,
    number_pairs_fitting_between,
    numbers_continuing,
    numbers_joining,
)

Numbers = tuple[int, ...]

# Halves of each ordered pair, indexed by the pair's bit (``rhythm.pair_bit``).
NUMBER_PAIRS = tuple(product(VALUES, repeat=2))
# Parts of a tile that extend a run: both halves, or one.
PIECES: tuple[Numbers, ...] = (*NUMBER_PAIRS, *[(number,) for number in VALUES])


class Run:
    """A run of numbers.

    - ``head``, ``tail``: the first and last numbers that decide what fits; a repeating run continues in the same way,
      so these suffice for long runs, too.
    - ``ahead``, ``behind``: the gaps after and before the run if nothing lies beyond them.
    - ``runs_after``, ``runs_before``: cached runs with a piece added after or before this one, by piece.
    """

    __slots__ = (
        "ahead",
        "back",
        "behind",
        "following",
        "forth",
        "head",
        "length",
        "numbers",
        "preceding",
        "runs_after",
        "runs_before",
        "tail",
    )

    ahead: Gap
    behind: Gap

    def __init__(self, numbers: Numbers) -> None:
        self.numbers, self.length = numbers, len(numbers)
        enough = min(len(set(numbers)) + 1, self.length) if is_rhythmic(numbers) else self.length
        self.head, self.tail = numbers[:enough], numbers[self.length - enough :]
        self.following, self.preceding = numbers_continuing(self.tail), numbers_continuing(self.head[::-1])
        self.forth, self.back = (
            intern_pairs(number_pairs_fitting_between(self.tail, ())),
            intern_pairs(number_pairs_fitting_between((), self.head)),
        )
        self.runs_after: list[Run | None] = [None] * len(PIECES)
        self.runs_before: list[Run | None] = [None] * len(PIECES)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the numbers only; the other process uses its own shared run."""
        return run_of, (self.numbers,)

    def with_piece_appended(self, piece: int) -> Run:
        """Return the run with a piece after it. Only rhythms are cached; the number of other runs is unbounded."""
        run = run_of(self.numbers + PIECES[piece])
        if is_rhythmic(run.numbers):
            self.runs_after[piece] = run
        return run

    def with_piece_prepended(self, piece: int) -> Run:
        """Return the run with a piece before it."""
        run = run_of(PIECES[piece] + self.numbers)
        if is_rhythmic(run.numbers):
            self.runs_before[piece] = run
        return run


class Gap:
    """A free cell in a line, and the sets of ordered pairs that the line allows on the slots at it.

    ``first`` and ``second`` are for the slots across the line that begin and end at the cell, ``forth`` and ``back``
    for the slots along it that begin and end there. ``length`` is the length of the line with the cell occupied.
    """

    __slots__ = ("after", "back", "before", "first", "forth", "length", "second")

    def __init__(self, before: Run, after: Run) -> None:
        self.before, self.after, self.length = before, after, before.length + 1 + after.length
        numbers = numbers_joining(before.following & after.preceding, before.tail, after.head)
        self.first, self.second = PAIRS_BY_FIRST[numbers], PAIRS_BY_SECOND[numbers]
        self.forth, self.back = 0 if after.length else before.forth, 0 if before.length else after.back

    def __reduce__(self) -> tuple[object, ...]:
        return Gap, (self.before, self.after)


@lru_cache(maxsize=4096)
def intern_pairs(pairs: int) -> int:
    """Return equal sets of pairs as one object, which uses the processor's cache better."""
    return pairs


@lru_cache(maxsize=16384)
def run_of(numbers: Numbers) -> Run:
    run = Run(numbers)
    if numbers:
        run.behind, run.ahead = Gap(EMPTY_RUN, run), Gap(run, EMPTY_RUN)
    return run


def pairs_joining(before: Run, after: Run) -> int:
    """Return the ordered pairs that join two runs with two free cells between them into one rhythm."""
    return number_pairs_fitting_between(before.tail, after.head)


EMPTY_RUN = run_of(())  # the empty run
UNTOUCHED_GAP = Gap(EMPTY_RUN, EMPTY_RUN)  # a cell that no run of the line touches
