"""A match looked back at: the table as it stood, and the way through its steps."""

from __future__ import annotations

from typing import Any, NamedTuple

from games.engine.events import Drew, Event, MatchEnded, Passed, Played, RoundDealt, RoundEnded
from games.engine.tiles import tile_text
from games.engine.view import View
from games.rendering.figures import hand
from games.rendering.frame import shared_zones
from games.rendering.page import safe
from games.rendering.result import verdict
from games.rendering.scores import SIGNS, score_table
from games.rendering.seats import name_of
from games.rendering.sprites import sheet
from games.review import Past, Step
from games.table import Table
from games.wording import Words, words_for
from games.words import words_of

BEST = 5
"""How many of the best placements of a match one can jump to."""
MINUTE = 60


class Mark(NamedTuple):
    """A step worth jumping to, and why."""

    number: int
    text: str


class Entry(NamedTuple):
    """A step in the list of a round: its number, whose it was, what was done, points or "", seconds or ""."""

    number: int
    name: str
    text: str
    points: str
    thought: str


def review_context(table: Table, view: View, past: Past, step: Step, *, language: str) -> dict[str, Any]:
    """Return what ``review/page.html`` shows of one step."""
    words = words_for(table.variant, language)
    zones = shared_zones(table, view, language)
    scores = score_table(table, view.rounds, words) if view.rounds else ""
    own = None if view.viewer is None else view.seats[view.viewer].hand
    return {
        "table": table,
        "game": words_of(table.variant),
        "sprites": safe(sheet(table.variant)),
        "zones": {name: safe(zones[name]) for name in ("status", "seats", "board", "result")},
        "scores": safe(scores),
        "hand": "" if own is None else safe(hand(own)),
        "step": step,
        "entries": [entry(table, each, words) for each in past.round_of(step.number)],
        "marks": marks(table, past, words),
        "ways": ways(past, step.number),
    }


def ways(past: Past, number: int) -> dict[str, int | None]:
    """Return where the buttons lead; None where there is nowhere to go."""
    starts = sorted(past.rounds().values())
    before = [start for start in starts if start < number]
    after = [start for start in starts if start > number]
    return {
        "first": 1 if number > 1 else None,
        "round_before": before[-1] if before else None,
        "before": number - 1 if number > 1 else None,
        "after": number + 1 if number < past.last else None,
        "round_after": after[0] if after else None,
        "last": past.last if number < past.last else None,
    }


def entry(table: Table, step: Step, words: Words) -> Entry:
    """Return a step as a line of the list. Tiles that were drawn are not named: they may still be hidden."""
    event = step.events[0]
    seat = getattr(event, "seat", None)
    name = "" if seat is None or isinstance(event, RoundEnded | MatchEnded) else name_of(table, seat)
    points = event.points.total if isinstance(event, Played | Drew | Passed) else 0
    thought = step.thought.total_seconds()
    return Entry(
        step.number,
        safe(name),
        safe(done(table, event, words)),
        f"{points:+}".replace("-", "−") if points else "",
        f"{thought:.1f} s" if name else "",
    )


def done(table: Table, event: Event, words: Words) -> str:
    """Return in a few words what was done."""
    if isinstance(event, Played):
        return tile_text(event.tile)
    if isinstance(event, RoundDealt):
        return words["round"] % {"round": event.round}
    if isinstance(event, MatchEnded):
        return verdict(table, event, words)
    return words["draw" if isinstance(event, Drew) else "pass"]


def marks(table: Table, past: Past, words: Words) -> list[Mark]:
    """Return the rounds, ends with a sign, bonuses and the best placements, in order."""
    found = []
    for step in past.steps:
        for event in step.events:
            found += [Mark(step.number, safe(text)) for text in worth_a_look(event, words)]
    found += [Mark(step.number, safe(words["best"] % {"points": total})) for step, total in best(past)]
    return sorted(found, key=lambda mark: mark.number)


def worth_a_look(event: Event, words: Words) -> list[str]:
    """Return why an event is worth a look: texts, none if it is not."""
    if isinstance(event, RoundDealt):
        return [words["round"] % {"round": event.round}]
    if isinstance(event, RoundEnded) and event.reason in SIGNS:
        return [words[SIGNS[event.reason]]]
    if isinstance(event, Played):
        rules = dict.fromkeys(term.rule for term in event.points.terms[1:] if term.value)
        return [f"{words.title(rule)} +{event.points.total}" for rule in rules]
    return []


def best(past: Past) -> list[tuple[Step, int]]:
    """Return the placements that scored most, without those that a bonus marks already."""
    scored = [
        (step, event.points.total)
        for step in past.steps
        for event in step.events[:1]
        if isinstance(event, Played) and event.points.total > 0 and len(event.points.terms) == 1
    ]
    return sorted(scored, key=lambda pair: -pair[1])[:BEST]
