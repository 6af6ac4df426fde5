"""Bots do not play on for nobody, and nobody who is there, or may come back in time, loses a match by that."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games.engine.events import MatchEnded
from games.lobby import open_tables, quick_play
from games.models import Match, Seat
from games.presence import leases
from games.scheduler import Scheduler
from games.services import desertion, play
from games.services.desertion import CHECK_INTERVAL, DesertionTimer
from tests.games import tables
from tests.games.lobby.test_tables import refused, table

NOW = datetime(2026, 3, 12, 14, tzinfo=UTC)
TWO_MINUTES = timedelta(minutes=2)


@pytest.fixture
def ann() -> User:
    return tables.person("Ann")


def held_match(match: Match, *people: User) -> Match:
    """Let bots play for people, last heard of at 14:00."""
    Seat.objects.filter(match=match, user__in=people).update(bot="steady", last_seen=NOW)
    return match


def status_after(match: Match, length: timedelta, timer: DesertionTimer | None = None) -> str:
    """Look as often as a process does from 14:00 on."""
    timer, moment = timer or DesertionTimer(), NOW
    while moment < NOW + length:
        moment += CHECK_INTERVAL
        timer.stop_deserted_matches(now=moment)
    match.refresh_from_db()
    return match.status


@pytest.mark.stack
def test_a_match_that_its_people_left_to_bots_is_stopped_after_two_minutes(ann: User) -> None:
    match = held_match(tables.running_table([ann], bots=2), ann)
    assert status_after(match, TWO_MINUTES - CHECK_INTERVAL) == "running"
    assert status_after(match, TWO_MINUTES) == "stopped"
    assert Seat.objects.get(match=match, user=ann).outcome == "stopped"
    assert tables.state_of(match).match_over == MatchEnded("deserted", 0, "", (), (), ())


def test_several_deserters_are_not_named(ann: User) -> None:
    ben = tables.person("Ben")
    match = held_match(tables.running_table([ann, ben], bots=1), ann, ben)
    assert status_after(match, TWO_MINUTES) == "stopped"
    assert tables.state_of(match).match_over == MatchEnded("deserted", None, "", (), (), ())


def test_connected_player_keeps_the_match_running(ann: User) -> None:
    ben = tables.person("Ben")
    match = tables.running_table([ann, ben], bots=1)
    held_match(match, ann, ben)
    leases.renew_lease(match_id=match.pk, user_id=ben.pk, now=NOW + timedelta(minutes=10))
    assert status_after(match, timedelta(minutes=10)) == "running"


@pytest.mark.stack
def test_desertion_does_not_shorten_a_move(ann: User) -> None:
    match = tables.running_table([ann], bots=1, clock="none")
    Seat.objects.filter(match=match, user=ann).update(last_seen=NOW)
    Match.objects.filter(pk=match.pk).update(to_move=0, turn_started_at=NOW + timedelta(seconds=30))
    assert status_after(match, timedelta(minutes=30)) == "running"
    Match.objects.filter(pk=match.pk).update(to_move=1)
    assert status_after(match, TWO_MINUTES) == "stopped"


def test_a_turn_of_a_person_who_has_left_does_not_delay_the_stop(ann: User) -> None:
    match = tables.running_table([ann], bots=1)
    Seat.objects.filter(match=match, user=ann).update(last_seen=NOW)
    Match.objects.filter(pk=match.pk).update(to_move=0, turn_started_at=NOW + timedelta(seconds=60))
    assert status_after(match, TWO_MINUTES - CHECK_INTERVAL) == "running"
    assert status_after(match, TWO_MINUTES) == "stopped"


def test_page_without_scripts_counts_as_present(ann: User, client: Client) -> None:
    match = held_match(tables.running_table([ann], bots=1), ann)
    client.force_login(ann)
    timer = DesertionTimer()
    for moment in (NOW + timedelta(seconds=30 * number) for number in range(20)):
        with time_machine.travel(moment, tick=False):
            client.get(f"/match/{match.slug}/")
        timer.stop_deserted_matches(now=moment)
    match.refresh_from_db()
    assert match.status == "running"


def test_stalled_process_gives_players_time_to_return(ann: User) -> None:
    match = held_match(tables.running_table([ann], bots=1), ann)
    timer, resumed = DesertionTimer(), NOW + timedelta(minutes=20)
    timer.stop_deserted_matches(now=NOW + CHECK_INTERVAL)
    assert timer.stop_deserted_matches(now=resumed) == 0
    leases.renew_lease(match_id=match.pk, user_id=ann.pk, now=resumed + timedelta(seconds=5))
    timer.stop_deserted_matches(now=resumed + CHECK_INTERVAL)
    assert timer.check_counts == {}


def test_rated_and_bot_matches_are_not_stopped(ann: User) -> None:
    rated = held_match(tables.running_table([ann, ben := tables.person("Ben")], rated=True), ann, ben)
    exhibition = tables.running_table([], bots=2)
    assert status_after(rated, timedelta(minutes=5)) == "running"
    assert status_after(exhibition, timedelta(minutes=5)) == "running"


@pytest.mark.stack
def test_deserted_match_is_stopped_once(ann: User) -> None:
    match = held_match(tables.running_table([ann], bots=1), ann)
    one, other = DesertionTimer(), DesertionTimer()
    status_after(match, TWO_MINUTES - CHECK_INTERVAL, one)
    status_after(match, TWO_MINUTES - CHECK_INTERVAL, other)
    assert (one.stop_deserted_matches(now=NOW + TWO_MINUTES), other.stop_deserted_matches(now=NOW + TWO_MINUTES)) == (
        1,
        0,
    )


def test_desertion_time_is_a_setting(ann: User, settings: Settings) -> None:
    settings.DESERTED_SECONDS = 600
    match = held_match(tables.running_table([ann], bots=1), ann)
    assert status_after(match, timedelta(minutes=9)) == "running"
    assert status_after(match, timedelta(minutes=10)) == "stopped"


@pytest.mark.django_db(transaction=True)
async def test_scheduler_stops_deserted_matches(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    monkeypatch.setattr(desertion.DesertionTimer, "stop_deserted_matches", lambda self, *, now: looked.append(now))
    await Scheduler().tick()
    assert len(looked) == 1


class TestTheTablesOfAPerson:
    """A seat that a bot keeps is one of a person's tables, unless others play on there."""

    def test_deserted_matches_count_towards_the_table_limit(self, ann: User) -> None:
        for _number in range(3):
            held_match(tables.running_table([ann], bots=1), ann)
        refused("too_many_tables", table, host=ann)
        refused("too_many_tables", quick_play.join_quick_game, user=ann, variant="kozel")
        assert len(open_tables.load_own_tables(ann.pk)) == 3

    def test_left_matches_do_not_count_towards_the_table_limit(self, ann: User) -> None:
        for _number in range(3):
            match = tables.running_table([ann, tables.person("Ben")])
            play.leave_match(match_id=match.pk, user_id=ann.pk)
        table(ann)

    @pytest.mark.stack
    def test_held_seats_stay_among_ones_own_tables(self, ann: User) -> None:
        match = tables.running_table([ann, tables.person("Ben")])
        tables.hold_seat(match, ann)
        assert [table.slug for table in open_tables.load_own_tables(ann.pk)] == [match.slug]
        play.leave_match(match_id=match.pk, user_id=ann.pk)
        assert open_tables.load_own_tables(ann.pk) == ()
