"""Leaving a running match, which is for good."""

from __future__ import annotations

import pytest
from django.utils import timezone

from games.engine import proof
from games.engine.events import (
    MatchEnded,
    SeatForfeited,
)
from games.engine.variants.kozel import open_account_points
from games.match import selectors
from games.models import Match, RatingPoints, Seat
from games.rendering.headline import end_sentence
from games.services import play
from games.services.moves import make_move
from games.words.lookup import words_for
from tests.games import tables
from tests.games.lobby.test_tables import refused
from tests.games.services.test_play import events_of


@pytest.mark.stack
def test_leaving_a_rated_match_ends_it_by_the_rules() -> None:
    people = [tables.person(), tables.person()]
    match = tables.running_table(people, rated=True)
    tables.play_round(match)
    leaver, other = (open_account_points(standing) for standing in tables.state_of(match).standing)
    play.leave_match(match_id=match.pk, user_id=people[0].pk)
    (ended,) = (event for event in events_of(match) if isinstance(event, MatchEnded))
    assert (ended.reason, ended.seat, ended.rule) == ("left", 0, "kozel.timeout")
    # K-05: everyone else gains max(1, round((n_leaver - n) / 10)).
    gained = max(1, (leaver - other + 5) // 10)
    assert [RatingPoints.objects.get(user=user).points for user in people] == [0, gained]
    assert proof.verify(events_of(match)) == []


def test_bot_replaces_a_leaver_of_a_casual_match_for_good() -> None:
    people = [tables.person(), tables.person()]
    match = tables.running_table(people)
    play.leave_match(match_id=match.pk, user_id=people[0].pk)
    seat = match.seats.get(index=0)
    assert (seat.bot != "", seat.user, seat.state) == (True, people[0], Seat.State.FORFEITED)
    assert tables.locked_row(match).status == Match.Status.RUNNING
    assert events_of(match)[-1] == SeatForfeited(0, "left")
    version = tables.locked_row(match).version
    refused("replaced", make_move, match_id=match.pk, user_id=people[0].pk, move="draw", version=version)
    refused("forfeited", play.mark_ready, match_id=match.pk, user_id=people[0].pk)
    play.leave_match(match_id=match.pk, user_id=people[0].pk)
    assert tables.locked_row(match).version == version, "nothing is recorded twice"
    tables.play_round(match)
    play.start_next_round(tables.locked_row(match), timezone.now())
    assert match.seats.get(index=0).bot


def test_leaving_does_not_postpone_deadlines() -> None:
    people = [tables.person(), tables.person(), tables.person()]
    match = tables.running_table(people)
    row = tables.locked_row(match)
    waiting = next(seat for seat in range(3) if seat != row.to_move)
    play.leave_match(match_id=match.pk, user_id=people[waiting].pk)
    after = tables.locked_row(match)
    assert (after.due_at, after.turn_started_at) == (row.due_at, row.turn_started_at)


def test_casual_match_stops_when_the_last_person_leaves() -> None:
    user = tables.person()
    match = tables.running_table([user], bots=1)
    play.leave_match(match_id=match.pk, user_id=user.pk)
    match.refresh_from_db()
    assert match.status == Match.Status.STOPPED
    # No moderator had a hand in it.
    over = tables.state_of(match).match_over
    text = end_sentence(selectors.read_table(match.pk), over, words_for(match.variant, "en"))
    assert text == "Ann left, and only bots remained, so the match ended."
    assert proof.verify(events_of(match)) == []


@pytest.mark.parametrize("reason", ["stopped", "void"])
def test_a_match_stopped_from_outside_has_no_winner(reason: str) -> None:
    match = tables.running_table([tables.person(), tables.person()], rated=True)
    play.stop_match(match_id=match.pk, reason=reason)
    match.refresh_from_db()
    assert match.status == reason
    assert not RatingPoints.objects.exists()
    assert not match.seats.filter(place__isnull=False).exists()
    assert proof.verify(events_of(match)) == []
