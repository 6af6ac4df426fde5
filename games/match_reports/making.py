"""Makes a match report from a record. It takes seconds; the same record always gives the same report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import process_time
from typing import Any

from games import bots
from games.engine.events import Event, RoundDealt, RoundEnded
from games.engine.evolve import evolve
from games.engine.replay import Decision, decisions, match_start
from games.engine.state import State
from games.match_reports.choices import judge, seed_of
from games.match_reports.luck import round_report
from games.match_reports.report import Report


def make_report(events: Sequence[Event]) -> Report:
    """Return the report of a match that is over, from its whole record.

    A round that did not end has choices, but no result. Raises ``BadRecord``, and ``NoPlayer`` where no bot plays it.
    """
    start = match_start(events)
    bots.player_of(start.variant)
    seed = seed_of(start)
    steps = list(decisions(events))
    return Report(
        tuple(choice for decision in steps if (choice := judge(decision, seed))),
        tuple(round_report(dealt, ended, seed) for dealt, ended in _rounds(steps)),
        tuple(_curve(steps)),
    )


def make_timed(events: Sequence[Event]) -> tuple[dict[str, Any], float]:
    """Return the data of the report, and the seconds of processor time that it took."""
    start = process_time()
    data = make_report(events).to_data()
    return data, process_time() - start


def _rounds(steps: Sequence[Decision]) -> Iterator[tuple[State, RoundEnded]]:
    """Yield the state after each deal whose round ended, and the end."""
    dealt: State | None = None
    for decision in steps:
        state = decision.state
        for event in decision.events:
            state = evolve(state, event)
            if isinstance(event, RoundDealt):
                dealt = state
            elif isinstance(event, RoundEnded) and dealt is not None:
                yield dealt, event


def _curve(steps: Sequence[Decision]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the score of each side, from the first deal on, with the number of the event that changed it."""
    last: tuple[int, ...] = ()
    for decision in steps:
        state = decision.state
        for seq, event in enumerate(decision.events, decision.seq):
            state = evolve(state, event)
            points = tuple(standing.points for standing in state.standing)
            if points != last and (last or state.round.number):
                yield seq, points
                last = points
