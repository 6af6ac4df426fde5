"""Renders the steps of a round as a list, with points and times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

from django.utils.safestring import SafeString

from games.engine.events import (
    Drew,
    Event,
    MatchEnded,
    Passed,
    Played,
    RoundDealt,
    RoundEnded,
    SeatForfeited,
    SeatHeld,
    SeatReturned,
    Standing,
)
from games.html import Html
from games.match.table import Table
from games.rendering.headline import end_sentence
from games.rendering.moves import move_name, signed_points
from games.rendering.page import as_safe_string
from games.rendering.scores import side_names
from games.rendering.seats import name_of, sides_of
from games.rendering.standing import standing_score
from games.review.match_steps import Step
from games.words.lookup import Words, number_text

SEAT_EVENT_PHRASES: Mapping[type[Event], str] = MappingProxyType(
    {SeatHeld: "did_hold", SeatReturned: "did_return", SeatForfeited: "did_forfeit"}
)


class StepLine(NamedTuple):
    """A line in the list of steps: the step's number, the player, the action, points or "", time or "".

    Consecutive draws share a line, which begins with the step ``first_number``. ``standing`` is the score of the
    player's side after a step with points, or of all sides after a round, or "". ``loss`` is the loss of a key moment,
    or "". ``chat`` are the lines written after the step. ``bank_seconds`` is the rest of the player's time bank, if it
    was used.
    """

    number: int
    name: SafeString
    text: SafeString
    points: str
    time_taken: str
    first_number: int
    standing: SafeString = SafeString("")
    loss: str = ""
    chat: tuple[SafeString, ...] = ()
    bank_seconds: int | None = None


def step_lines(table: Table, steps: Sequence[Step], words: Words) -> list[StepLine]:
    """Return the lines of a round, given all its steps. Consecutive draws of a seat share a line."""
    by_step = dict(zip(steps, standing_after_steps(table, steps, words), strict=True))
    groups = [tuple(group) for _key, group in groupby(steps, key=_line_key)]
    return [
        _grouped_line(table, group, words)._replace(standing=as_safe_string(by_step[group[-1]])) for group in groups
    ]


def _line_key(step: Step) -> tuple[int, str] | int:
    """Return a key that only draws of the same seat share, made by the player or by the same substitute."""
    event = step.events[0]
    return (event.seat, event.by) if isinstance(event, Drew) else step.number


def standing_after_steps(table: Table, steps: Iterable[Step], words: Words) -> Iterator[Html]:
    """Yield the score after every step of a round that changed it, "" for other steps."""
    sides = sides_of(table, words)
    scores: list[Standing] = []
    for step in steps:
        event = step.events[0]
        end = next((event for event in step.events if isinstance(event, RoundEnded)), None)
        mark = Html("")
        if isinstance(event, RoundDealt):
            scores = list(event.standing)
        elif isinstance(event, Played | Drew | Passed) and scores and (points := event.points.total):
            side = sides[event.seat]
            scores[side] = scores[side].plus(points)
            mark = standing_score(scores[side], words)
        yield mark if end is None else _all_standings(table, end.standing, words)


def _points(event: Event) -> int:
    return event.points.total if isinstance(event, Played | Drew | Passed) else 0


def _all_standings(table: Table, scores: Sequence[Standing], words: Words) -> Html:
    named = zip(side_names(table, words), scores, strict=True)
    marks = [Html(f"<span>{name} {standing_score(score, words)}</span>") for name, score in named]
    return Html(f'<span class="standings">{"".join(marks)}</span>')


def step_line(table: Table, step: Step, words: Words) -> StepLine:
    """Return a step as a line. It does not name drawn tiles, which may still be hidden."""
    return _grouped_line(table, (step,), words)


def _grouped_line(table: Table, steps: Sequence[Step], words: Words) -> StepLine:
    """Return a step, or consecutive draws, as a line that leads to the last step."""
    step, event = steps[-1], steps[-1].events[0]
    name, has_time = Html(""), isinstance(event, MatchEnded)
    if isinstance(event, Played | Drew | Passed | SeatHeld | SeatReturned | SeatForfeited):
        name, has_time = name_of(table, event.seat), True
    points = sum(_points(step.events[0]) for step in steps)
    seconds = sum((step.time_taken for step in steps), timedelta()).total_seconds()
    return StepLine(
        step.number,
        as_safe_string(name),
        as_safe_string(step_text(table, event, words, len(steps))),
        signed_points(points) if points else "",
        f"{number_text(round(seconds, 1))}\u00a0s" if has_time and step.at else "",
        steps[0].number,
    )


def step_text(table: Table, event: Event, words: Words, times: int = 1) -> Html:
    """Return the text of an action, or of an action done several times in a row."""
    if isinstance(event, RoundDealt):
        return words["did_deal"]
    if isinstance(event, MatchEnded):
        return end_sentence(table, event, words)
    if isinstance(event, Played | Drew | Passed):
        play = event if isinstance(event, Played) else None
        return move_name("draw" if isinstance(event, Drew) else "pass", play, words, event.by, times)
    return words[SEAT_EVENT_PHRASES[type(event)]]
