"""Leaving a running match, and coming back to it."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts import sanctions
from accounts.models import Rating
from games.engine import proof
from games.engine.events import (
    MatchEnded,
)
from games.engine.variants.kozel import account
from games.errors import Refused
from games.match import selectors
from games.models import Match
from games.rendering.headline import verdict
from games.services import play
from games.services.moves import make_move
from games.words.lookup import words_for
from tests.games import tables
from tests.games.services.test_play import events_of

pytestmark = [pytest.mark.django_db, pytest.mark.stack]


def test_leaving_a_rated_match_ends_it_by_the_rules() -> None:
    people = [tables.person(), tables.person()]
    match = tables.running_table(people, rated=True)
    tables.play_round(match)
    leaver, other = (account(standing) for standing in tables.state_of(match).standing)
    play.leave(match_id=match.pk, user_id=people[0].pk)
    (ended,) = (event for event in events_of(match) if isinstance(event, MatchEnded))
    assert (ended.reason, ended.seat, ended.rule) == ("left", 0, "kozel.timeout")
    # K-05: everyone else gains max(1, round((n_leaver - n) / 10)).
    gained = max(1, (leaver - other + 5) // 10)
    assert [Rating.objects.get(user=user).points for user in people] == [0, gained]
    assert proof.verify(events_of(match)) == []


def test_in_a_casual_match_a_bot_plays_on_for_who_left_and_the_person_may_come_back() -> None:
    people = [tables.person(), tables.person()]
    match = tables.running_table(people)
    play.leave(match_id=match.pk, user_id=people[0].pk)
    seat = match.seats.get(index=0)
    assert seat.bot
    assert seat.user == people[0]
    assert tables.row_of(match).status == Match.Status.RUNNING
    row = tables.row_of(match)
    with pytest.raises(Refused, match="replaced"):
        make_move(match_id=match.pk, user_id=people[0].pk, move="draw", version=row.version)
    play.ready(match_id=match.pk, user_id=people[0].pk)
    assert match.seats.get(index=0).bot, "the bot keeps the seat for the round"
    tables.play_round(match)
    play.next_round(tables.row_of(match), timezone.now())
    assert not match.seats.get(index=0).bot
    assert 0 in tables.row_of(match).people
    if tables.row_of(match).to_move == 0:
        tables.make_first_move(match)


def test_a_bot_makes_all_choices_of_a_round_or_none_however_often_somebody_leaves_and_comes_back() -> None:
    ann, ben = tables.person("Ann"), tables.person("Ben")
    match = tables.running_table([ann, ben])
    play.leave(match_id=match.pk, user_id=ann.pk)
    while tables.row_of(match).to_move is not None:
        assert match.seats.get(user=ann).bot
        play.ready(match_id=match.pk, user_id=ann.pk)
        tables.make_first_move(match)
        play.leave(match_id=match.pk, user_id=ann.pk)
    assert match.seats.get(user=ann).bot
    play.ready(match_id=match.pk, user_id=ann.pk)
    assert not match.seats.get(user=ann).bot, "in the pause there is nothing to choose"


def test_who_says_to_be_back_and_leaves_again_stays_away() -> None:
    ann, ben = tables.person("Ann"), tables.person("Ben")
    match = tables.running_table([ann, ben])
    for act in (play.leave, play.ready, play.leave):
        act(match_id=match.pk, user_id=ann.pk)
    tables.play_round(match)
    play.next_round(tables.row_of(match), timezone.now())
    assert match.seats.get(user=ann).bot


def test_who_is_back_next_round_keeps_the_match_when_the_others_leave() -> None:
    ann, ben = tables.person("Ann"), tables.person("Ben")
    match = tables.running_table([ann, ben])
    for act, user in ((play.leave, ann), (play.ready, ann), (play.leave, ben)):
        act(match_id=match.pk, user_id=user.pk)
    assert tables.row_of(match).status == Match.Status.RUNNING
    play.leave(match_id=match.pk, user_id=ann.pk)
    assert tables.row_of(match).status == Match.Status.STOPPED


def test_who_may_not_play_any_more_does_not_come_back() -> None:
    ann, root = tables.person("Ann"), tables.person("Root", is_staff=True, is_superuser=True)
    match = tables.running_table([ann, tables.person("Ben")])
    play.leave(match_id=match.pk, user_id=ann.pk)
    play.ready(match_id=match.pk, user_id=ann.pk)
    sanctions.impose(moderator=root, user=ann, kind="suspend", reason="cheating", until=None)
    tables.play_round(match)
    play.next_round(tables.row_of(match), timezone.now())
    assert match.seats.get(user=ann).bot


def test_who_leaves_again_does_not_put_off_the_move_of_the_bot() -> None:
    match = tables.running_table([tables.person(), tables.person()])
    mover = tables.to_move(match)
    play.leave(match_id=match.pk, user_id=mover.pk)
    row = tables.row_of(match)
    assert row.due_kind == Match.Due.BOT
    play.leave(match_id=match.pk, user_id=mover.pk)
    assert tables.row_of(match).due_at == row.due_at


def test_leaving_and_coming_back_buys_no_time() -> None:
    """The turn goes on, but it is the bot's."""
    match = tables.running_table([tables.person(), tables.person()], clock=Match.Clock.FAST)
    mover = tables.to_move(match)
    begun = tables.row_of(match).turn_started_at
    play.leave(match_id=match.pk, user_id=mover.pk)
    left = tables.row_of(match)
    with time_machine.travel(begun + timedelta(seconds=50), tick=False):
        play.ready(match_id=match.pk, user_id=mover.pk)
    back = tables.row_of(match)
    assert (back.turn_started_at, back.due_kind, back.due_at) == (begun, Match.Due.BOT, left.due_at)


def test_a_casual_match_that_its_last_person_leaves_is_stopped() -> None:
    user = tables.person()
    match = tables.running_table([user], bots=1)
    play.leave(match_id=match.pk, user_id=user.pk)
    match.refresh_from_db()
    assert match.status == Match.Status.STOPPED
    # No moderator had a hand in it.
    over = tables.state_of(match).match_over
    assert verdict(selectors.table(match.pk), over, words_for(match.variant, "en")) == "The match was stopped."


@pytest.mark.parametrize("reason", ["stopped", "void"])
def test_a_match_stopped_from_outside_has_no_winner(reason: str) -> None:
    match = tables.running_table([tables.person(), tables.person()], rated=True)
    play.stop(match_id=match.pk, reason=reason)
    match.refresh_from_db()
    assert match.status == reason
    assert not Rating.objects.exists()
    assert not match.seats.filter(place__isnull=False).exists()
    assert proof.verify(events_of(match)) == []


@pytest.mark.django_db
def test_who_sits_at_as_many_tables_as_one_may_cannot_take_back_a_fourth_seat() -> None:
    ann = tables.person()
    matches = [tables.running_table([ann, tables.person()]) for _ in range(3)]
    left = tables.running_table([ann, tables.person()])
    play.leave(match_id=left.pk, user_id=ann.pk)
    with pytest.raises(Refused) as refused:
        play.ready(match_id=left.pk, user_id=ann.pk)
    assert refused.value.code == "too_many_tables"
    assert not left.seats.get(user=ann).ready
    play.leave(match_id=matches[0].pk, user_id=ann.pk)
    play.ready(match_id=left.pk, user_id=ann.pk)
    assert left.seats.get(user=ann).ready
