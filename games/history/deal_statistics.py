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

FEWEST_EXPECTED = 5.0
"""Chi-square needs at least so many expected: rarer numbers are counted together, or nothing is judged."""
TOO_FEW = 0
"""The degrees of freedom of a comparison with too little to compare."""
EXACT = 1e-12


@dataclass(frozen=True, slots=True)
class Test:
    """A comparison with chance: chi-square, degrees of freedom, and the p-value."""

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
        self.found: dict[tuple[str, int, int], Deals] = {}

    def add(self, events: Sequence[Event]) -> None:
        """Count every deal of a record."""
        start = match_start(events)
        for event in events:
            if isinstance(event, RoundDealt | DealVoided):
                key = (start.variant, start.seats, len(event.hands[0]))
                deals = self.found.setdefault(key, Deals(*key))
                deals.add(event.hands)
                if isinstance(event, RoundDealt) and event.round == 1:
                    deals.leads[event.to_move] += 1

    def data(self) -> list[dict[str, Any]]:
        """Return a table for each variant, number of seats and size of hands."""
        return [self.found[key].data() for key in sorted(self.found)]


def counted(matches: Iterable[Sequence[Event]]) -> list[dict[str, Any]]:
    """Count every deal of some records, and return the tables."""
    counts = Counts()
    for events in matches:
        counts.add(events)
    return counts.data()


def tiles_test(deals: Deals, kinds: Counter[tuple[int, ...]]) -> Test:
    """Compare where each kind of tile went, to a seat or to none, with chance."""
    count = kinds.total()
    rest = count - deals.seats * deals.hand
    chi = 0.0
    for kind, copies in kinds.items():
        seen = [deals.tiles[seat, kind] for seat in range(deals.seats)]
        places = [(each, deals.hand) for each in seen]
        if rest:
            places.append((deals.deals * copies - sum(seen), rest))
        for each, size in places:
            expected = deals.deals * copies * size / count
            chi += (each - expected) ** 2 / expected
    freedom = (len(kinds) - 1) * (deals.seats - (0 if rest else 1))
    return judged(chi * (count - 1) / count, freedom)


def doubles_per_seat(deals: Deals) -> list[int]:
    """Return how many doubles each seat was dealt."""
    found = Counter[int]()
    for (seat, tile), count in deals.tiles.items():
        found[seat] += count * is_double(tile)
    return [found[seat] for seat in range(deals.seats)]


def doubles_test(deals: Deals, kinds: Counter[tuple[int, ...]]) -> Test:
    """Compare how many doubles went to each seat, and to none, with chance.

    All doubles are one kind and all other tiles the other, so the sum over both kinds is that over the doubles,
    divided by the share of the others.
    """
    count = kinds.total()
    doubles = sum(copies for kind, copies in kinds.items() if is_double(kind))
    rest = count - deals.seats * deals.hand
    seen = doubles_per_seat(deals)
    places = [(each, deals.hand) for each in seen]
    if rest:
        places.append((deals.deals * doubles - sum(seen), rest))
    rows = [(each, deals.deals * doubles * size / count) for each, size in places]
    if min(expected for _, expected in rows) < FEWEST_EXPECTED:
        return judged(0.0, TOO_FEW)
    chi = sum((each - expected) ** 2 / expected for each, expected in rows) * count / (count - doubles)
    return judged(chi * (count - 1) / count, len(rows) - 1)


def one_hand_test(deals: Deals, kinds: Counter[tuple[int, ...]]) -> Test:
    """Compare how many doubles lay in one hand, of whichever seat, with the hypergeometric distribution.

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
    return against(gathered(rows))


def leads_test(deals: Deals) -> Test:
    """Compare which seats led the first round with chance: the rules favour none."""
    expected = deals.leads.total() / deals.seats
    if expected < FEWEST_EXPECTED:
        return judged(0.0, TOO_FEW)
    return against([(deals.leads[seat], expected) for seat in range(deals.seats)])


def gathered(rows: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
    """Merge rows with their neighbours until each has enough expected."""
    found: list[tuple[int, float]] = []
    for seen, expected in rows:
        if found and found[-1][1] < FEWEST_EXPECTED:
            found[-1] = (found[-1][0] + seen, found[-1][1] + expected)
        else:
            found.append((seen, expected))
    if len(found) > 1 and found[-1][1] < FEWEST_EXPECTED:
        seen, expected = found.pop()
        found[-1] = (found[-1][0] + seen, found[-1][1] + expected)
    return found


def against(rows: Sequence[tuple[int, float]]) -> Test:
    """Compare (seen, expected) with chance."""
    return judged(sum((seen - expected) ** 2 / expected for seen, expected in rows if expected), len(rows) - 1)


def judged(chi_square: float, freedom: int) -> Test:
    return Test(round(chi_square, 2), freedom, round(tail(chi_square, freedom), 4) if freedom else 1.0)


def tail(chi_square: float, freedom: int) -> float:
    """Return the p-value: how often chi-square is at least this large (the upper incomplete gamma function)."""
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
