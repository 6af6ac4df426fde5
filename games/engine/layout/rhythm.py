"""Rhythms: parts of an endless repetition of some different numbers from 1 to 5.

Sets of numbers and sets of ordered pairs are integers with a bit for every member.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

VALUES = range(1, 6)
ALL_NUMBERS = 0b11111
ALL_PAIRS = (1 << 25) - 1


def is_rhythmic(numbers: Sequence[int]) -> bool:
    """Return True if all numbers differ, or repeat with a period of different numbers (``rytmino.rhythm``).

    >>> is_rhythmic([4, 2, 1, 3, 5]), is_rhythmic([2, 4, 3, 2, 4]), is_rhythmic([2, 4, 3, 4])
    (True, True, False)
    """
    period = len(set(numbers))
    return numbers[period:] == numbers[: len(numbers) - period]


def number_bit(number: int) -> int:
    """Return the set with only this number."""
    return 1 << (number - 1)


def pair_bit(first: int, second: int) -> int:
    """Return the set with only this ordered pair."""
    return 1 << (5 * (first - 1) + second - 1)


@lru_cache(maxsize=4096)
def numbers_continuing(numbers: tuple[int, ...]) -> int:
    """Return the numbers that continue a rhythm; none for other sequences.

    >>> numbers_continuing((2, 4, 2)) == number_bit(4), numbers_continuing((2, 4)) == ALL_NUMBERS - number_bit(4)
    (True, True)
    """
    period = len(set(numbers))
    if not is_rhythmic(numbers):
        return 0
    if period < len(numbers):
        return number_bit(numbers[-period])
    return ALL_NUMBERS - sum(map(number_bit, numbers[1:]))


@lru_cache(maxsize=65536)
def numbers_fitting_between(before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """Return the numbers that join two sequences with one free cell between them into one rhythm."""
    return numbers_joining(numbers_continuing(before) & numbers_continuing(after[::-1]), before, after)


def numbers_joining(candidates: int, before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """Return the candidates that join two sequences into one rhythm; all of them if one sequence is empty."""
    if not (candidates and before and after):
        return candidates
    return sum([bit for number, bit in MEMBERS_BY_NUMBER_SET[candidates] if is_rhythmic((*before, number, *after))])


@lru_cache(maxsize=16384)
def number_pairs_fitting_between(before: tuple[int, ...], after: tuple[int, ...]) -> int:
    """Return the ordered pairs that join two sequences with two free cells between them into one rhythm."""
    firsts = MEMBERS_BY_NUMBER_SET[numbers_continuing(before)]
    return sum([numbers_fitting_between((*before, first), after) * pair_bit(first, 1) for first, _ in firsts])


def pairs_from_sets(first: int, second: int) -> int:
    """Return the pairs with the first number in one set and the second in the other."""
    return PAIRS_BY_FIRST[first] & PAIRS_BY_SECOND[second]


def number_pairs_with(number: int, among: int) -> int:
    """Return the pairs whose first (0) or second (1) number is in a set.

    >>> number_pairs_with(0, number_bit(2)) == sum(pair_bit(2, second) for second in VALUES)
    True
    """
    return sum(pair_bit(*pair) for pair in product(VALUES, repeat=2) if among & number_bit(pair[number]))


# The numbers of each set, with their bits.
MEMBERS_BY_NUMBER_SET = tuple(
    [(number, number_bit(number)) for number in VALUES if among & number_bit(number)]
    for among in range(ALL_NUMBERS + 1)
)
# The pairs whose first or second number is in each set.
PAIRS_BY_FIRST, PAIRS_BY_SECOND = (
    tuple(number_pairs_with(part, among) for among in range(ALL_NUMBERS + 1)) for part in (0, 1)
)
