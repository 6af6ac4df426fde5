"""Playing at a running table."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import pytest
from django.db.models.sql.compiler import SQLCompiler

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
from games.errors import Refused
from games.match import record, selectors, snapshots
from games.models import Match, RatingPoints
from games.services import heartbeats, play
from games.services.moves import MoveRequest, MoveResult, make_move, make_moves
from tests.games import tables


def events_of(match: Match) -> list[Any]:
    return [event for _seq, event, _at in record.read_events(match.pk)]


def finish(match: Match) -> None:
    """Play on with first moves until the match is over."""
    while (row := tables.locked_row(match)).status == Match.Status.RUNNING:
        if row.to_move is None:
            play.start_next_round(row, match.created_at)
        else:
            tables.make_first_move(match)


@pytest.mark.stack
def test_the_record_begins_with_the_start_and_the_first_deal() -> None:
    match = tables.running_table([tables.person(), tables.person()])
    events = [event for event in events_of(match) if not isinstance(event, DealVoided)]
    assert [type(event) for event in events] == [MatchStarted, RoundDealt]
    assert events[0].commitment == match.commitment
    assert events[0].nonces == ("nonce-0", "nonce-1")
    assert events[0].nonce_commitments == tuple(map(deal.nonce_commitment, events[0].nonces))
    assert events[0].bots == ()
    assert match.status == Match.Status.RUNNING


def test_the_record_says_which_seats_bots_had_at_the_start() -> None:
    started = events_of(tables.running_table([tables.person()], bots=2))[0]
    assert started.bots == (1, 2)
    assert started.nonces == ("nonce-0", "", "")
    assert started.nonce_commitments[1:] == ("", "")


def test_a_table_with_a_free_seat_does_not_start() -> None:
    match = tables.open_table([tables.person(), tables.person()])
    match.seats.filter(index=1).update(user=None)
    with pytest.raises(Refused, match="empty_seats"):
        play.start_match(match=match)


def test_a_match_with_one_person_is_not_rated() -> None:
    assert not tables.running_table([tables.person()], bots=1, rated=True).rated
    assert tables.running_table([tables.person(), tables.person()], rated=True).rated


def test_moves_readiness_and_heartbeats_bypass_the_orm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through it they would miss their targets, see docs/performance.md."""
    people = [tables.person(), tables.person()]
    match = tables.running_table(people)
    inputs, _ = heartbeats.admit_page(people[0], match.slug, {})
    page = heartbeats.PageHeartbeat(
        people[0], match.slug, match.pk, {}, is_seated=True, admission_inputs=inputs, lag_ms=None
    )
    move, user_id, row = tables.first_legal_move(match), tables.player_to_move(match).pk, tables.locked_row(match)
    record.cache_state(match.pk, row.version, tables.state_of(match))
    with monkeypatch.context() as patch:
        patch.setattr(SQLCompiler, "execute_sql", query := Mock())
        make_move(match_id=match.pk, move=move, user_id=user_id, version=row.version)
        heartbeats.handle_heartbeat(page, now=match.created_at)
    tables.play_round(match)
    with monkeypatch.context() as patch:
        patch.setattr(SQLCompiler, "execute_sql", query)
        play.mark_ready(match_id=match.pk, user_id=people[0].pk)
    assert not query.called
    assert tables.locked_row(match).holders[0].ready


@pytest.mark.stack
def test_a_move_is_written_and_counted() -> None:
    match = tables.running_table([tables.person(), tables.person()])
    before = tables.locked_row(match)
    outcome = make_move(
        match_id=match.pk,
        user_id=tables.player_to_move(match).pk,
        move=tables.first_legal_move(match),
        version=before.version,
    )
    after = tables.locked_row(match)
    assert (outcome.version, outcome.revision) == (before.version + 1, before.revision + 1)
    assert (after.version, after.revision) == (outcome.version, outcome.revision)
    assert after.to_move == tables.state_of(match).round.to_move


@pytest.mark.stack
def test_a_move_for_an_older_version_is_stale() -> None:
    match = tables.running_table([tables.person(), tables.person()])
    row = tables.locked_row(match)
    with pytest.raises(Refused, match="stale"):
        make_move(
            match_id=match.pk,
            user_id=tables.player_to_move(match).pk,
            move=tables.first_legal_move(match),
            version=row.version - 1,
        )
    assert tables.locked_row(match) == row


def test_only_players_can_move() -> None:
    match = tables.running_table([tables.person(), tables.person()])
    with pytest.raises(Refused, match="not_seated"):
        make_move(match_id=match.pk, user_id=tables.person().pk, move="draw", version=match.version)


