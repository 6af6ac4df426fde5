"""Ranks depend on results alone: not on the order of play, of entries or of seats, nor on names. Equals share one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from games.tournaments.core import commands
from games.tournaments.core.evolve import fold
from games.tournaments.core.standings import Line, standings
from games.tournaments.core.state import State, Table
from games.tournaments.core.terms import Terms
from tests.tournaments.fields import Field, names

PARTIES = 14
ROUNDS = 4
LEVELS = 5
FIELDS = [
    pytest.param(Terms("swiss", 2, 1000, 5, rounds=ROUNDS), id="swiss-2"),
    pytest.param(Terms("swiss", 3, 1000, 5, rounds=ROUNDS), id="swiss-3"),
    pytest.param(Terms("swiss", 4, 1000, 5, rounds=ROUNDS), id="swiss-4"),
    pytest.param(Terms("duplicate", 2, 1000, 5, rounds=ROUNDS), id="duplicate-2"),
    pytest.param(Terms("duplicate", 4, 1000, 5, rounds=ROUNDS), id="duplicate-4"),
    pytest.param(Terms("arena", 4, 1000, 5, minutes=30), id="arena-4"),
]


class OrderedField(Field):
    """A tournament whose results follow from who plays, and whose tables end in the order of a lot."""

    def __init__(self, terms: Terms, order: int) -> None:
        super().__init__(terms)
        self.order = Random(order)
        self.start(*names(PARTIES))
        for number in range(ROUNDS):
            self.seat(number)
            self.play_tables(number)

    def seat(self, number: int) -> None:
        """Pair a round; in an arena by a lot among those who play."""
        if not self.state.is_arena:
            self.pair(absent=names(PARTIES)[number : number + 1])
            return
        parties = names(PARTIES)
        Random(number).shuffle(parties)
        starts = range(0, PARTIES - self.state.terms.sides, self.state.terms.sides)
        tables = tuple(tuple(parties[start : start + self.state.terms.sides]) for start in starts)
        self.do(commands.Pair(0, tables, (), "seed"))

    def play_tables(self, number: int) -> None:
        tables = list(self.state.current_tables)
        for table in self.order.sample(tables, len(tables)):
            self.do(commands.Begin(table.number, f"match {table.number}"))
        for table in self.order.sample(tables, len(tables)):
            self.do(result_of(table))
        if self.state.is_duplicate:
            chance = Random(number)
            levels = [[6 * chance.randint(-9, 9) for _ in range(LEVELS)] for _ in range(self.state.terms.sides)]
            self.do(commands.CloseBoard(levels))


def result_of(table: Table) -> commands.Count:
    """Return a result with ties, and sometimes without a party."""
    chance = Random(f"{table.round} {sorted(table.people)}")
    came = [party for party in table.people if chance.random() > 0.05]
    places = {party: chance.randint(1, 3) for party in came}
    return commands.Count(table.number, places, {party: 6 * chance.randint(-2, 2) for party in came})


def lines(state: State) -> dict[str, Line]:
    return {line.party: line for line in standings(state)}


@pytest.mark.parametrize("terms", FIELDS)
def test_order_in_which_tables_end_changes_no_pairing_and_no_rank(terms: Terms) -> None:
    fields = [OrderedField(terms, order) for order in range(4)]
    assert len({tuple(field.events) for field in fields}) == len(fields)
    assert len({tuple(table.parties for table in field.state.tables) for field in fields}) == 1
    assert len({standings(field.state) for field in fields}) == 1


def rearranged(state: State, chance: Random) -> State:
    """Return a state with entries, tables, seats and results in other orders."""
    entries, tables = list(state.entries.items()), list(state.tables)
    chance.shuffle(entries)
    chance.shuffle(tables)
    return replace(
        state,
        entries=dict(entries),
        tables=tuple(
            replace(
                table,
                parties=tuple(chance.sample(table.parties, len(table.parties))),
                results=tuple(chance.sample(table.results, len(table.results))),
            )
            for table in tables
        ),
        boards=tuple(tuple(chance.sample(results, len(results))) for results in state.boards),
    )


def renamed(state: State, rename: Callable[[str], str]) -> State:
    """Return a state in which all parties have other names."""

    def with_name(row: Any) -> Any:
        return replace(row, party=rename(row.party))

    return replace(
        state,
        entries={rename(party): with_name(entry) for party, entry in state.entries.items()},
        tables=tuple(
            replace(table, parties=tuple(map(rename, table.parties)), results=tuple(map(with_name, table.results)))
            for table in state.tables
        ),
        boards=tuple(tuple(map(with_name, results)) for results in state.boards),
    )


@pytest.mark.parametrize("terms", FIELDS)
def test_order_of_entries_tables_and_seats_changes_no_line(terms: Terms) -> None:
    state = OrderedField(terms, 1).state
    for number in range(5):
        assert lines(rearranged(state, Random(number))) == lines(state)


@pytest.mark.parametrize("terms", FIELDS)
def test_names_decide_nothing(terms: Terms) -> None:
    events = OrderedField(terms, 1).events
    opposite = dict(zip(names(PARTIES), names(PARTIES)[::-1], strict=True)) | {"": ""}
    for end in range(PARTIES + 1, len(events) + 1, 3):  # early states have more equal lines
        state = fold(events[:end])
        ranks = {party: line.rank for party, line in lines(state).items()}
        other = lines(renamed(state, opposite.__getitem__))
        assert {opposite[party]: line.rank for party, line in other.items()} == ranks


def merit_of(line: Line, *, is_arena: bool) -> tuple[object, ...]:
    if is_arena:
        return line.points, line.mean
    return line.points, line.opponents_beaten, line.opponents_mean, line.raw


@pytest.mark.parametrize("terms", FIELDS)
def test_rank_counts_the_better_lines(terms: Terms) -> None:
    events = OrderedField(terms, 1).events
    for end in range(PARTIES + 1, len(events) + 1):
        state = fold(events[:end])
        rows = standings(state)
        merits: list[Any] = [merit_of(row, is_arena=state.is_arena) for row in rows]
        assert [row.rank for row in rows] == [1 + sum(other > own for other in merits) for own in merits]


@pytest.mark.parametrize("terms", FIELDS)
def test_parties_with_equal_results_share_a_rank(terms: Terms) -> None:
    field = Field(terms).start(*names(12))
    tables = [tuple(names(12)[start : start + terms.sides]) for start in range(0, 12, terms.sides)]
    round_number = 0 if field.state.is_arena else 1
    field.do(commands.Pair(round_number, tuple(tables), (), "seed"))
    field.play(lambda table: dict.fromkeys(table.people, 1))
    if field.state.is_duplicate:
        field.do(commands.CloseBoard([[0] * LEVELS] * terms.sides))
    assert all((line.rank, line.points) == (1, Fraction(6)) for line in standings(field.state))
    assert len(standings(field.state)) == 12
