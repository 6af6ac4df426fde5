"""What a player who waits is asked about the others: how to go on without somebody, or whether to stop."""

from __future__ import annotations

from typing import NamedTuple

from games.engine.view import View
from games.enums import Due, Occupant, Vote
from games.html import Html, escape
from games.match.table import Person, Table
from games.rendering.seats import name_of
from games.words.lookup import Words

CHOICE = 15_000
"""Milliseconds that the others have to choose; whoever waits has more."""


class Question(NamedTuple):
    said: Html
    answers: Html
    """The buttons."""


def question(table: Table, view: View, words: Words) -> Question | None:
    """Return what the viewer is asked, with the answers, if anything."""
    if view.viewer is None:
        return None
    person = table.people[view.viewer]
    if table.timer.due_kind == Due.HOLD and view.round.to_move is not None:
        return _absent(table, person, view.round.to_move, words)
    if not may_stop(view):
        return None
    asking = [other.seat for other in table.people if other.vote == Vote.STOP and other.kind == Occupant.HUMAN]
    if person.vote == Vote.STOP:
        return Question(words["stop_asked"], _answer("", words["take_offer_back"]))
    if asking:
        said = words.say("wants_to_stop", name=name_of(table, asking[0]))
        return Question(said, _answer(Vote.STOP, words["agree_to_stop"], first=True))
    return None


def may_stop(view: View) -> bool:
    """Return whether all may agree to stop: in the first round, and while somebody is absent."""
    return view.match_over is None and (not view.rounds or bool(view.absent))


def _absent(table: Table, person: Person, absent: int, words: Words) -> Question:
    timer = table.timer
    deadline = timer.deadline_ms or 0
    left = Html(f'<span class="left" data-deadline="{deadline}" aria-hidden="true"></span>')
    waited = deadline - (timer.turn_started_ms or 0) > CHOICE
    said = words.say("is_absent", name=name_of(table, absent))
    answers = _answer(Vote.BOT, Html(words["go_on"] + left), first=True, chosen=person.vote == Vote.BOT)
    if not waited:
        answers = Html(answers + _answer(Vote.WAIT, words["wait_a_minute"]))
    return Question(said, Html(answers + _answer(Vote.STOP, words["stop_match"], chosen=person.vote == Vote.STOP)))


def _answer(answer: str, text: Html, *, first: bool = False, chosen: bool = False) -> Html:
    classes = Html("button act" if first else "button")
    pressed = Html(' aria-pressed="true"' if chosen else "")
    name = escape(answer or "no")
    return Html(
        f'<button id="vote-{name}" class="{classes}" form="vote" name="vote" value="{escape(answer)}"{pressed}>'
        f"{text}</button>"
    )
