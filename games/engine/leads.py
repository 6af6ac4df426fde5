"""The lead of a round, and the order of tiles that decides who leads in some line games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.engine.tiles import Tile, is_double, pips


@dataclass(frozen=True, slots=True)
class Lead:
    """The seat that leads a round, the id of the rule that decides it, and the tiles that may be led (empty: any)."""

    seat: int
    rule: str
    tiles: tuple[Tile, ...] = ()


def lead_order(tiles: Iterable[Tile], doubles: Sequence[int]) -> tuple[Tile, ...]:
    """Return the order in which tiles decide the lead: the doubles as given, then the other tiles, heaviest first.

    >>> lead_order([(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)], [1, 2, 0])
    ((1, 1), (2, 2), (0, 0), (2, 1), (2, 0), (1, 0))
    """
    mixed = (tile for tile in tiles if not is_double(tile))
    return (*((value, value) for value in doubles), *sorted(mixed, key=lambda tile: (-pips(tile), -tile[0])))


def first_lead(order: Sequence[Tile], hands: Sequence[Sequence[Tile]], rule: str) -> Lead:
    """Return the lead with the first tile in ``order`` that somebody holds.

    >>> first_lead([(1, 1), (2, 2)], [[(2, 1)], [(2, 2), (1, 0)]], "kozel.lead_first")
    Lead(seat=1, rule='kozel.lead_first', tiles=((2, 2),))
    """
    seat_by_tile = {tile: seat for seat, hand in enumerate(hands) for tile in hand}
    tile = next(tile for tile in order if tile in seat_by_tile)
    return Lead(seat_by_tile[tile], rule, (tile,))
