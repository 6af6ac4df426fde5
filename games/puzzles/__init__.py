"""Puzzles of the day, and the mistakes of one's own matches to try again.

A puzzle is a task of the lessons: the engine judges what is tried. ``finding`` finds puzzles, ``daily`` says which one
is of today.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from games.engine.events import Event, MatchStarted
from games.engine.evolve import fold
from games.engine.notation import event_from_data, event_to_data
from games.engine.replay import match_start
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View, view_for

FIRST = Path(__file__).parent / "first.json"
SOLVER = 0
"""The seat of whoever solves it: everybody looks at a puzzle from there, as at a lesson."""


@dataclass(frozen=True, slots=True)
class Valued:
    """A legal move in notation, and what it is worth in points: the mean over the bot's guesses, and its error."""

    move: str
    value: float
    error: float


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position before a choice of ``SOLVER``, as the events that led to it, and its legal moves, the best one first.

    ``margin`` is by how many points the best move beats the second, ``error`` the standard error of that, ``samples``
    in how many possible positions each move was tried.
    """

    events: tuple[Event, ...]
    moves: tuple[Valued, ...]
    margin: float
    error: float
    samples: int

    @property
    def position(self) -> State:
        """The state, with all hands: it never leaves the server."""
        return fold(self.events)

    @property
    def view(self) -> View:
        """What ``SOLVER`` sees of it."""
        return view_for(rules_for(self.variant), self.position, SOLVER)

    @property
    def variant(self) -> str:
        return match_start(self.events).variant


def to_data(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle as JSON data. The match from which it comes is not named."""
    data = {
        "events": [event_to_data(_nameless(event)) for event in puzzle.events],
        "moves": [[each.move, each.value, each.error] for each in puzzle.moves],
        "margin": puzzle.margin,
        "error": puzzle.error,
        "samples": puzzle.samples,
    }
    written: dict[str, Any] = json.loads(json.dumps(data))  # as it comes back from the database
    return written


def from_data(data: Mapping[str, Any]) -> Puzzle:
    """Return the puzzle. Raises ``BadRecord``, ``KeyError``, ``TypeError`` for other data."""
    events: Sequence[tuple[str, Mapping[str, Any]]] = data["events"]
    return Puzzle(
        events=tuple(event_from_data(kind, fields) for kind, fields in events),
        moves=tuple(Valued(*each) for each in data["moves"]),
        margin=data["margin"],
        error=data["error"],
        samples=data["samples"],
    )


def first(variant: str) -> list[Puzzle]:
    """Return the puzzles with which a new site begins: of rounds that bots have played."""
    return [from_data(data) for data in json.loads(FIRST.read_text()).get(variant, [])]


def _nameless(event: Event) -> Event:
    if not isinstance(event, MatchStarted):
        return event
    return replace(event, match="", commitment="", nonces=(), nonce_commitments=())
