"""The sides of a match, ordered by place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.engine.ranking import ranks


class RankedSeats(NamedTuple):
    """The seats of a side and its place: 1 is the best, None without one."""

    place: int | None
    seats: tuple[int, ...]


def ranking(places: Sequence[int | None], sides: Sequence[int]) -> list[RankedSeats]:
    """Return the sides, best first. Partners share a place unless one of them left."""
    groups: dict[tuple[bool, int, int], list[int]] = {}
    for seat, (place, side) in enumerate(zip(places, sides, strict=True)):
        groups.setdefault((place is None, place or 0, side), []).append(seat)
    keys = sorted(groups)
    ranked = ranks([(unplaced, place) for unplaced, place, _side in keys])
    return [
        RankedSeats(None if key[0] else place, tuple(groups[key])) for key, place in zip(keys, ranked, strict=True)
    ]
