"""Matches to review: played at random on the site, or brought in from the recorded ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from django.utils import timezone

from games.engine.events import Event, MatchEnded, MatchStarted
from games.engine.moves import Move
from games.engine.notation import import_match
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View
from games.match import record
from games.match.table import Table
from games.match_reports import computation, reports
from games.models import Match
from games.review import analysis, steps
from games.review.match_steps import Step
from games.services import play
from tests.games import tables

RECORDS = Path(__file__).parents[1] / "records"
SHORT_RECORD = RECORDS / "rytmino" / "three-out.json"  # one round, whose report takes a second
# One line of play and one lattice: enough where a page is the same for every game.
TWO_GAMES = ("kozel", "triominoes")


def recording_files(variant: str = "*") -> list[Path]:
    return sorted(RECORDS.glob(f"{variant}/*.json"))


def read_events(path: Path) -> tuple[Event, ...]:
    return import_match(json.loads(path.read_text()))


def import_recording(path: Path) -> Match:
    """Return a recorded match as one that was played here."""
    events = read_events(path)
    started = events[0]
    assert isinstance(started, MatchStarted)
    people = [tables.person(f"Person {seat}") for seat in range(started.seats)]
    match = tables.open_table(people, variant=started.variant)
    reason = next(event.reason for event in events if isinstance(event, MatchEnded))
    status = Match.Status.STOPPED if reason == "stopped" else Match.Status.FINISHED
    version = record.append(match.pk, 0, events, timezone.now())
    Match.objects.filter(pk=match.pk).update(status=status, version=version, options=dict(started.options))
    match.refresh_from_db()
    return match


def play_random_moves(variant: str, moves: int) -> Match:
    """Return a running match after so many random moves, the pauses skipped."""
    *_, match = play_to_move_counts(variant, [moves])
    return match


def play_to_move_counts(variant: str, counts: Iterable[int]) -> Iterator[Match]:
    """Yield a match each time these numbers of random moves have been made."""
    rules, chance = rules_for(variant), Random("look")
    people = [tables.person(f"Person {seat}") for seat in range(max(rules.seat_counts))]
    match = tables.running_table(people, variant=variant, clock="none")
    moves: list[Move] = []

    def choose(rules: Rules, state: State) -> Move:
        moves.append(chance.choice(rules.legal_moves(state)))
        return moves[-1]

    def has_made(number: int) -> Callable[[State], bool]:
        return lambda _state: len(moves) == number

    for number in counts:
        tables.play_until(match, has_made(number), choose)
        match.refresh_from_db()
        yield match


def stop_match(match: Match) -> Match:
    play.stop_match(match_id=match.pk)
    match.refresh_from_db()
    return match


def store_report(match: Match) -> Match:
    """Keep a report of what has been played, whether it is time or not."""
    reports.store_report(match.pk, *make_report(tuple(record.events(match.pk))))
    return match


@cache
def make_report(events: tuple[Event, ...]) -> tuple[dict[str, Any], float]:
    """Return the report of a match and how long it took: the same match is reported on for many tests."""
    return computation.make_report_timed(events)


def state_at(match_id: int, step: Step) -> State:
    """Return the position after a step."""
    return record.load_state(match_id, step.version)


def view_at(table: Table, step: Step, seat: int | None, *, open_hands: bool) -> View:
    """Return what a seat (None: everybody) saw after a step, or all hands."""
    return steps.view_of_seat(table, state_at(table.match_id, step), seat, open_hands=open_hands)


def choice_at(match_id: int, step: Step) -> View | None:
    """Return what the seat to move sees after a step if it has a choice that a bot can evaluate."""
    return analysis.view_to_analyse(state_at(match_id, step))


def request_analysis(match_id: int, step: Step, **client: Any) -> None:
    analysis.request_analysis(match_id, step, state_at(match_id, step), **client)
