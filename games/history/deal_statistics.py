"""Statistics of the deals: tiles and doubles by seat, doubles in one hand, and first leads, compared with chance.

Void deals are counted too: without them the rest would look unfair. Every seat gets a fixed number of tiles, so the
sum of (seen - expected)² / expected over kinds of tiles and places is divided by N / (N - 1), for N tiles, before it
is compared with chi-square (Cochran, Mantel and Haenszel).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from math import comb, exp, lgamma, log
from typing import Any

from games.engine.events import DealVoided, Event, RoundDealt
from games.engine.replay import match_start
from games.engine.variants import rules_for

MIN_EXPECTED = 5.0  # chi-square needs this many; rarer numbers are merged, or nothing is compared
EXACT = 1e-12


@dataclass(frozen=True, slots=True)
class Test:
    """A comparison with chance: chi-square, degrees of freedom (0: too few to compare), and the p-value."""

    chi_square: float
    freedom: int
    probability: float


@dataclass(slots=True)
class Deals:
    """The counts of one variant with one number of seats and one size of hands."""

    variant: str
    seats: int
    hand: int
    deals: int = 0
    tiles: Counter[tuple[int, tuple[int, ...]]] = field(default_factory=Counter)
    doubles: Counter[int] = field(default_factory=Counter)
    leads: Counter[int] = field(default_factory=Counter)

    def add(self, hands: Sequence[Sequence[tuple[int, ...]]]) -> None:
        self.deals += 1
        for seat, tiles in enumerate(hands):
            self.tiles.update((seat, tile) for tile in tiles)
            self.doubles[sum(map(is_double, tiles))] += 1

    def data(self) -> dict[str, Any]:
        """Return the counts and the tests as JSON data."""
        kinds = Counter(rules_for(self.variant).tile_set)
        return {
            "variant": self.variant,
            "seats": self.seats,
            "hand": self.hand,
            "deals": self.deals,
            "doubles_per_seat": doubles_per_seat(self),
            "hands_by_doubles": [self.doubles[number] for number in range(max(self.doubles, default=0) + 1)],
            "leads_per_seat": [self.leads[seat] for seat in range(self.seats)],
            "tiles": asdict(tiles_test(self, kinds)),
            "doubles": asdict(doubles_test(self, kinds)),
            "one_hand": asdict(one_hand_test(self, kinds)),
            "leads": asdict(leads_test(self)),
        }


def is_double(tile: Sequence[int]) -> bool:
    """Return whether all parts of a tile are alike."""
    return len(set(tile)) == 1


class Counts:
    """The counts of the deals of some records."""

    def __init__(self) -> None:
        self.deals: dict[tuple[str, int, int], Deals] = {}

    def add(self, events: Sequence[Event]) -> None:
        """Count all deals of a record."""
        start = match_start(events)
        for event in events:
            if isinstance(event, RoundDealt | DealVoided):
                key = (start.variant, start.seats, len(event.hands[0]))
                deals = self.deals.setdefault(key, Deals(*key))
                deals.add(event.hands)
                if isinstance(event, RoundDealt) and event.round == 1:
                    deals.leads[event.to_move] += 1

    def data(self) -> list[dict[str, Any]]:
        """Return a table for each variant, number of seats and size of hands."""
        return [self.deals[key].data() for key in sorted(self.deals)]


def counted(matches: Iterable[Sequence[Event]]) -> list[dict[str, Any]]:
    """Count all deals of some records, and return the tables."""
    counts = Counts()
    for events in matches:
        counts.add(events)
    return counts.data()


def tiles_test(deals: Deals, kinds: Counter[tuple[int, ...]]) -> Test:
    """Compare the distribution of each kind of tile over the seats and the tiles left with chance."""
    count = kinds.total()
    rest = count - deals.seats * deals.hand
    chi = 0.0
    for kind, copies in kinds.items():
        seen = [deals.tiles[seat, kind] for seat in range(deals.seats)]
        chi += sum(
            (number - expected) ** 2 / expected for number, expected in _places(deals, seen, copies, rest, count)
        )
    freedom = (len(kinds) - 1) * (deals.seats - (0 if rest else 1))
    return _test(chi * (count - 1) / count, freedom)


def _places(deals: Deals, seen: Sequence[int], copies: int, rest: int, count: int) -> list[tuple[int, float]]:
    """Return how many of some tiles each seat got, and the ``rest`` that nobody did, with the numbers expected.

    A deal has ``copies`` of them among ``count`` tiles.
    """
    places = [(number, deals.hand) for number in seen]
    if rest:
        places.append((deals.deals * copies - sum(seen), rest))
    return [(number, deals.deals * copies * size / count) for number, size in places]


def doubles_per_seat(deals: Deals) -> list[int]:
    """Return the number of doubles dealt to each seat."""
    doubles = Counter[int]()
    for (seat, tile), count in deals.tiles.items():
        doubles[seat] += count * is_double(tile)
    return [doubles[seat] for seat in range(deals.seats)]


def doubles_test(deals: Deals, kinds: Counter[tuple[int, ...]]) -> Test:
    """Compare the distribution of doubles over the seats and the tiles left with chance.

    All doubles are one kind and all other tiles the other, so the sum over both kinds is that over the doubles,
    divided by the share of the others.
    """
    count = kinds.total()
    doubles = sum(copies for kind, copies in kinds.items() if is_double(kind))
    rest = count - deals.seats * deals.hand
    rows = _places(deals, doubles_per_seat(deals), doubles, rest, count)
    if min(expected for _, expected in rows) < MIN_EXPECTED:
        return _test(0.0, freedom=0)
    chi = sum((number - expected) ** 2 / expected for number, expected in rows) * count / (count - doubles)
    return _test(chi * (count - 1) / count, len(rows) - 1)


def one_hand_test(deals: Deals, kinds: Counter[tuple[int, ...]]) -> Test:
    """Compare the number of doubles in one hand, of any seat, with the hypergeometric distribution.

    The hands of one deal depend on each other a little; treating them as independent is only a good approximation.
    """
    count = kinds.total()
    all_doubles = sum(copies for kind, copies in kinds.items() if is_double(kind))
    hands = deals.doubles.total()
    ways = comb(count, deals.hand)
    rows = [
        (
            deals.doubles[number],
            hands * comb(all_doubles, number) * comb(count - all_doubles, deals.hand - number) / ways,
        )
        for number in range(min(all_doubles, deals.hand) + 1)
    ]
    return _compared(_merged(rows))


def leads_test(deals: Deals) -> Test:
    """Compare the seats that led the first round with chance: the rules favour none."""
    expected = deals.leads.total() / deals.seats
    if expected < MIN_EXPECTED:
        return _test(0.0, freedom=0)
    return _compared([(deals.leads[seat], expected) for seat in range(deals.seats)])


def _merged(rows: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
    """Merge rows with their neighbours until each has enough expected."""
    merged: list[tuple[int, float]] = []
    for seen, expected in rows:
        if merged and merged[-1][1] < MIN_EXPECTED:
            merged[-1] = (merged[-1][0] + seen, merged[-1][1] + expected)
        else:
            merged.append((seen, expected))
    if len(merged) > 1 and merged[-1][1] < MIN_EXPECTED:
        seen, expected = merged.pop()
        merged[-1] = (merged[-1][0] + seen, merged[-1][1] + expected)
    return merged


def _compared(rows: Sequence[tuple[int, float]]) -> Test:
    """Compare pairs of seen and expected numbers with chance."""
    return _test(sum((seen - expected) ** 2 / expected for seen, expected in rows if expected), len(rows) - 1)


def _test(chi_square: float, freedom: int) -> Test:
    return Test(round(chi_square, 2), freedom, round(tail(chi_square, freedom), 4) if freedom else 1.0)


def tail(chi_square: float, freedom: int) -> float:
    """Return the p-value, the probability of a chi-square at least this large (upper incomplete gamma function)."""
    shape, x = freedom / 2, chi_square / 2
    if x <= 0:
        return 1.0
    scale = exp(shape * log(x) - x - lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        step = shape
        while term > total * EXACT:
            step += 1
            term *= x / step
            total += term
        return 1 - total * scale
    # Lentz's continued fraction.
    b = x + 1 - shape
    c, d = 1e300, 1 / b
    fraction, number, change = d, 0, 0.0
    while abs(change - 1) > EXACT:
        number += 1
        a = number * (shape - number)
        b += 2
        d = 1 / (a * d + b)
        c = b + a / c
        change = c * d
        fraction *= change
    return fraction * scale
