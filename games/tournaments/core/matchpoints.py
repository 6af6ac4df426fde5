"""Results on one board in one seat, compared with the field, and means of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

MONTH_DAYS = 20  # the best days that make a month


def matchpoints(raws: Sequence[int | None]) -> tuple[Fraction, ...]:
    """Return (2 x worse + ties) / 2(n - 1) for each result of a field of n, alone 1.

    None is a side that left or was held at the end: it has no matchpoints and is not compared with the field.

    >>> [str(points) for points in matchpoints([-4, 52, -18, 48, 84])]
    ['1/4', '3/4', '0', '1/2', '1']
    """
    field = [raw for raw in raws if raw is not None]
    return tuple(Fraction(0) if raw is None else share_of_field(raw, field) for raw in raws)


def share_of_field(raw: int, field: Sequence[int]) -> Fraction:
    """Return the matchpoints of one result of the field."""
    if len(field) == 1:
        return Fraction(1)
    worse = sum(other < raw for other in field)
    ties = field.count(raw) - 1
    return Fraction(2 * worse + ties, 2 * (len(field) - 1))


def day_result(boards: Sequence[Fraction], count: int) -> Fraction:
    """Return the mean of a day with ``count`` boards. A board that was not played is 0.

    >>> day_result([Fraction(1), Fraction(1, 2)], 8)
    Fraction(3, 16)
    """
    return sum(boards, Fraction(0)) / count


def month_result(days: Sequence[Fraction], closed: int) -> Fraction:
    """Return the mean of a person's best ``MONTH_DAYS`` days, of which ``closed`` are over in this month.

    Missing days count 0, so one lucky day does not win a month.

    >>> month_result([Fraction(1, 2)], 3)
    Fraction(1, 6)
    """
    return sum(sorted(days)[-MONTH_DAYS:], Fraction(0)) / max(1, min(MONTH_DAYS, closed))
