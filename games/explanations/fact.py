"""A fact as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Fact(NamedTuple):
    """A fact about the better or the worse of two moves: an advantage of the one, or a drawback of the other.

    ``values`` are seats, numbers, points, percentages, and the parts of a tile, as the form of the kind says
    (``texts.FORMS``).
    """

    kind: str
    is_about_better: bool
    values: tuple[int, ...] = ()


class AttemptFacts(NamedTuple):
    """Facts about two moves in notation, one of which was attempted."""

    facts: tuple[Fact, ...]
    better: str
    worse: str
    is_better_attempted: bool


def facts_from_data(data: Sequence[Sequence[Any]]) -> tuple[Fact, ...]:
    """Read facts before or after serialization as JSON."""
    return tuple(Fact(kind, is_about_better, tuple(values)) for kind, is_about_better, values in data)
