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
def test_unanimous_vote_continues_at_once() -> None:
    match, people = table(3)
    seat = missed_twice(match)
    one, other = (user for number, user in enumerate(people) if number != seat)
    vote(match, one, "bot")
    assert tables.locked_row(match).due_kind == Match.Due.HOLD
    vote(match, other, "bot")
    assert tables.locked_row(match).due_kind == Match.Due.BOT


def test_one_vote_extends_the_wait_once() -> None:
    match, people = table(3)
    seat = missed_twice(match)
    one, other = (user for number, user in enumerate(people) if number != seat)
    for seconds, (user, choice) in enumerate(((one, "wait"), (one, "bot"), (other, "wait"))):
        with time_machine.travel(NOW + seconds * SECOND, tick=False):
            vote(match, user, choice)
    row = tables.locked_row(match)
    assert row.due_at == row.turn_started_at + absence.EXTRA_WAIT


def test_voting_to_stop_is_free() -> None:
    match, people = table(2)
    seat = missed_twice(match)
    vote(match, people[1 - seat], "stop")
    match.refresh_from_db()
    assert match.status == Match.Status.STOPPED


def test_absent_player_comes_last_in_a_rated_match() -> None:
    match, people = table(2, rated=True, absence=Match.Absence.HOLD)
    tables.play_round(match)
    play.start_next_round(tables.locked_row(match), NOW)
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


def test_match_with_all_players_cannot_be_stopped_later() -> None:
    match, people = table(2)
    tables.play_round(match)
    refused("bad_request", absence.cast_vote, match_id=match.pk, user_id=people[0].pk, choice="stop")


def test_absent_player_cannot_vote() -> None:
    match, people = table(2)
    seat = missed_twice(match)
    refused("replaced", absence.cast_vote, match_id=match.pk, user_id=people[seat].pk, choice="wait")
