"""Runs of numbers in a row or column, and the gaps next to them.

There are few different runs, so they are shared objects that cache what they allow and which runs they become.
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

# Halves of each ordered pair, indexed by the pair's bit (``rhythm.pair_bit``).
PAIRS = tuple(product(VALUES, repeat=2))
# Parts of a tile that extend a run: both halves, or one.
PIECES: tuple[Numbers, ...] = (*PAIRS, *[(number,) for number in VALUES])


class Run:
    """A run of numbers.

    - ``head``, ``tail``: the first and last numbers that decide what fits; a repeating run continues in the same way,
      so these suffice for long runs, too.
    - ``ahead``, ``behind``: the gaps after and before the run if nothing lies beyond them.
    - ``then``, ``led``: cached runs with a piece added after or before this one, by piece.
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
        """Pickle the numbers only; the other process uses its own shared run."""
        return run_of, (self.numbers,)

    def with_after(self, piece: int) -> Run:
        """Return the run with a piece after it. Only rhythms are cached; the number of other runs is unbounded."""
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
    """A free cell in a line, and the sets of ordered pairs that the line allows on the slots at it.

    ``first`` and ``second`` are for the slots across the line that begin and end at the cell, ``forth`` and ``back``
    for the slots along it that begin and end there. ``length`` is the length of the line with the cell occupied.
    """

    __slots__ = ("after", "back", "before", "first", "forth", "length", "second")

    def __init__(self, before: Run, after: Run) -> None:
        self.before, self.after, self.length = before, after, before.length + 1 + after.length
        numbers = joining(before.following & after.preceding, before.tail, after.head)
        self.first, self.second = FIRST[numbers], SECOND[numbers]
        self.forth, self.back = 0 if after.length else before.forth, 0 if before.length else after.back

    def __reduce__(self) -> tuple[object, ...]:
        return Gap, (self.before, self.after)


@lru_cache(maxsize=4096)
def shared(pairs: int) -> int:
    """Return equal sets of pairs as one object, which uses the processor's cache better."""
    return pairs


@lru_cache(maxsize=16384)
def run_of(numbers: Numbers) -> Run:
    run = Run(numbers)
    if numbers:
        run.behind, run.ahead = Gap(NOTHING, run), Gap(run, NOTHING)
    return run


def pairs_joining(before: Run, after: Run) -> int:
    """Return the ordered pairs that join two runs with two free cells between them into one rhythm."""
    return pairs_between(before.tail, after.head)


NOTHING = run_of(())  # the empty run
UNTOUCHED = Gap(NOTHING, NOTHING)  # a cell that no run of the line touches
