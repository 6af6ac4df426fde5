"""Random matches for property tests, the same for every variant there is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from hypothesis import strategies as st

from games.engine.events import Event, MatchStarted
from games.engine.evolve import evolve, start_state
from games.engine.playout import playout
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import Tile
from games.engine.variants import registry

MOST_MOVES = 700
"""More than nearly every match has that ends by itself; where scores may sink, random play need not end."""


@dataclass(frozen=True)
class Match:
    """A random match: its rules and its events."""

    rules: Rules
    events: tuple[Event, ...]

    @property
    def started(self) -> MatchStarted:
        """How it began."""
        first = self.events[0]
        assert isinstance(first, MatchStarted)
        return first

    def steps(self) -> Iterator[tuple[State, Event, State]]:
        """Yield each event with the states before and after it."""
        state = start_state(self.started)
        for event in self.events[1:]:
            after = evolve(state, event)
            yield state, event, after
            state = after

    def running(self) -> list[State]:
        """Return every state in which a seat is to move."""
        return [after for _, _, after in self.steps() if after.round.to_move is not None]


def tiles_of(state: State) -> list[Tile]:
    """Return every tile there is, wherever it lies, in rising order."""
    played = [play.tile for play in state.round.plays]
    started = [found[0] for text in state.round.start if (found := state.round.layout.read(text))]
    return sorted([*sum(state.hands, ()), *state.boneyard, *state.aside, *started, *played])


def tables(rules: Rules) -> list[tuple[int, dict[str, str]]]:
    """Return every number of seats of a variant with every choice of its options."""
    found = []
    for seats in rules.seat_counts:
        free = [
            option.choices if not option.seats or seats in option.seats else (option.default,)
            for option in rules.options
        ]
        names = [option.name for option in rules.options]
        found += [(seats, dict(zip(names, chosen, strict=True))) for chosen in product(*free)]
    return found


def last_choices(rules: Rules, seats: int) -> dict[str, str]:
    """Return the last choice of every option that a table of so many seats has: the rules that are seldom played.

    The match is a full one, for what is tested may come later than a quick one ends.
    """
    last = [options for count, options in tables(rules) if count == seats][-1]
    return {name: "full" if name == "length" else choice for name, choice in last.items()}


@st.composite
def matches(draw: st.DrawFn) -> Match:
    """Draw a random match of any variant; some are broken off by a timeout, early or when they go on and on."""
    rules = draw(st.sampled_from(list(registry().values())))
    seats, options = draw(st.sampled_from(tables(rules)))
    seed = str(draw(st.integers(0, 10**6)))
    leave_after = draw(st.just(MOST_MOVES) | st.just(MOST_MOVES) | st.integers(0, 60))
    greedy = draw(st.booleans())
    return Match(rules, tuple(playout(rules, seats, options, seed, leave_after=leave_after, greedy=greedy)))
