"""The cost of a table, and who takes which seat.

Seats matter: they decide the order of play, and the tiles on a board. (No seat leads by itself: in every game tiles or
a committed lot choose the leader.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import combinations, permutations

from games.tournaments.core.lots import lot
from games.tournaments.core.standings import party_points
from games.tournaments.core.state import State, Table

APART = 10**10  # two parties that should not meet while there are others: more than all repeats
REPEAT = 10**6  # two parties that have met, each time
IMBALANCE = 40  # a seat taken once more than the party's rarest seat
Pair = tuple[str, str]
BOT = ""


def pair_of(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)


class Costs:
    """The costs of tables in one state. ``met`` counts former meetings, ``apart`` has the pairs to keep apart.

    The design of the numbers: no sum of the lower costs of a round reaches one of the higher.
    """

    def __init__(self, state: State, met: Mapping[Pair, int], apart: Iterable[Pair] = ()) -> None:
        self.sides = state.terms.sides
        self.met = met
        self.apart = {pair_of(*pair) for pair in apart}
        self.points = {party: round(points) for party, points in party_points(state).items()}
        self.points[BOT] = min(self.points.values(), default=0)
        self.seats = seat_counts(state)
        self.pair_costs: dict[tuple[str, str], int] = {}  # a search asks for the same pairs again and again

    @cached_property
    def surplus(self) -> dict[str, tuple[int, ...]]:
        """How much more often than its rarest seat each party has had each seat."""
        return {party: tuple(count - min(counts) for count in counts) for party, counts in self.seats.items()}

    def pairs_cost(self, parties: Sequence[str]) -> int:
        """Return the cost of all that meet at a table, without its seats."""
        costs = self.pair_costs
        return sum([costs[pair] if pair in costs else self.pair_cost(*pair) for pair in combinations(parties, 2)])

    def pair_cost(self, one: str, other: str) -> int:
        pair = pair_of(one, other)
        difference = self.points[one] - self.points[other]
        cost = APART * (pair in self.apart) + REPEAT * self.met.get(pair, 0) + difference * difference
        self.pair_costs[one, other] = cost
        return cost

    def seats_cost(self, parties: Sequence[str]) -> int:
        """Return the cost of the best seating."""
        return IMBALANCE * min(self.imbalance(parties, seats) for seats in self.seatings(parties))

    def table_cost(self, parties: Sequence[str]) -> int:
        return self.pairs_cost(parties) + self.seats_cost(parties)

    def seatings(self, parties: Sequence[str]) -> Iterable[tuple[int, ...]]:
        return permutations(range(self.sides), len(parties))

    def imbalance(self, parties: Sequence[str], seats: Sequence[int]) -> int:
        return sum(self.surplus[party][seat] for party, seat in zip(parties, seats, strict=True))

    def seat(self, parties: Sequence[str], seed: str) -> tuple[str, ...]:
        """Return the parties by seat, ``BOT`` in empty ones. A lot chooses among equal seatings."""
        people = [party for party in parties if party != BOT]
        least = min(self.imbalance(people, seats) for seats in self.seatings(people))
        seatings = [
            self.arranged(people, seats) for seats in self.seatings(people) if self.imbalance(people, seats) == least
        ]
        return min(seatings, key=lambda seating: lot(seed, "seats", *seating))

    def arranged(self, parties: Sequence[str], seats: Sequence[int]) -> tuple[str, ...]:
        by_seat = dict(zip(seats, parties, strict=True))
        return tuple(by_seat.get(seat, BOT) for seat in range(self.sides))


def seat_counts(state: State) -> dict[str, tuple[int, ...]]:
    """Return how often each party has had each seat. ``BOT`` has had none."""
    counts = {party: [0] * state.terms.sides for party in (*state.entries, BOT)}
    for table in state.tables:
        for seat, party in enumerate(table.parties):
            counts[party][seat] += party != BOT
    return {party: tuple(row) for party, row in counts.items()}


def all_meetings(state: State) -> Counter[Pair]:
    """Return how often each pair has met. Those who did not come have met nobody; ``BOT`` counts in duels."""
    return Counter(
        pair_of(one, other)
        for table in state.tables
        for one, other in combinations(meeting_parties(table, with_bots=state.terms.sides == 2), 2)
    )


def meeting_parties(table: Table, *, with_bots: bool) -> Collection[str]:
    missing = {result.party for result in table.results if not result.place}
    return [party for party in table.parties if party not in missing and (party != BOT or with_bots)]
