"""Tournaments that play themselves, for tests."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from games.tournaments.core import commands
from games.tournaments.core.decide import decide, new_tournament
from games.tournaments.core.events import Event
from games.tournaments.core.evolve import evolve, fold
from games.tournaments.core.state import State, Table
from games.tournaments.core.swiss import propose_round
from games.tournaments.core.terms import MINUTE, Terms

Outcome = Callable[[Table], Mapping[str, int]]  # the places of those who played


class Field:
    """A tournament with its events. Commands move its clock by a second."""

    def __init__(self, terms: Terms) -> None:
        self.events: list[Event] = [new_tournament(terms, 0)]
        self.state = fold(self.events)
        self.now = terms.starts_at

    def do(self, command: commands.Command) -> tuple[Event, ...]:
        self.now += 1000
        events = decide(self.state, command, self.now)
        for event in events:
            self.state = evolve(self.state, event)
        self.events += events
        return events

    def enter(self, *parties: str) -> None:
        for party in parties:
            self.do(commands.Enter(party, tuple(f"{party}{person}" for person in range(self.state.terms.people))))

    def start(self, *parties: str) -> Field:
        self.enter(*parties)
        self.do(commands.Start(frozenset(parties)))
        return self

    @property
    def names(self) -> frozenset[str]:
        return frozenset(entry.party for entry in self.state.active)

    def pair(
        self, absent: Sequence[str] = (), seed: str = "", apart: Sequence[tuple[str, str]] = ()
    ) -> Sequence[Table]:
        self.do(propose_round(self.state, self.names - set(absent), seed or f"seed {self.state.round}", apart))
        return self.state.current_tables

    def play(self, outcome: Outcome) -> None:
        for table in self.state.current_tables:
            self.do(commands.Begin(table.number, f"match {table.number}"))
            self.do(commands.Count(table.number, outcome(table)))

    def play_rounds(self, outcome: Outcome) -> State:
        while self.state.stage == "running":
            self.pair()
            self.play(outcome)
        return self.state


def swiss(sides: int = 2, rounds: int = 0, people: int = 1) -> Field:
    return Field(Terms("swiss", sides, starts_at=MINUTE, usual_minutes=5, people=people, rounds=rounds))


def names(count: int) -> list[str]:
    return [f"p{number:03}" for number in range(count)]


def in_order(table: Table) -> dict[str, int]:
    """The party with the lowest name wins, and so on."""
    return {party: place for place, party in enumerate(sorted(table.people), 1)}


def by_lot(seed: int) -> Outcome:
    numbers = random.Random(seed)
    return lambda table: {party: numbers.randint(1, 4) for party in table.people}
