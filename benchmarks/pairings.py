"""Whether the pairings of random Swiss tournaments are as good as any, and their points add up.

``python -m benchmarks.pairings [--tournaments 1000] [--smallest 4] [--largest 40] [--seed 1]`` plays tournaments in
which parties come late, sit out, are absent and leave. Each round is compared with a reference that shares no code
with the pairing:

- duels with ``max_weight_matching`` of networkx on the whole graph, by cost and by repeats. networkx is not among the
  requirements: ``pip install networkx``.
- tables of three and four with all ways to seat up to 12 parties, by repeats. More parties have no exact reference:
  their rounds with repeats are searched again from random orders.

After each round the points must be 6 for each party that has played, 12 for one without opponents, and those for
rounds without a table. A failure ends the benchmark with exit code 1.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import combinations
from random import Random
from time import process_time
from typing import NamedTuple

from games.tournaments.core import commands
from games.tournaments.core.decide import may_enter
from games.tournaments.core.grouping import EXACT_PARTIES, Swaps, slices
from games.tournaments.core.seating import REPEAT, Costs, Pair, all_meetings, pair_of
from games.tournaments.core.shares import HALF_POINTS, WIN_POINTS
from games.tournaments.core.standings import party_points
from games.tournaments.core.state import State, Table
from games.tournaments.core.swiss import propose_round
from games.tournaments.core.terms import table_sizes
from tests.tournaments.fields import Field, names, swiss

RESTARTS = 20  # random orders of a round with repeats among many parties
ABSENCE, PAUSE, DEPARTURE, NO_SHOW, LATE_ENTRY = 0.04, 0.04, 0.02, 0.03, 0.2  # chances of a party, or in a round
PROGRESS_INTERVAL = 100  # tournaments

Reference = Callable[[int, Callable[[int, int], int]], int]  # the least cost of pairs, from their number and costs


class Round(NamedTuple):
    """A round and its reference. ``excess`` is the cost above the least of duels; 0 at larger tables."""

    sides: int
    parties: int
    excess: int
    repeats: int
    least_repeats: int

    @property
    def is_exact(self) -> bool:
        """Whether ``least_repeats`` is proved."""
        return self.sides == 2 or self.parties <= EXACT_PARTIES or not self.repeats


class RandomSwiss:
    """A tournament with random results and people who come and go."""

    def __init__(self, seed: str, smallest: int, largest: int) -> None:
        self.chance = Random(seed)
        self.seed = seed
        sides = self.chance.choice((2, 2, 3, 4))
        count = round(smallest * (largest / smallest) ** self.chance.random())
        self.field: Field = swiss(sides).start(*names(count))

    @property
    def state(self) -> State:
        return self.field.state

    def rounds(self, reference: Reference) -> Iterator[Round]:
        """Play all rounds, and compare each with the reference."""
        while self.state.stage == "running":
            if len(self.state.active) < 2:
                self.field.do(commands.End())
                return
            self.change_entries()
            before = self.state
            present = {entry.party for entry in before.active if self.chance.random() >= ABSENCE}
            proposal = propose_round(before, present, f"{self.seed} {before.round}")
            self.field.do(proposal)
            self.play()
            require_exact_points(self.state)
            if proposal.tables:
                yield compared_round(before, proposal.tables, reference, self.chance)

    def change_entries(self) -> None:
        for entry in self.state.active:
            if self.chance.random() < DEPARTURE:
                self.field.do(commands.Leave(entry.party))
            elif not entry.sits_out and self.chance.random() < PAUSE:
                self.field.do(commands.SitOut(entry.party))
        if self.chance.random() < LATE_ENTRY and may_enter(self.state, self.field.now):
            self.field.enter(f"late {self.state.round}")

    def play(self) -> None:
        """Play the tables of the round in any order."""
        tables = [table for table in self.state.current_tables if table.is_pending]
        for table in self.chance.sample(tables, len(tables)):
            self.field.do(commands.Begin(table.number, f"match {table.number}"))
            self.field.do(commands.Count(table.number, self.places(table)))

    def places(self, table: Table) -> Mapping[str, int]:
        came = [party for party in table.people if self.chance.random() >= NO_SHOW]
        return {party: self.chance.randint(1, len(table.parties)) for party in came}


def require_exact_points(state: State) -> None:
    """Raise ``AssertionError`` unless the points of all parties are those of the tables and awards."""
    played = sum(HALF_POINTS * len(table.came) if len(table.came) > 1 else WIN_POINTS * len(table.came)
                 for table in state.tables)  # fmt: skip
    awards = sum(award.points for entry in state.entries.values() for award in entry.awards)
    late = sum(entry.late_points for entry in state.entries.values())
    assert sum(party_points(state).values()) == played + awards + late


def compared_round(state: State, tables: Sequence[tuple[str, ...]], reference: Reference, chance: Random) -> Round:
    met = all_meetings(state)
    seated = [tuple(filter(None, table)) for table in tables]
    parties, repeats, excess = sum(map(len, seated)), repeats_of(seated, met), 0
    if state.terms.sides == 2:
        costs = Costs(state, met)
        excess = sum(map(costs.table_cost, tables)) - least_duels(tables, reference, costs.table_cost)
        least = least_duels(tables, reference, lambda pair: met[pair_of(*pair)])
    elif parties <= EXACT_PARTIES:
        least = least_repeats(sorted(party for table in seated for party in table), tuple(map(len, seated)), met)
    else:
        least = repeats and searched_repeats(state, seated, met, chance)
    return Round(state.terms.sides, parties, excess, repeats, least)


def repeats_of(tables: Sequence[Sequence[str]], met: Mapping[Pair, int]) -> int:
    return sum(met.get(pair_of(*pair), 0) for table in tables for pair in combinations(table, 2))


def least_duels(
    tables: Sequence[tuple[str, ...]], reference: Reference, cost: Callable[[tuple[str, str]], int]
) -> int:
    seats = sorted(party for table in tables for party in table)
    return reference(len(seats), lambda one, other: cost((seats[one], seats[other])))


def networkx_cost(count: int, cost: Callable[[int, int], int]) -> int:
    """Return the least cost of a perfect matching of the whole graph."""
    networkx = import_module("networkx")
    graph = networkx.Graph()
    graph.add_weighted_edges_from((one, other, -cost(one, other)) for one, other in combinations(range(count), 2))
    edges = networkx.max_weight_matching(graph, maxcardinality=True)
    assert len(edges) == count // 2
    return sum(cost(*sorted(edge)) for edge in edges)


def least_repeats(parties: Sequence[str], sizes: tuple[int, ...], met: Mapping[Pair, int]) -> int:
    """Return the repeats of the best of all ways to seat parties at tables of these sizes."""
    if not sizes:
        return 0
    best = None
    for size in set(sizes):
        rest_sizes = list(sizes)
        rest_sizes.remove(size)
        for tablemates in combinations(parties[1:], size - 1):
            own = repeats_of([(parties[0], *tablemates)], met)
            if best is not None and own >= best:
                continue
            rest = [party for party in parties[1:] if party not in tablemates]
            repeats = own + least_repeats(rest, tuple(rest_sizes), met)
            best = repeats if best is None else min(best, repeats)
            if not best:
                return 0
    assert best is not None
    return best


class RepeatCosts(Costs):
    """Costs of repeats alone."""

    def pair_cost(self, one: str, other: str) -> int:
        return REPEAT * self.met.get(pair_of(one, other), 0)

    def seats_cost(self, parties: Sequence[str]) -> int:
        return 0


def searched_repeats(state: State, tables: Sequence[Sequence[str]], met: Mapping[Pair, int], chance: Random) -> int:
    """Return the fewest repeats of searches from random orders."""
    parties = [party for table in tables for party in table]
    costs, least = RepeatCosts(state, met), repeats_of(tables, met)
    for _ in range(RESTARTS):
        chance.shuffle(parties)
        other = slices(parties, table_sizes(len(parties), state.terms.sides))
        Swaps(other, costs).run()
        least = min(least, repeats_of(other, met))
    return least


def report(rounds: Sequence[Round]) -> Iterator[str]:
    """Yield what was measured."""
    duels = [row for row in rounds if row.sides == 2]
    few = [row for row in rounds if row.sides > 2 and row.parties <= EXACT_PARTIES]
    many = [row for row in rounds if row.sides > 2 and row.parties > EXACT_PARTIES]
    yield f"duels: {summary(duels)}; {sum(row.excess != 0 for row in duels)} rounds cost more than the least"
    yield f"tables of 3 and 4, up to {EXACT_PARTIES} parties: {summary(few)}"
    yield f"tables of 3 and 4, more parties: {summary(many)}; the least is that of {RESTARTS} other searches"


def summary(rounds: Sequence[Round]) -> str:
    repeats, least = sum(row.repeats for row in rounds), sum(row.least_repeats for row in rounds)
    worse = sum(row.repeats > row.least_repeats for row in rounds)
    return f"{len(rounds)} rounds, {repeats} repeats, at least {least}; {worse} rounds with avoidable repeats"


def is_failure(row: Round) -> bool:
    return row.excess != 0 or (row.is_exact and row.repeats > row.least_repeats)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tournaments", type=int, default=1000)
    parser.add_argument("--smallest", type=int, default=4)
    parser.add_argument("--largest", type=int, default=40)
    parser.add_argument("--seed", default="1")
    arguments = parser.parse_args()
    rounds: list[Round] = []
    for number in range(1, arguments.tournaments + 1):
        tournament = RandomSwiss(f"{arguments.seed} {number}", arguments.smallest, arguments.largest)
        rounds += tournament.rounds(networkx_cost)
        if number % PROGRESS_INTERVAL == 0 or number == arguments.tournaments:
            print(f"{number} tournaments, {process_time():.0f} s of CPU, all sums exact", flush=True)
            print(*report(rounds), sep="\n", flush=True)
    if any(map(is_failure, rounds)):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
