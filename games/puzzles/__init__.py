"""Puzzles of the day and beyond, and retries of mistakes from one's own matches.

Both are presented as lesson tasks, and the engine judges the attempts. ``search`` finds puzzles, ``judging`` confirms
their solutions, ``daily`` assigns them to days, and ``pool`` picks others.
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
from games.engine.replay import start_event
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View, view_for

FIRST_PUZZLES_FILE = Path(__file__).parent / "first.json"
SOLVER_SEAT = 0  # the seat from which puzzles are solved, as in lessons


@dataclass(frozen=True, slots=True)
class EvaluatedMove:
    """A legal move in notation, and its mean points up to the end of the round over the guessed hands.

    ``error`` is the standard error of the difference from the best move.
    """

    move: str
    value: float
    error: float


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which ``SOLVER_SEAT`` has a choice: the events that led to it, and the legal moves, best first.

    ``margin`` is the difference in points between the two best moves, ``error`` its standard error, and ``samples``
    the number of possible positions in which the best move was tried. The others were tried in fewer.
    """

    events: tuple[Event, ...]
    moves: tuple[EvaluatedMove, ...]
    margin: float
    error: float
    samples: int

    @property
    def position(self) -> State:
        """The state with all hands, which never leaves the server."""
        return fold(self.events)

    @property
    def view(self) -> View:
        """The position as ``SOLVER_SEAT`` sees it."""
        return view_for(rules_for(self.variant), self.position, SOLVER_SEAT)

    @property
    def variant(self) -> str:
        return start_event(self.events).variant


def puzzle_to_data(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle as JSON data, without the name of its match."""
    data = {
        "events": [event_to_data(_without_match(event)) for event in puzzle.events],
        "moves": [[evaluated.move, evaluated.value, evaluated.error] for evaluated in puzzle.moves],
        "margin": puzzle.margin,
        "error": puzzle.error,
        "samples": puzzle.samples,
    }
    loaded: dict[str, Any] = json.loads(json.dumps(data))  # equal to what the database returns
    return loaded


def puzzle_from_data(data: Mapping[str, Any]) -> Puzzle:
    """Return the puzzle. Raises ``BadRecord``, ``KeyError``, ``TypeError`` for other data."""
    events: Sequence[tuple[str, Mapping[str, Any]]] = data["events"]
    return Puzzle(
        events=tuple(event_from_data(kind, fields) for kind, fields in events),
        moves=tuple(EvaluatedMove(*row) for row in data["moves"]),
        margin=data["margin"],
        error=data["error"],
        samples=data["samples"],
    )


def first_puzzles(variant: str) -> list[Puzzle]:
    """Return the puzzles of a new site, from rounds played by bots."""
    return [puzzle_from_data(data) for data in json.loads(FIRST_PUZZLES_FILE.read_text()).get(variant, [])]


def _without_match(event: Event) -> Event:
    if not isinstance(event, MatchStarted):
        return event
    return replace(event, match="", commitment="", nonces=(), nonce_commitments=())
