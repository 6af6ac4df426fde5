"""Computes a match report from a record. It takes seconds; the same record always gives the same report."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from time import process_time
from typing import Any

from games import bots
from games.engine.events import Event, RoundDealt, RoundEnded
from games.engine.evolve import evolve
from games.engine.replay import Decision, decisions, start_event
from games.engine.state import State
from games.engine.transcript import read
from games.match_reports.chances import chance_curve
from games.match_reports.choices import evaluate_choices, report_seed
from games.match_reports.luck import round_report
from games.match_reports.report import Choice, Report


def make_report(events: Sequence[Event]) -> Report:
    """Return the report of a match that is over, from its whole record.

    A round that did not end has choices, but no result. Raises ``BadRecord``, and ``NoBotForVariant`` if no
    bot plays the game.
    """
    start = start_event(events)
    bots.bot_for_variant(start.variant)
    seed = report_seed(start)
    all_decisions = list(decisions(events))
    choices = evaluate_choices(all_decisions, seed)
    rounds = {decision.seq: decision.state.round.number for decision in all_decisions}
    return Report(
        tuple(choices),
        tuple(
            round_report(state, end, _lost_by_side([c for c in choices if rounds[c.seq] == end.round], state), seed)
            for state, end in _finished_rounds(all_decisions)
        ),
        tuple(_score_curve(all_decisions)),
        tuple(chance_curve(all_decisions, seed)),
    )


def make_report_timed(events: Sequence[Event]) -> tuple[dict[str, Any], float]:
    """Return the data of the report, and the seconds of processor time that it took."""
    start = process_time()
    data = make_report(events).to_data()
    return data, process_time() - start


def make_report_of_upload(packed: bytes) -> dict[str, Any]:
    """Return the data of the report of a compressed transcript."""
    return make_report([entry.event for entry in read(zlib.decompress(packed).decode())]).to_data()


def _lost_by_side(choices: Iterable[Choice], state: State) -> list[float]:
    """Return the points that choices cost each side."""
    lost = [0.0] * len(state.standing)
    for choice in choices:
        lost[state.setup.sides[choice.seat]] += choice.loss
    return lost


def _finished_rounds(all_decisions: Sequence[Decision]) -> Iterator[tuple[State, RoundEnded]]:
    """Yield the state after each deal whose round ended, and the end."""
    deal_state: State | None = None
    for decision in all_decisions:
        state = decision.state
        for event in decision.events:
            state = evolve(state, event)
            if isinstance(event, RoundDealt):
                deal_state = state
            elif isinstance(event, RoundEnded) and deal_state is not None:
                yield deal_state, event


def _score_curve(all_decisions: Sequence[Decision]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the score of each side, from the first deal on, with the number of the event that changed it."""
    last: tuple[int, ...] = ()
    for decision in all_decisions:
        state = decision.state
        for seq, event in enumerate(decision.events, decision.seq):
            state = evolve(state, event)
            points = tuple(standing.points for standing in state.standing)
            if points != last and (last or state.round.number):
                yield seq, points
                last = points
