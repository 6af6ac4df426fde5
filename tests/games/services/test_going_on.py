"""How the others go on without somebody: with the bot, after a minute, or not at all."""

from __future__ import annotations

import pytest
import time_machine

from accounts.models import User
from games.engine.events import MatchEnded
from games.models import Match
from games.services import absence, play
from tests.games import tables
from tests.games.lobby.test_tables import refused
from tests.games.services.test_absence import NOW, SECOND, last, missed_twice, table


def vote(match: Match, user: User, choice: str) -> None:
    absence.cast_vote(match_id=match.pk, user_id=user.pk, choice=choice)


@pytest.mark.stack
def test_the_others_go_on_at_once_when_all_of_them_say_so() -> None:
    match, people = table(3)
    seat = missed_twice(match)
    one, other = (user for number, user in enumerate(people) if number != seat)
    vote(match, one, "bot")
    assert tables.row_of(match).due_kind == Match.Due.HOLD
    vote(match, other, "bot")
    assert tables.row_of(match).due_kind == Match.Due.BOT


def test_one_of_them_lets_all_wait_for_a_minute_and_not_longer() -> None:
    match, people = table(3)
    seat = missed_twice(match)
    one, other = (user for number, user in enumerate(people) if number != seat)
    for seconds, (user, choice) in enumerate(((one, "wait"), (one, "bot"), (other, "wait"))):
        with time_machine.travel(NOW + seconds * SECOND, tick=False):
            vote(match, user, choice)
    row = tables.row_of(match)
    assert row.due_at == row.turn_started_at + absence.EXTRA_WAIT


def test_they_stop_the_match_at_no_cost() -> None:
    match, people = table(2)
    seat = missed_twice(match)
    vote(match, people[1 - seat], "stop")
    match.refresh_from_db()
    assert match.status == Match.Status.STOPPED


def test_in_a_rated_match_later_on_whoever_is_absent_comes_last() -> None:
    match, people = table(2, rated=True, absence=Match.Absence.HOLD)
    tables.play_round(match)
    play.start_next_round(tables.row_of(match), NOW)
    seat = missed_twice(match)
    vote(match, people[1 - seat], "stop")
    ended = last(match, MatchEnded)
    assert isinstance(ended, MatchEnded)
    assert (ended.reason, ended.seat) == ("timeout", seat)


def test_in_the_first_round_all_may_agree_to_stop() -> None:
    match, people = table(2, rated=True)
    vote(match, people[0], "stop")
    vote(match, people[0], "")
    vote(match, people[1], "stop")
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
    vote(match, people[0], "stop")
    match.refresh_from_db()
    assert match.status == Match.Status.STOPPED
    assert last(match, MatchEnded) == MatchEnded("agreed", None, "", (), (), ())
    assert not match.seats.filter(points_gain__isnull=False).exists()


def test_later_nobody_stops_a_match_in_which_all_play() -> None:
    match, people = table(2)
    tables.play_round(match)
    refused("bad_request", absence.cast_vote, match_id=match.pk, user_id=people[0].pk, choice="stop")


def test_whoever_is_absent_has_no_say() -> None:
    match, people = table(2)
    seat = missed_twice(match)
    refused("replaced", absence.cast_vote, match_id=match.pk, user_id=people[seat].pk, choice="wait")
