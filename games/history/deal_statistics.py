"""Statistics of the deals: tiles and doubles by seat, doubles in one hand, and first leads, compared with chance.

Void deals are counted too: without them the rest would look unfair. Every seat gets a fixed number of tiles. Therefore
the sum of (observed - expected)² / expected over kinds of tiles and places is divided by N / (N - 1), for N tiles,
before it is compared with chi-square (Cochran, Mantel and Haenszel).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from math import comb, exp, lgamma, log
from typing import Any

from games.engine.events import DealVoided, Event, RoundDealt
from games.engine.replay import start_event
from games.engine.tiles import is_double
from games.engine.variants import rules_for

MIN_EXPECTED_COUNT = 5.0  # chi-square needs it; smaller counts are merged, or nothing is compared
CONVERGENCE = 1e-12  # relative precision at which a series ends


@dataclass(frozen=True, slots=True)
class ChiSquareTest:
    """A comparison with chance: chi-square, degrees of freedom (0: too few to compare), and the p-value."""

    chi_square: float
    freedom: int
    probability: float


@dataclass(slots=True)
class DealCounts:
    """The counts of one variant with one number of seats and one size of hands."""

    variant: str
    seats: int
    hand_size: int
    deals: int = 0
    tiles: Counter[tuple[int, tuple[int, ...]]] = field(default_factory=Counter)
    doubles: Counter[int] = field(default_factory=Counter)
    first_lead_counts: Counter[int] = field(default_factory=Counter)

    def add(self, hands: Sequence[Sequence[tuple[int, ...]]]) -> None:
        self.deals += 1
        for seat, tiles in enumerate(hands):
            self.tiles.update((seat, tile) for tile in tiles)
            self.doubles[sum(map(is_double, tiles))] += 1

    def data(self) -> dict[str, Any]:
        """Return the counts and the tests as JSON data."""
        copies_by_tile = Counter(rules_for(self.variant).tile_set)
        return {
            "variant": self.variant,
            "seats": self.seats,
            "hand": self.hand_size,
            "deals": self.deals,
            "doubles_per_seat": doubles_per_seat(self),
            "hands_by_doubles": [self.doubles[number] for number in range(max(self.doubles, default=0) + 1)],
            "leads_per_seat": [self.first_lead_counts[seat] for seat in range(self.seats)],
            "tiles": asdict(chance_test_of_tiles(self, copies_by_tile)),
            "doubles": asdict(chance_test_of_doubles(self, copies_by_tile)),
            "one_hand": asdict(chance_test_of_one_hand(self, copies_by_tile)),
            "leads": asdict(chance_test_of_leads(self)),
        }


class DealCounter:
    """The counts of the deals of some records."""

    def __init__(self) -> None:
        self.deals: dict[tuple[str, int, int], DealCounts] = {}

    def add(self, events: Sequence[Event]) -> None:
        """Count all deals of a record."""
        start = start_event(events)
        for event in events:
            if isinstance(event, RoundDealt | DealVoided):
                key = (start.variant, start.seats, len(event.hands[0]))
                deals = self.deals.setdefault(key, DealCounts(*key))
                deals.add(event.hands)
                if isinstance(event, RoundDealt) and event.round == 1:
                    deals.first_lead_counts[event.to_move] += 1

    def data(self) -> list[dict[str, Any]]:
        """Return a table for each variant, number of seats and size of hands."""
        return [self.deals[key].data() for key in sorted(self.deals)]


def count_deals(matches: Iterable[Sequence[Event]]) -> list[dict[str, Any]]:
    """Count all deals of some records, and return the tables."""
    counts = DealCounter()
    for events in matches:
        counts.add(events)
    return counts.data()


def chance_test_of_tiles(deals: DealCounts, copies_by_tile: Counter[tuple[int, ...]]) -> ChiSquareTest:
    """Compare the distribution of each kind of tile over the seats and the tiles left with chance."""
    tile_count = copies_by_tile.total()
    undealt = tile_count - deals.seats * deals.hand_size
    chi_square = 0.0
    for tile, copies in copies_by_tile.items():
        tiles_per_seat = [deals.tiles[seat, tile] for seat in range(deals.seats)]
        chi_square += _chi_square(_observed_and_expected(deals, tiles_per_seat, copies, undealt, tile_count))
    freedom = (len(copies_by_tile) - 1) * (deals.seats - (0 if undealt else 1))
    return _rounded_test(chi_square * (tile_count - 1) / tile_count, freedom)


def _observed_and_expected(
    deals: DealCounts, tiles_per_seat: Sequence[int], copies: int, undealt: int, tile_count: int
) -> list[tuple[int, float]]:
    """Return the observed and expected numbers of some tiles for each seat, and for the ``undealt`` tiles, if any.

    A deal has ``copies`` of these tiles among ``tile_count`` tiles.
    """
    places = [(number, deals.hand_size) for number in tiles_per_seat]
    if undealt:
        places.append((deals.deals * copies - sum(tiles_per_seat), undealt))
    return [(number, deals.deals * copies * size / tile_count) for number, size in places]


def doubles_per_seat(deals: DealCounts) -> list[int]:
    """Return the number of doubles dealt to each seat."""
    doubles = Counter[int]()
    for (seat, tile), count in deals.tiles.items():
        doubles[seat] += count * is_double(tile)
    return [doubles[seat] for seat in range(deals.seats)]


def chance_test_of_doubles(deals: DealCounts, copies_by_tile: Counter[tuple[int, ...]]) -> ChiSquareTest:
    """Compare the distribution of doubles over the seats and the tiles left with chance.

    All doubles are one kind and all other tiles the other, so the sum over both kinds is that over the doubles,
    divided by the share of the others.
    """
    tile_count = copies_by_tile.total()
    double_count = sum(copies for tile, copies in copies_by_tile.items() if is_double(tile))
    undealt = tile_count - deals.seats * deals.hand_size
    rows = _observed_and_expected(deals, doubles_per_seat(deals), double_count, undealt, tile_count)
    if min(expected for _, expected in rows) < MIN_EXPECTED_COUNT:
        return _rounded_test(0.0, freedom=0)
    chi_square = _chi_square(rows) * tile_count / (tile_count - double_count)
    return _rounded_test(chi_square * (tile_count - 1) / tile_count, len(rows) - 1)


def chance_test_of_one_hand(deals: DealCounts, copies_by_tile: Counter[tuple[int, ...]]) -> ChiSquareTest:
    """Compare the number of doubles in one hand, of any seat, with the hypergeometric distribution.

    The hands of one deal depend on each other a little; treating them as independent is only a good approximation.
    """
    tile_count = copies_by_tile.total()
    all_doubles = sum(copies for tile, copies in copies_by_tile.items() if is_double(tile))
    hands = deals.doubles.total()
    possible_hands = comb(tile_count, deals.hand_size)
    rows = []
    for number in range(min(all_doubles, deals.hand_size) + 1):
        ways = comb(all_doubles, number) * comb(tile_count - all_doubles, deals.hand_size - number)
        rows.append((deals.doubles[number], hands * ways / possible_hands))
    return _compare_rows(_merge_rare_rows(rows))


def chance_test_of_leads(deals: DealCounts) -> ChiSquareTest:
    """Compare the seats that led the first round with chance: the rules favour none."""
    expected = deals.first_lead_counts.total() / deals.seats
    if expected < MIN_EXPECTED_COUNT:
        return _rounded_test(0.0, freedom=0)
    return _compare_rows([(deals.first_lead_counts[seat], expected) for seat in range(deals.seats)])


def _merge_rare_rows(rows: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
    """Merge rows with their neighbours until the expected number of each is large enough."""
    merged: list[tuple[int, float]] = []
    for observed, expected in rows:
        if merged and merged[-1][1] < MIN_EXPECTED_COUNT:
            merged[-1] = (merged[-1][0] + observed, merged[-1][1] + expected)
        else:
            merged.append((observed, expected))
    if len(merged) > 1 and merged[-1][1] < MIN_EXPECTED_COUNT:
        observed, expected = merged.pop()
        merged[-1] = (merged[-1][0] + observed, merged[-1][1] + expected)
    return merged


def _compare_rows(rows: Sequence[tuple[int, float]]) -> ChiSquareTest:
    """Compare pairs of observed and expected numbers with chance."""
    return _rounded_test(_chi_square([row for row in rows if row[1]]), len(rows) - 1)


def _chi_square(rows: Iterable[tuple[int, float]]) -> float:
    return sum((observed - expected) ** 2 / expected for observed, expected in rows)


def _rounded_test(chi_square: float, freedom: int) -> ChiSquareTest:
    return ChiSquareTest(round(chi_square, 2), freedom, round(p_value(chi_square, freedom), 4) if freedom else 1.0)


def p_value(chi_square: float, freedom: int) -> float:
    """Return the p-value, the probability of a chi-square at least this large (upper incomplete gamma function)."""
    shape, x = freedom / 2, chi_square / 2
    if x <= 0:
        return 1.0
    scale = exp(shape * log(x) - x - lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        step = shape
        while term > total * CONVERGENCE:
            step += 1
            term *= x / step
            total += term
        return 1 - total * scale
    # Lentz's continued fraction.
    b = x + 1 - shape
    c, d = 1e300, 1 / b
    fraction, number, change = d, 0, 0.0
    while abs(change - 1) > CONVERGENCE:
        number += 1
        a = number * (shape - number)
        b += 2
        d = 1 / (a * d + b)
        c = b + a / c
        change = c * d
        fraction *= change
    return fraction * scale
