"""Random matches of every variant for property tests."""

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

MAX_MOVES = 700  # nearly every match that ends by itself is shorter; where scores may sink, random play need not end


@dataclass(frozen=True)
class Match:
    """A random match: its rules and its events."""

    rules: Rules
    events: tuple[Event, ...]

    @property
    def started(self) -> MatchStarted:
        first = self.events[0]
        assert isinstance(first, MatchStarted)
        return first

    def steps(self) -> Iterator[tuple[State, Event, State]]:
        """Yield every event with the states before and after it."""
        state = start_state(self.started)
        for event in self.events[1:]:
            after = evolve(state, event)
            yield state, event, after
            state = after

    def running(self) -> list[State]:
        """Return the states in which a seat is to move."""
        return [after for _, _, after in self.steps() if after.round.to_move is not None]


def tiles_of(state: State) -> list[Tile]:
    """Return all tiles of a state in rising order."""
    played = [play.tile for play in state.round.plays]
    started = [placement[0] for text in state.round.start if (placement := state.round.layout.read(text))]
    return sorted([*sum(state.hands, ()), *state.boneyard, *state.aside, *started, *played])


def tables(rules: Rules) -> list[tuple[int, dict[str, str]]]:
    """Return every combination of a seat count and options."""
    placement = []
    for seats in rules.seat_counts:
        free = [
            option.choices if not option.seats or seats in option.seats else (option.default,)
            for option in rules.options
        ]
        names = [option.name for option in rules.options]
        placement += [(seats, dict(zip(names, chosen, strict=True))) for chosen in product(*free)]
    return placement


def last_choices(rules: Rules, seats: int) -> dict[str, str]:
    """Return the last choice of every option, the one that is seldom played, for a match of full length."""
    last = [options for count, options in tables(rules) if count == seats][-1]
    return {name: "full" if name == "length" else choice for name, choice in last.items()}


@st.composite
def matches(draw: st.DrawFn) -> Match:
    """Draw a random match of any variant. Some end by a timeout, early or after very many moves."""
    rules = draw(st.sampled_from(list(registry().values())))
    seats, options = draw(st.sampled_from(tables(rules)))
    seed = str(draw(st.integers(0, 10**6)))
    leave_after = draw(st.just(MAX_MOVES) | st.just(MAX_MOVES) | st.integers(0, 60))
    greedy = draw(st.booleans())
    return Match(rules, tuple(playout(rules, seats, options, seed, leave_after=leave_after, greedy=greedy)))
