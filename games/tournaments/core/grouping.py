"""Group parties into tables of two to four at a low total cost: exact for few parties, by swaps for many."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

from games.tournaments.core.seating import REPEAT, Costs

EXACT_PARTIES = 12  # 5775 ways to seat twelve at tables of four
NEIGHBOR_TABLES = 3  # with which members are swapped
MAX_PASSES = 20
Group = tuple[str, ...]


def cheapest_tables(parties: Sequence[str], sizes: Sequence[int], costs: Costs) -> list[Group]:
    """Return tables of these sizes, the larger first. ``parties`` are in the order of the standing.

    Up to ``EXACT_PARTIES`` parties no other tables cost less.
    """
    if len(parties) <= EXACT_PARTIES:
        return exact_tables(parties, sizes, costs)
    tables = slices(parties, sizes)
    Swaps(tables, costs).run()
    return tables


def slices(parties: Sequence[str], sizes: Sequence[int]) -> list[Group]:
    starts = [sum(sizes[:index]) for index in range(len(sizes))]
    return [tuple(parties[start : start + size]) for start, size in zip(starts, sizes, strict=True)]


def exact_tables(parties: Sequence[str], sizes: Sequence[int], costs: Costs) -> list[Group]:
    """Seat the first party at every table that is possible, then the rest at the least cost."""
    table_cost = cache(costs.table_cost)

    @cache
    def best(rest: Group, sizes: tuple[int, ...]) -> tuple[int, tuple[Group, ...]]:
        if not rest:
            return 0, ()
        options = []
        for size in sorted(set(sizes), reverse=True):
            index = sizes.index(size)
            for tablemates in combinations(rest[1:], size - 1):
                table = (rest[0], *tablemates)
                remaining = tuple(party for party in rest if party not in table)
                cost, tables = best(remaining, sizes[:index] + sizes[index + 1 :])
                options.append((cost + table_cost(table), (table, *tables)))
        return min(options, key=lambda option: option[0])

    return sorted(best(tuple(parties), tuple(sizes))[1], key=len, reverse=True)


class Swaps:
    """Swaps members of tables while that lowers the cost: with near tables, and to avoid a repeat with all."""

    def __init__(self, tables: list[Group], costs: Costs) -> None:
        self.tables = tables
        self.costs = costs
        self.table_cost = cache(costs.table_cost)

    def run(self) -> None:
        for _ in range(MAX_PASSES):
            changes = [self.improve(one, other) for one in range(len(self.tables)) for other in self.partners(one)]
            if not any(changes):
                return

    def partners(self, table: int) -> range | list[int]:
        if self.table_cost(self.tables[table]) >= REPEAT:
            return [other for other in range(len(self.tables)) if other != table]
        return range(table + 1, min(table + 1 + NEIGHBOR_TABLES, len(self.tables)))

    def improve(self, one: int, other: int) -> bool:
        """Make the swaps of two tables that lower their cost. Return True if there were any."""
        has_changed = False
        for place in range(len(self.tables[one])):
            for place_there in range(len(self.tables[other])):
                has_changed |= self.swap(one, place, other, place_there)
        return has_changed

    def swap(self, one: int, place: int, other: int, place_there: int) -> bool:
        before, before_there = self.tables[one], self.tables[other]
        after = (*before[:place], before_there[place_there], *before[place + 1 :])
        after_there = (*before_there[:place_there], before[place], *before_there[place_there + 1 :])
        limit = self.table_cost(before) + self.table_cost(before_there)
        # Seats take most of the time, and most swaps cost too much without them.
        if self.costs.pairs_cost(after) + self.costs.pairs_cost(after_there) >= limit:
            return False
        if self.table_cost(after) + self.table_cost(after_there) >= limit:
            return False
        self.tables[one], self.tables[other] = after, after_there
        return True
