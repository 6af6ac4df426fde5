"""A Swiss on the site: the clock starts it, seats its people, counts their matches and ends it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from pytest_django import Settings

from accounts.models import User
from accounts.services import delete_person
from games.fair_dealing import nonces
from games.match import record as match_record
from games.models import Entry, Match, Seat, SiteSwitches, Tournament, TournamentTable
from games.moderation import acts
from games.services import downtime, naming, play, seating
from games.site_switches import read_switches
from games.tournaments import clock, commits, entering, record, selectors
from games.tournaments.core import commands
from games.tournaments.core.evolve import fold
from games.tournaments.core.standings import standings
from tests.games import tables
from tests.games.tournaments.site import (
    MINUTE,
    SECOND,
    START,
    announced,
    begin_round,
    end_matches,
    entrants,
    run_clock,
    running_matches,
    tables_of,
)

NAMES = ("Anna", "Bela", "Cyril", "Dora")


def play_rounds(tournament: Tournament, people: list[User]) -> None:
    """Play all rounds: a round takes a minute."""
    now = START
    while Tournament.objects.get(pk=tournament.pk).stage in Tournament.UNFINISHED:
        begin_round(now, people)
        end_matches()
        run_clock(now + MINUTE / 2, people)
        now += MINUTE
        assert now < START + 20 * MINUTE


def stage_of(tournament: Tournament) -> str:
    return Tournament.objects.get(pk=tournament.pk).stage


def test_a_swiss_is_played_to_its_end_by_the_clock_alone() -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES)
    play_rounds(tournament, people)
    row = Tournament.objects.get(pk=tournament.pk)
    assert (row.stage, row.round, row.rounds, row.parties, row.due_at) == ("over", 4, 4, 4, None)
    assert [table.stage for table in tables_of(row)] == ["over"] * 8
    assert Match.objects.filter(tournament_table__tournament=row, status="finished").count() == 8
    state = fold(record.events(row.pk))
    assert state == selectors.load_state(row)
    assert {entry.party: entry.rank for entry in row.entries.all()} == {
        line.party: line.rank for line in standings(state)
    }
    assert row.entries.get(user=people[0]).rank == 1
    assert selectors.standing_rows(row)[0].people == (selectors.Person(people[0].pk, "Anna"),)


def test_tables_have_the_terms_of_the_tournament_and_bots_in_free_seats() -> None:
    tournament = announced(seats=4, visibility="link")
    people = entrants(tournament, *NAMES, "Emil")
    begin_round(START, people)
    matches = running_matches()
    assert {(match.visibility, match.absence, match.talk) for match in matches} == {("link", "hold", "phrases")}
    assert sorted(match.seats.filter(bot="steady").count() for match in matches) == [1, 2]
    assert Seat.objects.filter(user__isnull=False).count() == 5


def test_a_round_waits_for_the_break_and_for_nobody_else() -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES)
    begin_round(START, people)
    end_matches()
    run_clock(START + MINUTE, people)
    run_clock(START + MINUTE + 10 * SECOND, people)
    assert Tournament.objects.get(pk=tournament.pk).round == 1
    run_clock(START + MINUTE + 15 * SECOND, people)
    assert Tournament.objects.get(pk=tournament.pk).round == 2


def test_too_few_people_cancel_it() -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES)
    run_clock(START, people[:3])
    assert stage_of(tournament) == "cancelled"


def test_whoever_is_not_seen_gets_no_table_and_leaves_after_the_second_time() -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES, "Emil", "Fanni")
    begin_round(START, people)
    end_matches()
    for number in (1, 2):
        moment = START + number * 5 * MINUTE
        run_clock(moment, people)
        begin_round(moment + 2 * MINUTE, people[:5])
        end_matches()
    entry = tournament.entries.get(user=people[5])
    assert (entry.status, entry.leaving) == ("gone", "absent")
    assert tables_of(tournament)[0].round == 1
    assert all("6" not in table.parties for table in tables_of(tournament) if table.round > 1)


def test_an_open_page_of_the_last_table_counts_as_seen() -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES)
    begin_round(START, people)
    end_matches()
    run_clock(START + 5 * MINUTE, people[:2])
    now = START + 5 * MINUTE + 15 * SECOND
    Seat.objects.filter(user__in=people[2:]).update(last_seen=now - 20 * SECOND, left_at=None)
    begin_round(now, people[:2])
    assert len(running_matches()) == 2


def test_who_never_came_to_the_table_has_no_points_and_the_opponent_all() -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES)
    begin_round(START, people)
    match = running_matches()[0]
    absent, present = match.seats.order_by("index")
    tables.hold_seat(match, absent.user)
    play.stop_match(match_id=match.pk)
    run_clock(START + MINUTE, people)
    table = next(table for table in selectors.load_state(refreshed(tournament)).tables if table.match == match.slug)
    party_of = dict(tournament.entries.values_list("user", "party"))
    results = {result.party: (result.place, result.points) for result in table.results}
    assert results == {party_of[absent.user_id]: (0, 0), party_of[present.user_id]: (1, 12)}


def test_a_held_seat_counts_if_its_person_has_played() -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES)
    begin_round(START, people)
    match = running_matches()[0]
    mover = tables.player_to_move(match)
    tables.make_first_move(match)
    while tables.player_to_move(match) != mover:
        tables.make_first_move(match)
    tables.hold_seat(match, mover)
    play.stop_match(match_id=match.pk)
    run_clock(START + MINUTE, people)
    table = next(table for table in selectors.load_state(refreshed(tournament)).tables if table.match == match.slug)
    assert [(result.place, result.points) for result in table.results] == [(1, 6), (1, 6)]


def test_a_table_that_hangs_is_stopped_and_counts_by_its_last_whole_round() -> None:
    tournament = announced(variant="triominoes", options={})
    people = entrants(tournament, *NAMES)
    begin_round(START, people)
    hanging, other = running_matches()
    tables.play_round(hanging)
    play.end_match_against(match_id=other.pk, seat=0)
    run_clock(START + MINUTE, people)
    run_clock(START + 14 * MINUTE, people)
    assert Match.objects.get(pk=hanging.pk).status == "running"
    run_clock(START + 15 * MINUTE, people)
    assert Match.objects.get(pk=hanging.pk).status == "stopped"
    assert [table.stage for table in tables_of(tournament)] == ["over", "over"]
    points = [side.points for side in match_record.standings([hanging.pk])[hanging.pk]]
    table = next(t for t in selectors.load_state(refreshed(tournament)).tables if t.match == hanging.slug)
    best = points.index(max(points))
    assert points[0] != points[1]
    assert next(result for result in table.results if result.party == table.parties[best]).points == 12


def test_a_void_match_is_taken_out_and_counts_again_when_it_is_valid(moderator: User) -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES)
    play_rounds(tournament, people)
    match = tables_of(tournament)[0].match
    before = selectors.load_state(refreshed(tournament)).tables[0].results
    acts.void_match(moderator=moderator, match=match, reason="One person played both seats.")
    clock.settle_marks(now=START + 60 * MINUTE)
    assert selectors.load_state(refreshed(tournament)).tables[0].results == ()
    assert not TournamentTable.objects.filter(recounts=True).exists()
    undo_void(match)
    clock.settle_marks(now=START + 61 * MINUTE)
    assert selectors.load_state(refreshed(tournament)).tables[0].results == before


def undo_void(match: Match) -> None:
    from games.moderation import reversals

    reversals.undo_void(Match.objects.get(pk=match.pk))


def test_a_match_that_is_void_before_it_is_counted_is_worth_nothing_to_anybody(moderator: User) -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES)
    begin_round(START, people)
    acts.void_match(moderator=moderator, match=running_matches()[0], reason="A test.")
    run_clock(START + MINUTE, people)
    state = selectors.load_state(refreshed(tournament))
    assert [table.results for table in state.tables if not table.is_pending] == [()]
    assert all(not entry.left_reason for entry in state.entries.values())


def test_a_deleted_account_leaves_no_name_and_its_opponents_play_on() -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES, "Emil", "Zebulon")
    begin_round(START, people)
    delete_person(user=people[5])
    clock.settle_marks(now=START + SECOND)
    entry = tournament.entries.get(key="6")
    assert (entry.user, entry.name, entry.status, entry.leaving) == (None, "Deleted player", "gone", "deleted")
    assert "Zebulon" not in str([event.data for event in tournament.events.all()])
    end_matches()
    run_clock(START + MINUTE, people[:5])
    begin_round(START + MINUTE + 15 * SECOND, people[:5])
    assert refreshed(tournament).round == 2
    assert all("6" not in table.parties for table in tables_of(tournament) if table.round == 2)


def test_a_bot_sits_down_for_who_deletes_the_account_during_the_start(settings: Settings, moderator: User) -> None:
    settings.NONCE_SECONDS = 5
    tournament = announced()
    people = entrants(tournament, *NAMES)
    begin_round(START, people)
    match = Match.objects.get(seats__user=people[0])
    other = Match.objects.exclude(pk=match.pk).get()
    delete_person(user=people[0])
    nonces.end_commit_phase(match_id=match.pk)
    acts.stop_match(moderator=moderator, match=other, reason="A test.")
    assert [Match.objects.get(pk=row.pk).status for row in (match, other)] == ["running", "void"]
    assert match.seats.filter(bot="steady").count() == 1


def test_marks_are_settled_next_to_a_tournament_that_has_just_ended() -> None:
    ended, other = announced(), announced(variant="triominoes")
    people = entrants(ended, *NAMES)
    entering.enter(tournament=other, user=people[0], now=START - MINUTE)
    with transaction.atomic():
        commits.lock(ended.pk).carry_out(commands.Cancel("host", "host"), START)
    Tournament.objects.filter(pk=ended.pk).update(stage="announced")  # as the clock has read it before
    delete_person(user=people[0])
    clock.settle_marks(now=START)
    assert other.entries.get().status == "gone"


def test_a_suspended_person_is_taken_out(moderator: User) -> None:
    from accounts.sanctions import imposing

    tournament = announced()
    people = entrants(tournament, *NAMES, "Emil")
    imposing.impose(moderator=superuser(), user=people[4], kind="suspend", reason="cheating", until=None)
    clock.settle_marks(now=START - SECOND)
    assert (refreshed(tournament).parties, tournament.entries.get(user=people[4]).leaving) == (4, "removed")


def superuser() -> User:
    return User.objects.create(username="moderator", is_staff=True, is_superuser=True)


@pytest.mark.parametrize("switch", ["matches_paused", "clocks_stopped"])
def test_the_switches_of_the_operators_stop_it(switch: str) -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES)
    set_switches(**{switch: True})
    begin_round(START, people)
    assert stage_of(tournament) == "announced"
    set_switches(**{switch: False})
    begin_round(START + MINUTE, people)
    assert len(running_matches()) == 2
    set_switches(**{switch: True})
    end_matches()
    run_clock(START + 2 * MINUTE, people)
    run_clock(START + 3 * MINUTE, people)
    row = refreshed(tournament)
    assert (row.round, [table.stage for table in tables_of(row)]) == (1, ["over", "over"])
    set_switches(**{switch: False})


def set_switches(**values: bool) -> None:
    SiteSwitches.objects.update_or_create(pk=1, defaults=values)
    read_switches()


def test_nobody_is_absent_while_people_cannot_act() -> None:
    tournament = announced()
    entrants(tournament, *NAMES)
    run_clock(START, with_deadlines=False)
    assert stage_of(tournament) == "announced"


def test_an_outage_moves_what_is_due_and_gives_tables_more_time() -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES)
    begin_round(START, people)
    downtime.write_heartbeat(["web", "clock"], now=START)
    back = START + 10 * MINUTE
    downtime.write_heartbeat(["web", "clock"], now=back)
    row = refreshed(tournament)
    assert row.due_at == back + timedelta(seconds=20)
    assert row.lost_ms == 10 * 60_000 + 20_000
    run_clock(START + 34 * MINUTE, people)
    assert len(running_matches()) == 2
    run_clock(START + 35 * MINUTE, people)
    assert running_matches() == []


def test_entrants_return_before_the_start_after_an_outage_without_matches() -> None:
    tournament = announced()
    entrants(tournament, *NAMES)
    downtime.write_heartbeat(["web", "clock"], now=START - 5 * MINUTE)
    back = START + MINUTE
    downtime.write_heartbeat(["web", "clock"], now=back)
    assert refreshed(tournament).due_at == back + timedelta(seconds=20)


def refreshed(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


def test_late_entries_and_pauses_come_into_the_next_round() -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES)
    begin_round(START, people)
    emil = tables.person("Emil")
    entering.enter(tournament=tournament, user=emil, now=START + SECOND)
    entering.sit_out(tournament=tournament, user=people[0], now=START + SECOND)
    end_matches()
    run_clock(START + MINUTE, [*people, emil])
    begin_round(START + 2 * MINUTE, [*people, emil])
    parties = {party for table in tables_of(tournament) if table.round == 2 for party in table.parties}
    assert parties == {"2", "3", "4", "5"}


def test_a_broken_tournament_stops_no_other(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    broken, other = announced(), announced(variant="triominoes")
    people = entrants(broken, *NAMES)
    for user in people:
        entering.enter(tournament=other, user=user, now=START - MINUTE)
    honest = clock._start

    def fail(locked: Any, now: Any) -> None:
        if locked.row.pk == broken.pk:
            raise RuntimeError("planted")
        honest(locked, now)

    monkeypatch.setattr(clock, "_start", fail)
    run_clock(START, people)
    assert (stage_of(broken), stage_of(other)) == ("announced", "running")
    assert "tournament_failed" in caplog.text
    assert Entry.objects.filter(status="entered").count() == 8


def test_a_table_that_cannot_begin_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES)
    with monkeypatch.context() as patch:
        patch.setattr(seating, "create_table", lambda **_values: 1 / 0)
        begin_round(START, people)
    assert "tournament_failed" in caplog.text
    assert running_matches() == []
    run_clock(START + MINUTE, people)
    assert len(running_matches()) == 2


def test_a_tournament_of_the_schedule_that_nobody_entered_leaves_no_trace() -> None:
    empty, entered = announced(), announced()
    Tournament.objects.filter(pk=empty.pk).update(plan="arena 1")
    Tournament.objects.filter(pk=entered.pk).update(plan="arena 2")
    entrants(entered, *NAMES[:3])
    run_clock(START)
    assert list(Tournament.objects.values_list("pk", "stage")) == [(entered.pk, "cancelled")]


def test_a_name_that_a_moderator_replaces_disappears_from_tournaments() -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES)
    naming.replace_name_everywhere(people[0].pk, "Anna", "Player 1")
    assert selectors.people_by_party(refreshed(tournament))["1"] == (selectors.Person(people[0].pk, "Player 1"),)
