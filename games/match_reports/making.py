"""Working out a match report from a record. It takes seconds, and the same record always makes the same report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import process_time
from typing import Any

from games import bots
from games.engine.events import Event, RoundDealt, RoundEnded
from games.engine.evolve import evolve
from games.engine.replay import Decision, decisions, match_start
from games.engine.state import State
from games.match_reports.choices import judged, name_of
from games.match_reports.luck import round_report
from games.match_reports.report import Report


def made(events: Sequence[Event]) -> Report:
    """Return the report of a match that is over; ``events`` are its whole record.

    A round that did not end has choices, but no result. Raises ``BadRecord``, and ``NoPlayer`` where no bot plays it.
    """
    start = match_start(events)
    bots.player_of(start.variant)
    name = name_of(start)
    found = list(decisions(events))
    return Report(
        tuple(choice for decision in found if (choice := judged(decision, name))),
        tuple(round_report(dealt, ended, name) for dealt, ended in _rounds(found)),
        tuple(_curve(found)),
    )


def timed(events: Sequence[Event]) -> tuple[dict[str, Any], float]:
    """Return the data of the report, and the seconds of processor time that it took."""
    began = process_time()
    data = made(events).to_data()
    return data, process_time() - began


def _rounds(found: Sequence[Decision]) -> Iterator[tuple[State, RoundEnded]]:
    """Yield the state after each deal whose round ended, and the end."""
    dealt: State | None = None
    for decision in found:
        state = decision.state
        for event in decision.events:
            state = evolve(state, event)
            if isinstance(event, RoundDealt):
                dealt = state
            elif isinstance(event, RoundEnded) and dealt is not None:
                yield dealt, event


def _curve(found: Sequence[Decision]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the score of each side with the place of the event that made it so, from the first deal on."""
    shown: tuple[int, ...] = ()
    for decision in found:
        state = decision.state
        for seq, event in enumerate(decision.events, decision.seq):
            state = evolve(state, event)
            points = tuple(standing.points for standing in state.standing)
            if points != shown and (shown or state.round.number):
                yield seq, points
                shown = points
