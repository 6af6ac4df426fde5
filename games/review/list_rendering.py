"""The steps of a round as a list: who did what, for how many points, and how long it took."""

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
from games.rendering.headline import verdict
from games.rendering.moves import move_name, signed
from games.rendering.page import safe
from games.rendering.scores import names_of
from games.rendering.seats import name_of, sides_of
from games.rendering.standing import standing_mark
from games.review.past import Step
from games.words.lookup import Words

SEATS: Mapping[type[Event], str] = MappingProxyType(
    {SeatHeld: "did_hold", SeatReturned: "did_return", SeatForfeited: "did_forfeit"}
)


class StepLine(NamedTuple):
    """A step in the list of a round: its number, the player, what was done, points or "", seconds or "".

    ``first``: the line stands for the steps from this one on, draws one after the other. ``standing``: the score of
    the player's side after a step with points, or of all sides after the end of a round, otherwise "". ``loss``: what
    a key moment cost, otherwise "". ``said``: what was said after it, line by line. ``spare``: the seconds left in the
    player's bank where the step took some of it.
    """

    number: int
    name: SafeString
    text: SafeString
    points: str
    thought: str
    first: int
    standing: SafeString = SafeString("")
    loss: str = ""
    said: tuple[SafeString, ...] = ()
    spare: int | None = None


def entries(table: Table, steps: Sequence[Step], words: Words) -> list[StepLine]:
    """Return the lines of a round, from its first step on; several draws of a seat in a row are one line."""
    shown = dict(zip(steps, standings(table, steps, words), strict=True))
    lines = []
    for _drawn, group in groupby(steps, key=_drawn_by):
        several = tuple(group)
        lines.append(_line(table, several, words)._replace(standing=safe(shown[several[-1]])))
    return lines


def _drawn_by(step: Step) -> tuple[int, str] | int:
    """Return what steps have in common that are one line: who drew, and by whom; of others their number."""
    event = step.events[0]
    return (event.seat, event.by) if isinstance(event, Drew) else step.number


def standings(table: Table, steps: Iterable[Step], words: Words) -> Iterator[Html]:
    """Yield what stands after each step of a round, from its deal on, where the step changed it: "" for others."""
    sides = sides_of(table, words)
    scores: list[Standing] = []
    for step in steps:
        event = step.events[0]
        ended = next((each for each in step.events if isinstance(each, RoundEnded)), None)
        if isinstance(event, RoundDealt):
            scores = list(event.standing)
        if isinstance(event, Played | Drew | Passed) and event.points.total and scores:
            scores[sides[event.seat]] = scores[sides[event.seat]].plus(event.points.total)
        if ended is not None:
            yield _all(table, ended.standing, words)
        elif isinstance(event, Played | Drew | Passed) and event.points.total and scores:
            yield standing_mark(scores[sides[event.seat]], words)
        else:
            yield Html("")


def _all(table: Table, scores: Sequence[Standing], words: Words) -> Html:
    """Return the score of every side."""
    sides = sides_of(table, words)
    names = [names_of(table, [seat for seat, its in enumerate(sides) if its == side]) for side in range(len(scores))]
    named = zip(names, scores, strict=True)
    marks = [Html(f"<span>{name} {standing_mark(score, words)}</span>") for name, score in named]
    return Html(f'<span class="standings">{"".join(marks)}</span>')


def entry(table: Table, step: Step, words: Words) -> StepLine:
    """Return a step as a line. Tiles that were drawn are not named: they may still be hidden."""
    return _line(table, (step,), words)


def _line(table: Table, steps: Sequence[Step], words: Words) -> StepLine:
    """Return steps that are the same but for their time as one line, which leads to the last of them."""
    step, event = steps[-1], steps[-1].events[0]
    name, points, timed = Html(""), 0, isinstance(event, MatchEnded)
    if isinstance(event, Played | Drew | Passed | SeatHeld | SeatReturned | SeatForfeited):
        name, timed = name_of(table, event.seat), True
    for each in steps:
        points += each.events[0].points.total if isinstance(each.events[0], Played | Drew | Passed) else 0
    thought = sum((each.thought for each in steps), timedelta()).total_seconds()
    return StepLine(
        step.number,
        safe(name),
        safe(step_text(table, event, words, len(steps))),
        signed(points) if points else "",
        f"{thought:.1f}\u00a0s" if timed and step.at else "",
        steps[0].number,
    )


def step_text(table: Table, event: Event, words: Words, times: int = 1) -> Html:
    """Return in a few words what was done in a step, or in so many alike."""
    if isinstance(event, RoundDealt):
        return words["did_deal"]
    if isinstance(event, MatchEnded):
        return verdict(table, event, words)
    if isinstance(event, Played | Drew | Passed):
        played = event if isinstance(event, Played) else None
        act = "draw" if isinstance(event, Drew) else "pass"
        return move_name(act, played, words, event.by, times)
    return words[SEATS[type(event)]]
