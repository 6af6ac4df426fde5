"""The review of a match: the table after a step, and the steps to choose from."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from games.chat.rendering import chat_line
from games.engine.events import (
    MatchEnded,
    Played,
    RoundDealt,
    RoundEnded,
)
from games.engine.view import View
from games.enums import USUAL_LEVEL, Status
from games.html import Html, escape
from games.match.table import Table
from games.match.time_control import CONTROLS
from games.match_reports.rendering import losses, report_context
from games.match_reports.report import Report
from games.rendering.clock import SECOND
from games.rendering.figures import hand
from games.rendering.frame import shared_zones
from games.rendering.headline import verdict
from games.rendering.moves import signed
from games.rendering.page import safe
from games.rendering.result import result, summary
from games.rendering.scores import score_table
from games.rendering.seats import name_of
from games.rendering.sprites import sheet
from games.review.banks import banks
from games.review.list_rendering import StepLine, entries
from games.review.past import NOTHING_SAID, Past, Said, Step
from games.words import words_of
from games.words.lookup import Words, words_for
from infrastructure.moments import moment_text

BEST = 5
"""How many of the best placements of a match are offered to jump to."""


class Highlight(NamedTuple):
    """A step worth jumping to, and why."""

    number: int
    text: SafeString


class RoundHighlights(NamedTuple):
    """A round, its first step, and what is worth jumping to in it."""

    number: int
    text: SafeString
    highlights: tuple[Highlight, ...]


def review_context(
    table: Table,
    view: View,
    past: Past,
    step: Step,
    *,
    language: str,
    query: str = "",
    report: Report | None = None,
    said: Said = NOTHING_SAID,
) -> dict[str, Any]:
    """Return what ``review/page.html`` shows of one step. ``query`` follows the number in addresses of steps.

    ``report`` is given to those who may know how the match ended, ``said`` is what the viewer may read of the chat.
    """
    words = words_for(table.variant, language)
    zones = step_zones(table, view, step, past, language=language, query=query)
    return round_context(table, past, step, language=language, report=report, said=said) | {
        "report": report
        and report_context(table, report, past, at=step.number, seat=view.viewer, query=query, language=language),
        "game": words_of(table.variant),
        "sprites": safe(sheet(table.variant)),
        "zones": {name.replace("-", "_"): safe(zone) for name, zone in zones.items()},
        "said": safe(summary(table, view, words)),
        "void": safe(_void(table, words)),
        "rounds": highlights(table, past, words),
        "ways": ways(past, step.number),
        "usual_level": USUAL_LEVEL.value,
        "way_names": {way: safe(words[way]) for way in ("round_before", "round_after")},
    }


def round_context(
    table: Table,
    past: Past,
    step: Step,
    *,
    language: str,
    report: Report | None = None,
    said: Said = NOTHING_SAID,
) -> dict[str, Any]:
    """Return what ``review/round.html`` shows: the steps of a round as a list, what key moments cost, and the chat."""
    words = words_for(table.variant, language)
    cost, left = losses(report, past), banks(past, CONTROLS[table.agreed.clock])
    listed = entries(table, past.round_of(step.number), words)
    return {
        "table": table,
        "step": step,
        "round": safe(words.fill("round", round=step.round)),
        "entries": [
            entry._replace(
                loss=cost.get(entry.number, ""),
                said=_said_after(entry, said, language),
                spare=next((left[number] // SECOND for number in _numbers(entry)[::-1] if number in left), None),
            )
            for entry in listed
        ],
    }


def _said_after(step: StepLine, said: Said, language: str) -> tuple[SafeString, ...]:
    lines = [line for number in _numbers(step) for line in said.get(number, ())]
    return tuple(safe(chat_line(line, language)) for line in lines)


def _numbers(line: StepLine) -> range:
    """Return the numbers of the steps for which a line stands."""
    return range(line.first, line.number + 1)


def step_zones(table: Table, view: View, step: Step, past: Past, *, language: str, query: str = "") -> dict[str, Html]:
    """Return what the page replaces from step to step, by id.

    ``query`` is what the addresses of steps have after their number: the perspective, ``&as=0``.
    """
    words = words_for(table.variant, language)
    shared = shared_zones(table, view, language).markup
    begun = {number: escape(f"?at={first}{query}") for number, first in past.rounds().items()}
    scores = score_table(table, view.rounds, words, begun) if view.rounds else Html("")
    return {name: shared[name] for name in ("status", "seats", "board")} | {
        "result": result(table, view, view.viewer, words, complete=True),
        "review-hand": _hand(view),
        "review-when": _when(step),
        "review-scores": Html(f'<div id="review-scores">{scores}</div>'),
    }


def _hand(view: View) -> Html:
    """Return the hand of the seat whose perspective is shown, empty for others."""
    own = None if view.viewer is None else view.seats[view.viewer].hand
    shown = Html("") if own is None else hand(own)
    return Html(f'<div id="review-hand" class="review-hand"{"" if shown else " hidden"}>{shown}</div>')


def _when(step: Step) -> Html:
    """Return when a step was made, empty for records without times."""
    if step.at is None:
        return Html('<time id="review-when" hidden></time>')
    shown = escape(moment_text(step.at))
    return Html(f'<time id="review-when" datetime="{escape(step.at.isoformat())}">{shown}</time>')


def _void(table: Table, words: Words) -> Html:
    """Return that the match is void and why, at whatever step, "" for others."""
    if table.status != Status.VOID or not table.void_reason:
        return Html("")
    return verdict(table, MatchEnded("void", None, "", (), (), ()), words)


def ways(past: Past, number: int) -> dict[str, int | None]:
    """Return the steps to which the buttons lead, None for those that lead nowhere."""
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


def highlights(table: Table, past: Past, words: Words) -> list[RoundHighlights]:
    """Return the rounds with the steps worth jumping to: ends with a sign, what was built, the best placements."""
    found = [Highlight(step.number, safe(text)) for step in past.steps for text in worth_a_look(step, past, words)]
    found += [
        Highlight(
            step.number, safe(words.fill("best", name=name_of(table, seat), points=words.count("points", points)))
        )
        for step, seat, points in best(past)
    ]
    found.sort(key=lambda highlight: highlight.number)
    return [
        RoundHighlights(
            first,
            safe(words.fill("round", round=number)),
            tuple(highlight for highlight in found if past.step(highlight.number).round == number),
        )
        for number, first in sorted(past.rounds().items())
    ]


def worth_a_look(step: Step, past: Past, words: Words) -> list[Html]:
    """Return why a step is worth a look, none if it is not. The bonus of a lead does not count."""
    texts = [
        words.signs[event.reason].name
        for event in step.events
        if isinstance(event, RoundEnded) and event.reason in words.signs
    ]
    made = step.events[0]
    if isinstance(made, Played) and not is_lead(step, past):
        rules = dict.fromkeys(term.rule for term in made.points.terms[1:] if term.value)
        texts += [Html(f"{words.rule_title(rule)} {signed(made.points.total)}") for rule in rules]
    return texts


def is_lead(step: Step, past: Past) -> bool:
    """Return whether this is the first step after a deal."""
    return step.number > 1 and isinstance(past.step(step.number - 1).events[0], RoundDealt)


def best(past: Past) -> list[tuple[Step, int, int]]:
    """Return the placements that scored most (step, seat, points), without those marked for a bonus already."""
    scored = [
        (step, made.seat, made.points.total)
        for step in past.steps
        if isinstance(made := step.events[0], Played) and made.points.total > 0 and len(made.points.terms) == 1
    ]
    return sorted(scored, key=lambda found: -found[2])[:BEST]
