"""Renders the review of a match: the table after a step, and the list of steps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from games.chat.rendering import chat_line_html
from games.engine.events import MatchEnded, Played, RoundDealt, RoundEnded
from games.engine.view import View
from games.enums import DEFAULT_BOT_LEVEL, Status
from games.html import Html, escape
from games.match.table import Table
from games.match.time_control import TIME_CONTROLS
from games.match_reports.rendering import loss_by_step, report_context
from games.match_reports.report import Report
from games.rendering.chances import past_chances
from games.rendering.clock import SECOND_MS
from games.rendering.figures import hand_figure
from games.rendering.frame import shared_zones
from games.rendering.headline import end_sentence
from games.rendering.moves import signed_points
from games.rendering.page import as_safe_string
from games.rendering.result import match_summary, result_panel
from games.rendering.scores import score_table
from games.rendering.seats import name_of
from games.rendering.sprites import sprite_sheet
from games.rendering.status import status_zone
from games.rendering.zones import zone_html
from games.review.match_steps import NO_CHAT, ChatByStep, MatchSteps, Step
from games.review.step_list_rendering import StepLine, step_lines
from games.review.time_banks import remaining_banks_ms
from games.words import words_of
from games.words.lookup import Words, words_for
from infrastructure.moments import moment_text

MAX_BEST_PLACEMENTS = 5  # links to the best placements of a match


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
    match_steps: MatchSteps,
    step: Step,
    *,
    language: str,
    query_suffix: str = "",
    report: Report | None = None,
    reader: int | None = None,
    chat: ChatByStep = NO_CHAT,
) -> dict[str, Any]:
    """Return the context of ``review/review.html`` for a step. ``query_suffix`` follows the number in its address.

    ``report`` is for viewers who may know how the match ended; ``reader`` is the seat of the viewer, and ``chat`` what
    the viewer may read.
    """
    words, match_end = words_for(table.variant, language), match_steps.match_end
    zones = step_zones(table, view, step, match_steps, language=language, query_suffix=query_suffix, report=report)
    at_step = partial(
        report_context, current_step=step.number, seat=view.viewer, reader=reader, query_suffix=query_suffix
    )
    return round_context(table, match_steps, step, language=language, report=report, chat=chat) | {
        "report": report and at_step(table, report, match_steps, language=language),
        "game": words_of(table.variant),
        "sprites": as_safe_string(sprite_sheet(table.variant)),
        "zones": {name.replace("-", "_"): as_safe_string(zone) for name, zone in zones.items()},
        "summary": as_safe_string(match_summary(table, view, words)),
        "result_sentence": match_end and as_safe_string(end_sentence(table, match_end, words)),
        "void_text": as_safe_string(_void_text(table, words)),
        "rounds": round_highlights(table, match_steps, words),
        "navigation": navigation(match_steps, step.number),
        "usual_level": DEFAULT_BOT_LEVEL.value,
        "round_labels": {name: as_safe_string(words[name]) for name in ("round_before", "round_after")},
    }


def round_context(
    table: Table,
    match_steps: MatchSteps,
    step: Step,
    *,
    language: str,
    report: Report | None = None,
    chat: ChatByStep = NO_CHAT,
) -> dict[str, Any]:
    """Return the context of ``review/step_list.html``: the steps of a round, the cost of key moments, and the chat."""
    words = words_for(table.variant, language)
    losses = loss_by_step(report, match_steps)
    banks_ms = remaining_banks_ms(match_steps, TIME_CONTROLS[table.agreed.clock])
    lines = step_lines(table, match_steps.steps_of_round(step.number), words)
    return {
        "table": table,
        "step": step,
        "round": as_safe_string(words.fill("round", round=step.round)),
        "entries": [_with_details(line, losses, banks_ms, chat, language) for line in lines],
    }


def _with_details(
    line: StepLine, losses: Mapping[int, str], banks_ms: Mapping[int, int], chat: ChatByStep, language: str
) -> StepLine:
    """Return a line with the loss of a key moment, the chat, and the rest of the time bank."""
    numbers = range(line.first_number, line.number + 1)
    messages = [message for number in numbers for message in chat.get(number, ())]
    return line._replace(
        loss=losses.get(line.number, ""),
        chat=tuple(as_safe_string(chat_line_html(message, language)) for message in messages),
        bank_seconds=next((banks_ms[number] // SECOND_MS for number in reversed(numbers) if number in banks_ms), None),
    )


def step_zones(
    table: Table,
    view: View,
    step: Step,
    match_steps: MatchSteps,
    *,
    language: str,
    query_suffix: str = "",
    report: Report | None = None,
) -> dict[str, Html]:
    """Return the markup that the page replaces from step to step, by id.

    ``query_suffix`` follows the number in addresses of steps: the perspective, ``&as=0``. ``report`` is for viewers
    who may know how the match ended.
    """
    words = words_for(table.variant, language)
    shared = shared_zones(table, view, language).markup
    round_starts = match_steps.round_starts()
    round_links = {number: escape(f"?at={first}{query_suffix}") for number, first in round_starts.items()}
    scores = score_table(table, view.rounds, words, round_links) if view.rounds else Html("")
    # Only the end of the match addresses the seat of the perspective, which need not be the reader's.
    addressed_seat = None if view.match_over is None else view.viewer
    names = tuple(person.name for person in table.people)
    percentages = report.chances_at(step.version) if report else None
    return {name: shared[name] for name in ("seats", "board")} | {
        "chances": past_chances(percentages, names, table.variant, language),
        "status": zone_html(status_zone(table, view, None, words)),
        "result": result_panel(table, view, addressed_seat, words, complete=True),
        "review-hand": _hand_zone(table, view),
        "review-when": _step_time(step),
        "review-scores": Html(f'<div id="review-scores">{scores}</div>'),
    }


def _hand_zone(table: Table, view: View) -> Html:
    """Return the hand of the seat of the perspective with the name of its player, empty for others."""
    hand, html = None if view.viewer is None else view.seats[view.viewer].hand, Html("")
    if view.viewer is not None and hand is not None:
        html = Html(f'<b class="hand-name" translate="no">{name_of(table, view.viewer)}</b>{hand_figure(hand)}')
    return Html(f'<div id="review-hand" class="review-hand"{"" if html else " hidden"}>{html}</div>')


def _step_time(step: Step) -> Html:
    """Return the time of a step, empty for records without times."""
    if step.at is None:
        return Html('<time id="review-when" hidden></time>')
    text = escape(moment_text(step.at))
    return Html(f'<time id="review-when" datetime="{escape(step.at.isoformat())}">{text}</time>')


def _void_text(table: Table, words: Words) -> Html:
    """Return the text that says why the match is void, "" for others."""
    if table.status != Status.VOID or not table.void_reason:
        return Html("")
    return end_sentence(table, MatchEnded("void", None, "", (), (), ()), words)


def navigation(match_steps: MatchSteps, number: int) -> dict[str, int | None]:
    """Return the step to which each button leads, None if it is disabled."""
    starts = sorted(match_steps.round_starts().values())
    before = [start for start in starts if start < number]
    after = [start for start in starts if start > number]
    return {
        "first": 1 if number > 1 else None,
        "round_before": before[-1] if before else None,
        "before": number - 1 if number > 1 else None,
        "after": number + 1 if number < match_steps.last_number else None,
        "round_after": after[0] if after else None,
        "last": match_steps.last_number if number < match_steps.last_number else None,
    }


def round_highlights(table: Table, match_steps: MatchSteps, words: Words) -> list[RoundHighlights]:
    """Return the rounds with their notable steps: special ends, bonuses, and the best placements."""
    highlights = []
    for step in match_steps.steps:
        highlights += [
            Highlight(step.number, as_safe_string(text)) for text in highlight_texts(step, match_steps, words)
        ]
    for step, seat, points in highest_scoring_placements(match_steps):
        text = words.fill("best", name=name_of(table, seat), points=words.count("points", points))
        highlights.append(Highlight(step.number, as_safe_string(text)))
    highlights.sort(key=lambda highlight: highlight.number)
    return [
        RoundHighlights(
            first,
            as_safe_string(words.fill("round", round=number)),
            tuple(highlight for highlight in highlights if match_steps.step(highlight.number).round == number),
        )
        for number, first in sorted(match_steps.round_starts().items())
    ]


def highlight_texts(step: Step, match_steps: MatchSteps, words: Words) -> list[Html]:
    """Return the reasons why a step is notable. The bonus of a lead does not count."""
    texts = [
        words.signs[event.reason].name
        for event in step.events
        if isinstance(event, RoundEnded) and event.reason in words.signs
    ]
    move = step.events[0]
    is_lead = step.number > 1 and isinstance(match_steps.step(step.number - 1).events[0], RoundDealt)
    if isinstance(move, Played) and not is_lead:
        rules = dict.fromkeys(term.rule for term in move.points.terms[1:] if term.value)
        texts += [Html(f"{words.rule_title(rule)} {signed_points(move.points.total)}") for rule in rules]
    return texts


def highest_scoring_placements(match_steps: MatchSteps) -> list[tuple[Step, int, int]]:
    """Return the placements with most points (step, seat, points), except those with a bonus."""
    placements = [
        (step, move.seat, move.points.total)
        for step in match_steps.steps
        if isinstance(move := step.events[0], Played) and move.points.total > 0 and len(move.points.terms) == 1
    ]
    return sorted(placements, key=lambda row: -row[2])[:MAX_BEST_PLACEMENTS]
