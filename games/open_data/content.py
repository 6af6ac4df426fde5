"""Write a match for the files: a line of JSON, a transcript, and a row of the table for each choice.

A worker process does it, and decides every deal and move again: only what today's rules reproduce gets into the files.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import StringIO
from typing import Any, NamedTuple

from games.engine.events import DealEvent, Event, KeyRevealed, MatchEnded, MatchStarted, SecretRevealed
from games.engine.keyless import keyless_differences
from games.engine.notation import BadRecord, export_match, write_json
from games.engine.replay import IMPOSSIBLE_EVENT_ERRORS, Decision, decisions, start_event
from games.engine.transcript import Entry, write
from games.engine.variants import rules_for
from games.match_reports.report import Choice
from games.open_data.source import SourceMatch
from games.records.result_data import result_data

CHOICE_COLUMNS = (
    *("match", "day", "player", "rating", "seats", "seat", "round", "event", "move", "best"),
    *("points_lost", "chance_lost", "chance", "legal_moves", "checks", "error"),
)


class MatchContent(NamedTuple):
    """A match as the files contain it, or the ``fault`` because of which they do not."""

    match_id: int
    variant: str
    line: str = ""
    transcript: str = ""
    choices: str = ""
    fault: str = ""


def write_matches(matches: Sequence[SourceMatch]) -> list[MatchContent]:
    return list(map(write_match, matches))


def write_match(match: SourceMatch) -> MatchContent:
    """Return the content of a match, or its first fault."""
    try:
        numbers, events = public_events(match)
        if fault := _first_fault(events):
            return MatchContent(match.match_id, match.variant, fault=fault)
        about = {"players": match.players, "result": _result(events)}
        data = export_match([(number, event, "") for number, event in enumerate(events, 1)], about)
        data |= match.about | {"ratings": match.ratings, "events": data.pop("events")}
        return MatchContent(
            match.match_id,
            match.variant,
            write_json(data) + "\n",
            write([Entry(event) for event in events], about) + "\n",
            _choice_rows(match, events, numbers),
        )
    except (BadRecord, *IMPOSSIBLE_EVENT_ERRORS) as error:
        return MatchContent(match.match_id, match.variant, fault=repr(error))


def public_events(match: SourceMatch) -> tuple[dict[int, int], list[Event]]:
    """Return the events without anything that leads to the match on the site, and their new numbers by the old ones.

    Keys, commitments and the players' texts are missing. The code takes the place of the match's name.
    """
    numbers: dict[int, int] = {}
    events: list[Event] = []
    for seq, event in match.rows:
        if not isinstance(event, KeyRevealed | SecretRevealed):
            events.append(_public_event(event, match.code))
            numbers[seq] = len(events)
    return numbers, events


def _public_event(event: Event, code: str) -> Event:
    if isinstance(event, MatchStarted):
        return MatchStarted(
            event.variant, event.seats, event.options, event.rules_version, match=code, bots=event.bots
        )
    return replace(event, commitment="") if isinstance(event, DealEvent) else event


def _first_fault(events: Sequence[Event]) -> str:
    """Return why today's rules do not reproduce a match, "" if they do. They cannot judge a match of unknown rules."""
    start = start_event(events)
    if not rules_for(start.variant).knows(start.rules_version):
        return "The rules have another version."
    return next(keyless_differences(events), "")


def _result(events: Sequence[Event]) -> dict[str, Any]:
    match_end = next(event for event in reversed(events) if isinstance(event, MatchEnded))
    return result_data(events, match_end)


def choice_table_head() -> str:
    return _csv([CHOICE_COLUMNS])


def _choice_rows(match: SourceMatch, events: Sequence[Event], numbers: Mapping[int, int]) -> str:
    """Return the rows of the choices that people made, "" without a report."""
    if not match.choices:
        return ""
    choices = {numbers[choice.seq]: choice for choice in match.choices if "bot" not in match.players[choice.seat]}
    return _csv(_rows_of_choices(match, events, choices))


def _rows_of_choices(
    match: SourceMatch, events: Sequence[Event], choices: Mapping[int, Choice]
) -> Iterator[tuple[object, ...]]:
    rules = rules_for(match.variant)
    for decision in decisions(events):
        if choice := choices.get(decision.seq):
            yield (
                *_choice_head(match, choice, decision),
                *_choice_values(choice, len(rules.legal_moves(decision.state))),
            )


def _choice_head(match: SourceMatch, choice: Choice, decision: Decision) -> tuple[object, ...]:
    rating = match.ratings[choice.seat]
    return (
        match.code,
        match.about["day"],
        match.players[choice.seat]["name"],
        rating["rating"] if rating else "",
        len(match.players),
        choice.seat,
        decision.state.round.number,
        decision.seq,
    )


def _choice_values(choice: Choice, legal_moves: int) -> tuple[object, ...]:
    error = choice.error if choice.checks else ""
    return (
        *(choice.made, choice.best, choice.loss, choice.chance_loss, choice.chance),
        *(legal_moves, choice.checks, error),
    )


def _csv(rows: Sequence[Sequence[object]] | Iterator[tuple[object, ...]]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
