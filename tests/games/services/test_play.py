"""Playing at a running table."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts import sanctions
from accounts.models import Rating
from games.engine import deal, proof
from games.engine.events import (
    DealVoided,
    KeyRevealed,
    MatchEnded,
    MatchStarted,
    RoundDealt,
    RoundEnded,
    SecretRevealed,
)
from games.engine.refusal import Refusal
from games.engine.variants.kozel import account
from games.errors import Refused
from games.match import record, selectors
from games.models import Match
from games.rendering.result import verdict
from games.services import play
from games.words.lookup import words_for
from tests.games import tables

pytestmark = [pytest.mark.django_db, pytest.mark.stack]


def events_of(match: Match) -> list:
    return [event for _seq, event, _at in record.read(match.pk)]


def finish(match: Match) -> None:
    """Play on with first moves until the match is over."""
    while (row := tables.row_of(match)).status == Match.Status.RUNNING:
        if row.to_move is None:
            play.next_round(row, match.created_at)
        else:
            tables.make_first_move(match)


def test_the_record_begins_with_the_start_and_the_first_deal():
    match = tables.running_table([tables.person(), tables.person()])
    events = [event for event in events_of(match) if not isinstance(event, DealVoided)]
    assert [type(event) for event in events] == [MatchStarted, RoundDealt]
    assert events[0].commitment == match.commitment
    assert events[0].nonces == ("nonce-0", "nonce-1")
    assert events[0].nonce_commitments == tuple(map(deal.nonce_commitment, events[0].nonces))
    assert events[0].bots == ()
    assert match.status == Match.Status.RUNNING


def test_the_record_says_which_seats_bots_had_at_the_start():
    started = events_of(tables.running_table([tables.person()], bots=2))[0]
    assert started.bots == (1, 2)
    assert started.nonces == ("nonce-0", "", "")
    assert started.nonce_commitments[1:] == ("", "")


def test_a_table_with_a_free_seat_does_not_start():
    match = tables.open_table([tables.person(), tables.person()])
    match.seats.filter(index=1).update(user=None)
    with pytest.raises(Refused, match="empty_seats"):
        play.start_match(match=match)


def test_a_match_with_one_person_is_not_rated():
    assert not tables.running_table([tables.person()], bots=1, rated=True).rated
    assert tables.running_table([tables.person(), tables.person()], rated=True).rated


def test_a_move_is_written_and_counted():
    match = tables.running_table([tables.person(), tables.person()])
    before = tables.row_of(match)
    outcome = play.make_move(
        match_id=match.pk,
        user_id=tables.to_move(match).pk,
        move=tables.first_move(match),
        version=before.version,
    )
    after = tables.row_of(match)
    assert (outcome.version, outcome.revision) == (before.version + 1, before.revision + 1)
    assert (after.version, after.revision) == (outcome.version, outcome.revision)
    assert after.to_move == tables.state_of(match).round.to_move


def test_a_move_for_an_older_version_is_stale():
    match = tables.running_table([tables.person(), tables.person()])
    row = tables.row_of(match)
    with pytest.raises(Refused, match="stale"):
        play.make_move(
            match_id=match.pk,
            user_id=tables.to_move(match).pk,
            move=tables.first_move(match),
            version=row.version - 1,
        )
    assert tables.row_of(match) == row


def test_who_does_not_sit_there_cannot_move():
    match = tables.running_table([tables.person(), tables.person()])
    with pytest.raises(Refused, match="not_seated"):
        play.make_move(match_id=match.pk, user_id=tables.person().pk, move="draw", version=match.version)


def test_the_rules_refuse_a_move_out_of_turn_and_change_nothing():
    people = [tables.person(), tables.person()]
    match = tables.running_table(people)
    row = tables.row_of(match)
    with pytest.raises(Refusal) as refusal:
        play.make_move(match_id=match.pk, user_id=people[1 - row.to_move].pk, move="pass", version=row.version)
    assert refusal.value.code == "not_your_turn"
    assert tables.row_of(match) == row


def test_moves_of_several_matches_are_one_transaction_and_a_refused_one_does_not_stop_the_others():
    matches = [tables.running_table([tables.person(), tables.person()]) for _ in range(3)]
    requests = [
        play.MoveRequest(match.pk, match.version, tables.first_move(match), tables.to_move(match).pk)
        for match in matches
    ]
    requests[1] = play.MoveRequest(matches[1].pk, matches[1].version, "9-9", tables.to_move(matches[1]).pk)
    answers = play.make_moves([*requests, requests[0]])
    assert isinstance(answers[0], play.Outcome)
    assert answers[1].code == "bad_move"
    assert isinstance(answers[2], play.Outcome)
    assert answers[3].code == "stale"


def test_the_key_is_revealed_with_the_end_of_its_round_and_the_deal_can_be_checked():
    match = tables.running_table([tables.person(), tables.person()])
    assert not any(isinstance(event, KeyRevealed) for event in events_of(match))
    tables.play_round(match)
    events = events_of(match)
    ended = next(seq for seq, event in enumerate(events) if isinstance(event, RoundEnded))
    key = next(event for event in events[ended:] if isinstance(event, KeyRevealed))
    dealt = next(event for event in events if isinstance(event, RoundDealt))
    assert deal.commitment(key.key) == dealt.commitment
    assert not any(isinstance(event, SecretRevealed) for event in events)


@pytest.mark.django_db(transaction=True)
def test_what_is_kept_in_memory_is_what_the_record_tells_also_when_something_is_revealed():
    match = tables.running_table([tables.person(), tables.person()], bots=2)
    tables.play_round(match)
    kept = record.state_of(match.pk, tables.row_of(match).version)
    assert kept.round.key
    assert kept == record.load(match.pk)
    play.leave(match_id=match.pk, user_id=match.seats.get(index=0).user_id)
    play.leave(match_id=match.pk, user_id=match.seats.get(index=1).user_id)
    kept = record.state_of(match.pk, tables.row_of(match).version)
    assert kept.secret
    assert kept == record.load(match.pk)


def test_a_match_ends_with_places_ratings_and_the_secret():
    people = [tables.person(), tables.person()]
    match = tables.running_table(people, rated=True)
    finish(match)
    match.refresh_from_db()
    events = events_of(match)
    ended = next(event for event in events if isinstance(event, MatchEnded))
    assert match.status == Match.Status.FINISHED
    assert proof.verify(events) == []
    assert tuple(match.seats.order_by("index").values_list("place", flat=True)) == ended.places
    for seat, user in enumerate(people):
        rating = Rating.objects.get(user=user, variant="kozel")
        assert (rating.points, rating.matches) == (ended.rating[seat].total, 1)
    with pytest.raises(Refused, match="finished"):
        play.make_move(match_id=match.pk, user_id=people[0].pk, move="draw", version=match.version)


def test_a_casual_match_gives_no_rating_points():
    people = [tables.person(), tables.person()]
    finish(tables.running_table(people))
    assert not Rating.objects.exists()


def test_the_next_round_begins_when_all_people_are_ready():
    people = [tables.person(), tables.person()]
    match = tables.running_table(people, bots=1)
    tables.play_round(match)
    assert tables.row_of(match).due_kind == Match.Due.ROUND
    play.ready(match_id=match.pk, user_id=people[0].pk)
    assert tables.row_of(match).round == 1
    play.ready(match_id=match.pk, user_id=people[1].pk)
    assert tables.row_of(match).round == 2
    assert not match.seats.filter(ready=True).exists()


def test_leaving_a_rated_match_ends_it_by_the_rules():
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


def test_in_a_casual_match_a_bot_plays_on_for_who_left_and_the_person_may_come_back():
    people = [tables.person(), tables.person()]
    match = tables.running_table(people)
    play.leave(match_id=match.pk, user_id=people[0].pk)
    seat = match.seats.get(index=0)
    assert seat.bot
    assert seat.user == people[0]
    assert tables.row_of(match).status == Match.Status.RUNNING
    row = tables.row_of(match)
    with pytest.raises(Refused, match="replaced"):
        play.make_move(match_id=match.pk, user_id=people[0].pk, move="draw", version=row.version)
    play.ready(match_id=match.pk, user_id=people[0].pk)
    assert match.seats.get(index=0).bot, "the bot keeps the seat for the round"
    tables.play_round(match)
    play.next_round(tables.row_of(match), timezone.now())
    assert not match.seats.get(index=0).bot
    assert 0 in tables.row_of(match).people
    if tables.row_of(match).to_move == 0:
        tables.make_first_move(match)


def test_a_bot_makes_all_choices_of_a_round_or_none_however_often_somebody_leaves_and_comes_back():
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


def test_who_says_to_be_back_and_leaves_again_stays_away():
    ann, ben = tables.person("Ann"), tables.person("Ben")
    match = tables.running_table([ann, ben])
    for act in (play.leave, play.ready, play.leave):
        act(match_id=match.pk, user_id=ann.pk)
    tables.play_round(match)
    play.next_round(tables.row_of(match), timezone.now())
    assert match.seats.get(user=ann).bot


def test_who_is_back_next_round_keeps_the_match_when_the_others_leave():
    ann, ben = tables.person("Ann"), tables.person("Ben")
    match = tables.running_table([ann, ben])
    for act, user in ((play.leave, ann), (play.ready, ann), (play.leave, ben)):
        act(match_id=match.pk, user_id=user.pk)
    assert tables.row_of(match).status == Match.Status.RUNNING
    play.leave(match_id=match.pk, user_id=ann.pk)
    assert tables.row_of(match).status == Match.Status.STOPPED


def test_who_may_not_play_any_more_does_not_come_back():
    ann, root = tables.person("Ann"), tables.person("Root", is_staff=True, is_superuser=True)
    match = tables.running_table([ann, tables.person("Ben")])
    play.leave(match_id=match.pk, user_id=ann.pk)
    play.ready(match_id=match.pk, user_id=ann.pk)
    sanctions.impose(moderator=root, user=ann, kind="suspend", reason="cheating", until=None)
    tables.play_round(match)
    play.next_round(tables.row_of(match), timezone.now())
    assert match.seats.get(user=ann).bot


def test_who_leaves_again_does_not_put_off_the_move_of_the_bot():
    match = tables.running_table([tables.person(), tables.person()])
    mover = tables.to_move(match)
    play.leave(match_id=match.pk, user_id=mover.pk)
    row = tables.row_of(match)
    assert row.due_kind == Match.Due.BOT
    play.leave(match_id=match.pk, user_id=mover.pk)
    assert tables.row_of(match).due_at == row.due_at


def test_leaving_and_coming_back_buys_no_time():
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


def test_a_casual_match_that_its_last_person_leaves_is_stopped():
    user = tables.person()
    match = tables.running_table([user], bots=1)
    play.leave(match_id=match.pk, user_id=user.pk)
    match.refresh_from_db()
    assert match.status == Match.Status.STOPPED
    # No moderator had a hand in it.
    over = tables.state_of(match).match_over
    assert verdict(selectors.table(match.pk), over, words_for(match.variant, "en")) == "The match was stopped."


@pytest.mark.parametrize("reason", ["stopped", "void"])
def test_a_match_stopped_from_outside_has_no_winner(reason):
    match = tables.running_table([tables.person(), tables.person()], rated=True)
    play.stop(match_id=match.pk, reason=reason)
    match.refresh_from_db()
    assert match.status == reason
    assert not Rating.objects.exists()
    assert not match.seats.filter(place__isnull=False).exists()
    assert proof.verify(events_of(match)) == []


@pytest.mark.django_db
def test_who_sits_at_as_many_tables_as_one_may_cannot_take_back_a_fourth_seat():
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
