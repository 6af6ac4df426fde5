"""Renders the review of a match: the table after a step, and the list of steps."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from games.chat.rendering import chat_line
from games.engine.events import MatchEnded, Played, RoundDealt, RoundEnded
from games.engine.view import View
from games.enums import USUAL_LEVEL, Status
from games.html import Html, escape
from games.match.table import Table
from games.match.time_control import TIME_CONTROLS
from games.match_reports.rendering import losses, report_context
from games.match_reports.report import Report
from games.rendering.changes import as_html
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
from games.rendering.status import status
from games.review.banks import banks
from games.review.list_rendering import StepLine, entries
from games.review.past import NO_CHAT, ChatByStep, Past, Step
from games.words import words_of
from games.words.lookup import Words, words_for
from infrastructure.moments import moment_text

MAX_BEST = 5  # links to the best placements of a match


class Highlight(NamedTuple):
    """A link to a notable step."""

    number: int
    text: SafeString


class RoundHighlights(NamedTuple):
    """The number of the first step of a round, its name, and its notable steps."""

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
    chat: ChatByStep = NO_CHAT,
) -> dict[str, Any]:
    """Return the context of ``review/page.html`` for a step. ``query`` follows the number in addresses of steps.

    ``report`` is for viewers who may know how the match ended; ``chat`` is what the viewer may read.
    """
    words = words_for(table.variant, language)
    zones = step_zones(table, view, step, past, language=language, query=query)
    return round_context(table, past, step, language=language, report=report, chat=chat) | {
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
    chat: ChatByStep = NO_CHAT,
) -> dict[str, Any]:
    """Return the context of ``review/round.html``: the steps of a round, the cost of key moments, and the chat."""
    words = words_for(table.variant, language)
    cost, bank_ms = losses(report, past), banks(past, TIME_CONTROLS[table.agreed.clock])
    lines = entries(table, past.round_of(step.number), words)
    return {
        "table": table,
        "step": step,
        "round": safe(words.fill("round", round=step.round)),
        "entries": [
            entry._replace(
                loss=cost.get(entry.number, ""),
                chat=tuple(
                    safe(chat_line(line, language)) for number in _numbers(entry) for line in chat.get(number, ())
                ),
                spare=next((bank_ms[number] // SECOND for number in _numbers(entry)[::-1] if number in bank_ms), None),
            )
            for entry in lines
        ],
    }


def _numbers(line: StepLine) -> range:
    """Return the numbers of the steps of a line."""
    return range(line.first, line.number + 1)


def step_zones(table: Table, view: View, step: Step, past: Past, *, language: str, query: str = "") -> dict[str, Html]:
    """Return the markup that the page replaces from step to step, by id.

    ``query`` follows the number in addresses of steps: the perspective, ``&as=0``.
    """
    words = words_for(table.variant, language)
    shared = shared_zones(table, view, language).markup
    begun = {number: escape(f"?at={first}{query}") for number, first in past.rounds().items()}
    scores = score_table(table, view.rounds, words, begun) if view.rounds else Html("")
    # Only the end of the match addresses the seat of the perspective, which need not be the reader's.
    addressed = None if view.match_over is None else view.viewer
    return {name: shared[name] for name in ("seats", "board")} | {
        "status": as_html(status(table, view, None, words)),
        "result": result(table, view, addressed, words, complete=True),
        "review-hand": _hand(view),
        "review-when": _when(step),
        "review-scores": Html(f'<div id="review-scores">{scores}</div>'),
    }


def _hand(view: View) -> Html:
    """Return the hand of the seat of the perspective, empty for others."""
    own = None if view.viewer is None else view.seats[view.viewer].hand
    html = Html("") if own is None else hand(own)
    return Html(f'<div id="review-hand" class="review-hand"{"" if html else " hidden"}>{html}</div>')


def _when(step: Step) -> Html:
    """Return the time of a step, empty for records without times."""
    if step.at is None:
        return Html('<time id="review-when" hidden></time>')
    text = escape(moment_text(step.at))
    return Html(f'<time id="review-when" datetime="{escape(step.at.isoformat())}">{text}</time>')


def _void(table: Table, words: Words) -> Html:
    """Return the text that says why the match is void, "" for others."""
    if table.status != Status.VOID or not table.void_reason:
        return Html("")
    return verdict(table, MatchEnded("void", None, "", (), (), ()), words)


def ways(past: Past, number: int) -> dict[str, int | None]:
    """Return the step to which each button leads, None if it is disabled."""
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
    """Return the rounds with their notable steps: special ends, bonuses, and the best placements."""
    links = [Highlight(step.number, safe(text)) for step in past.steps for text in notable(step, past, words)]
    for step, seat, points in best(past):
        text = words.fill("best", name=name_of(table, seat), points=words.count("points", points))
        links.append(Highlight(step.number, safe(text)))
    links.sort(key=lambda link: link.number)
    return [
        RoundHighlights(
            first,
            safe(words.fill("round", round=number)),
            tuple(link for link in links if past.step(link.number).round == number),
        )
        for number, first in sorted(past.rounds().items())
    ]


def notable(step: Step, past: Past, words: Words) -> list[Html]:
    """Return the reasons why a step is notable. The bonus of a lead does not count."""
    texts = [
        words.signs[event.reason].name
        for event in step.events
        if isinstance(event, RoundEnded) and event.reason in words.signs
    ]
    move = step.events[0]
    is_lead = step.number > 1 and isinstance(past.step(step.number - 1).events[0], RoundDealt)
    if isinstance(move, Played) and not is_lead:
        rules = dict.fromkeys(term.rule for term in move.points.terms[1:] if term.value)
        texts += [Html(f"{words.rule_title(rule)} {signed(move.points.total)}") for rule in rules]
    return texts


def best(past: Past) -> list[tuple[Step, int, int]]:
    """Return the placements with most points (step, seat, points), except those with a bonus."""
    placements = [
        (step, move.seat, move.points.total)
        for step in past.steps
        if isinstance(move := step.events[0], Played) and move.points.total > 0 and len(move.points.terms) == 1
    ]
    return sorted(placements, key=lambda row: -row[2])[:MAX_BEST]
