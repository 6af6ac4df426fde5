"""The pairing of an arena: parties that wait play again soon, preferably those with as many points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from games.tournaments.core import commands
from games.tournaments.core.grouping import cheapest_tables
from games.tournaments.core.lots import lot
from games.tournaments.core.seating import Costs, Pair, pair_of
from games.tournaments.core.state import State

CROWD_TABLES = 2  # this many full tables do not wait
SHORT_WAIT = 15_000  # milliseconds; then one full table is
RESULT_TIME = 8_000  # milliseconds after a table in which its parties see the result
LONG_WAIT = 20_000  # then bots fill seats, and the same parties may meet again


def propose_tables(
    state: State, waiting: Mapping[str, int], seed: str, now: int, apart: Iterable[Pair] = ()
) -> commands.Pair | None:
    """Pair those who wait, if it is time to. ``waiting`` is since when each party waits.

    ``apart`` are pairs that meet only after ``LONG_WAIT``. Full tables go to those who wait longest.
    """
    ready = (state.free_parties & waiting.keys()) - resting_parties(state, now)
    queue = sorted(ready, key=lambda party: (waiting[party], lot(seed, party)))
    if not queue or now > state.terms.last_begin:
        return None
    longest = now - waiting[queue[0]]
    sides = state.terms.sides
    if len(queue) < CROWD_TABLES * sides and longest < SHORT_WAIT:
        return None
    last = last_tables(state)
    costs = Costs(state, last_meetings(last), apart)
    groups = waiting_groups(queue, sides, costs, seed)
    rest = queue[len(queue) // sides * sides :]
    if len(rest) > 1 and now - waiting[rest[0]] >= LONG_WAIT:
        groups.append(tuple(rest))
    waits = {group: now - min(map(waiting.__getitem__, group)) for group in groups}
    tables = [group for group, wait in waits.items() if may_sit(group, last, costs.apart, wait)]
    return commands.Pair(0, tuple(costs.seat(table, seed) for table in tables), (), seed) if tables else None


def resting_parties(state: State, now: int) -> set[str]:
    """Return the parties that still see the result of their table."""
    ended = (table for table in state.tables if table.over_at and now < table.over_at + RESULT_TIME)
    return {party for table in ended for party in table.people}


def waiting_groups(queue: Sequence[str], sides: int, costs: Costs, seed: str) -> list[tuple[str, ...]]:
    """Return full tables of those who wait longest."""
    count = len(queue) // sides
    parties = sorted(queue[: count * sides], key=lambda party: (-costs.points[party], lot(seed, party)))
    return cheapest_tables(parties, (sides,) * count, costs) if count else []


def may_sit(group: Sequence[str], last: Mapping[str, tuple[str, ...]], apart: set[Pair], wait: int) -> bool:
    """Return True unless a short wait may bring a better table."""
    if wait >= LONG_WAIT:
        return True
    if any(pair_of(one, other) in apart for one, other in combinations(group, 2)):
        return False
    return any(sorted(last.get(party, ())) != sorted(group) for party in group)


def last_tables(state: State) -> dict[str, tuple[str, ...]]:
    """Return the people of the last table of each party."""
    return {party: table.people for table in state.tables for party in table.people}


def last_meetings(last: Mapping[str, tuple[str, ...]]) -> dict[Pair, int]:
    return {pair_of(party, other): 1 for party, people in last.items() for other in people if other != party}
