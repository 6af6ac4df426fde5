"""Votes of the players at a table: whether a bot plays on for an absent player, and whether the match stops."""

from __future__ import annotations

from typing import NamedTuple

from games.engine.view import View
from games.enums import Due, Occupant, Vote
from games.html import Html, escape
from games.match.table import Person, Table
from games.rendering.clock import countdown
from games.rendering.seats import name_of
from games.words.lookup import Words

VOTE_PERIOD_MS = 15_000  # a longer deadline means that somebody has chosen to wait


class VoteQuestion(NamedTuple):
    text: Html
    buttons: Html


def open_vote(table: Table, view: View, words: Words) -> VoteQuestion | None:
    """Return the vote that is open for the viewer, with the buttons to answer."""
    if view.viewer is None:
        return None
    person = table.people[view.viewer]
    if table.timer.due_kind == Due.HOLD and view.round.to_move is not None:
        return _absence_vote(table, person, view.round.to_move, words)
    if not may_agree_to_stop(view):
        return None
    if person.vote == Vote.STOP:
        return VoteQuestion(words["stop_asked"], _vote_button("", words["take_offer_back"]))
    voters = [other.seat for other in table.people if other.vote == Vote.STOP and other.kind == Occupant.HUMAN]
    if voters:
        text = words.fill("wants_to_stop", name=name_of(table, voters[0]))
        return VoteQuestion(text, _vote_button(Vote.STOP, words["agree_to_stop"], is_main=True))
    return None


def may_agree_to_stop(view: View) -> bool:
    """Return True if the players may agree to stop: in the first round, and while somebody is absent."""
    return view.match_over is None and (not view.rounds or bool(view.absent))


def _absence_vote(table: Table, person: Person, absent_seat: int, words: Words) -> VoteQuestion:
    timer = table.timer
    deadline = timer.deadline_ms or 0
    text = words.fill("is_absent", name=name_of(table, absent_seat))
    go_on = Html(words["go_on"] + countdown(deadline))
    buttons = _vote_button(Vote.BOT, go_on, is_main=True, chosen=person.vote == Vote.BOT)
    if deadline - (timer.turn_started_ms or 0) <= VOTE_PERIOD_MS:
        buttons = Html(buttons + _vote_button(Vote.WAIT, words["wait_a_minute"]))
    return VoteQuestion(
        text, Html(buttons + _vote_button(Vote.STOP, words["stop_match"], chosen=person.vote == Vote.STOP))
    )


def _vote_button(vote: str, text: Html, *, is_main: bool = False, chosen: bool = False) -> Html:
    classes = Html("button act" if is_main else "button")
    pressed = Html(' aria-pressed="true"' if chosen else "")
    name = escape(vote or "no")
    return Html(
        f'<button id="vote-{name}" class="{classes}" form="vote" name="vote" value="{escape(vote)}"{pressed}>'
        f"{text}</button>"
    )