def test_the_rules_refuse_a_move_out_of_turn_and_change_nothing() -> None:
    people = [tables.person(), tables.person()]
    match = tables.running_table(people)
    row = tables.locked_row(match)
    with pytest.raises(Refusal) as refusal:
        make_move(match_id=match.pk, user_id=people[1 - row.to_move].pk, move="pass", version=row.version)
    assert refusal.value.code == "not_your_turn"
    assert tables.locked_row(match) == row


@pytest.mark.stack
def test_moves_of_several_matches_are_one_transaction_and_a_refused_one_does_not_stop_the_others() -> None:
    matches = [tables.running_table([tables.person(), tables.person()]) for _ in range(3)]
    requests = [
        MoveRequest(match.pk, match.version, tables.first_legal_move(match), tables.player_to_move(match).pk)
        for match in matches
    ]
    requests[1] = MoveRequest(matches[1].pk, matches[1].version, "9-9", tables.player_to_move(matches[1]).pk)
    answers = make_moves([*requests, requests[0]])
    assert isinstance(answers[0], MoveResult)
    assert isinstance(answers[1], Refusal | Refused)
    assert answers[1].code == "bad_move"
    assert isinstance(answers[2], MoveResult)
    assert isinstance(answers[3], Refusal | Refused)
    assert answers[3].code == "stale"


def test_the_key_is_revealed_with_the_end_of_its_round_and_the_deal_can_be_checked() -> None:
    match = tables.running_table([tables.person(), tables.person()])
    assert not any(isinstance(event, KeyRevealed) for event in events_of(match))
    tables.play_round(match)
    events = events_of(match)
    ended = next(seq for seq, event in enumerate(events) if isinstance(event, RoundEnded))
    key = next(event for event in events[ended:] if isinstance(event, KeyRevealed))
    dealt = next(event for event in events if isinstance(event, RoundDealt))
    assert deal.commitment(key.key) == dealt.commitment
    assert not any(isinstance(event, SecretRevealed) for event in events)


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
def test_cached_state_equals_the_record() -> None:
    match = tables.running_table([tables.person(), tables.person()], bots=2)
    tables.play_round(match)
    state = record.state_of(match.pk, tables.locked_row(match).version)
    assert state.round.key
    assert state == record.load_state(match.pk)
    play.leave_match(match_id=match.pk, user_id=match.seats.get(index=0).user_id)
    play.leave_match(match_id=match.pk, user_id=match.seats.get(index=1).user_id)
    state = record.state_of(match.pk, tables.locked_row(match).version)
    assert state.secret
    assert state == record.load_state(match.pk)


@pytest.mark.stack
def test_a_match_ends_with_places_ratings_and_the_secret() -> None:
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
        rating = RatingPoints.objects.get(user=user, variant="kozel")
        assert (rating.points, rating.matches) == (ended.rating[seat].total, 1)
    with pytest.raises(Refused, match="finished"):
        make_move(match_id=match.pk, user_id=people[0].pk, move="draw", version=match.version)


def test_a_casual_match_gives_no_rating_points() -> None:
    people = [tables.person(), tables.person()]
    finish(tables.running_table(people))
    assert not RatingPoints.objects.exists()


def test_the_next_round_begins_when_all_people_are_ready() -> None:
    people = [tables.person(), tables.person()]
    match = tables.running_table(people, bots=1)
    tables.play_round(match)
    assert tables.locked_row(match).due_kind == Match.Due.ROUND
    play.mark_ready(match_id=match.pk, user_id=people[0].pk)
    assert tables.locked_row(match).round == 1
    play.mark_ready(match_id=match.pk, user_id=people[1].pk)
    assert tables.locked_row(match).round == 2
    assert not match.seats.filter(ready=True).exists()


@pytest.mark.stack
def test_snapshots_from_memory_equal_the_stored_rows(
    django_capture_on_commit_callbacks: Any,
) -> None:
    people = [tables.person(), tables.person()]
    match = tables.running_table(people)
    snapshots.current_snapshot(match.pk)
    while (row := tables.locked_row(match)).round == 1:
        waits = next(user for user in people if not match.seats.get(user=user).ready)
        with django_capture_on_commit_callbacks(execute=True):
            if row.to_move is None:
                play.mark_ready(match_id=match.pk, user_id=waits.pk)
            else:
                tables.make_first_move(match)
        snapshot = snapshots.cached_snapshot(match.pk, row.revision + 1)
        assert snapshot is not None
        assert (snapshot.table, snapshot.state) == (selectors.read_table(match.pk), record.load_state(match.pk))
