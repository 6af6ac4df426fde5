"""Runs: what lies in a row or column without a gap; and gaps: free cells in a line, with the runs beside them.

There are few runs, and each is made once: it remembers what it allows at its ends, and which runs it becomes.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from games.engine.layout.rhythm import (
    FIRST,
    SECOND,
    VALUES,
    is_rhythmic,
    joining,
    numbers_after,
    pairs_between,
)

Numbers = tuple[int, ...]


PAIRS = tuple(product(VALUES, repeat=2))
"""The halves of each ordered pair. A pair has the number of its bit (``rhythm.pair_bit``)."""
PIECES: tuple[Numbers, ...] = (*PAIRS, *[(number,) for number in VALUES])
"""What a tile adds to a run: both of its halves, or one."""


class Run:
    """Some numbers as they lie.

    ``head`` are the first numbers and ``tail`` the last ones, as many as decide what fits there: a run that repeats
    itself has to go on in the same way, so longer runs need not be worked out anew. ``ahead`` and ``behind`` are the
    gaps after the run and before it while nothing lies beyond them. ``then`` and ``led`` are the runs that it has
    become with each piece after it and before it.
    """

    __slots__ = (
        "ahead",
        "back",
        "behind",
        "following",
        "forth",
        "head",
        "led",
        "length",
        "numbers",
        "preceding",
        "tail",
        "then",
    )

    ahead: Gap
    behind: Gap

    def __init__(self, numbers: Numbers) -> None:
        self.numbers, self.length = numbers, len(numbers)
        enough = min(len(set(numbers)) + 1, self.length) if is_rhythmic(numbers) else self.length
        self.head, self.tail = numbers[:enough], numbers[self.length - enough :]
        self.following, self.preceding = numbers_after(self.tail), numbers_after(self.head[::-1])
        self.forth, self.back = shared(pairs_between(self.tail, ())), shared(pairs_between((), self.head))
        self.then: list[Run | None] = [None] * len(PIECES)
        self.led: list[Run | None] = [None] * len(PIECES)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the numbers alone: whoever loads them gets their own run."""
        return run_of, (self.numbers,)

    def with_after(self, piece: int) -> Run:
        """Return the run with a piece after it. What is no rhythm is not remembered: there is no end of it."""
        run = run_of(self.numbers + PIECES[piece])
        if is_rhythmic(run.numbers):
            self.then[piece] = run
        return run

    def with_before(self, piece: int) -> Run:
        """Return the run with a piece before it."""
        run = run_of(PIECES[piece] + self.numbers)
        if is_rhythmic(run.numbers):
            self.led[piece] = run
        return run


class Gap:
    """A free cell in a line, and what the line allows on the slots at it, as sets of ordered pairs.

    ``first`` and ``second`` are what fits on the slots across the line that begin and end at the cell; ``forth`` and
    ``back`` what fits along it on the slot that begins there and on the one that ends there. ``length`` is that of
    the line once the cell is no longer free.
    """

    __slots__ = ("after", "back", "before", "first", "forth", "length", "second")

    def __init__(self, before: Run, after: Run) -> None:
        self.before, self.after, self.length = before, after, before.length + 1 + after.length
        numbers = joining(before.following & after.preceding, before.tail, after.head)
        self.first, self.second = FIRST[numbers], SECOND[numbers]
        self.forth, self.back = 0 if after.length else before.forth, 0 if before.length else after.back

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the runs alone."""
        return Gap, (self.before, self.after)


@lru_cache(maxsize=4096)
def shared(pairs: int) -> int:
    """Return a set of pairs as the same object each time: few that are read often are read fast."""
    return pairs


@lru_cache(maxsize=16384)
def run_of(numbers: Numbers) -> Run:
    """Return the run of these numbers."""
    run = Run(numbers)
    if numbers:
        run.behind, run.ahead = Gap(NOTHING, run), Gap(run, NOTHING)
    return run


def pairs_joining(before: Run, after: Run) -> int:
    """Return the set of the ordered pairs that join two runs with two free cells between them into one rhythm."""
    return pairs_between(before.tail, after.head)


NOTHING = run_of(())
"""No run."""
UNTOUCHED = Gap(NOTHING, NOTHING)
"""A cell at which the line has no run."""
