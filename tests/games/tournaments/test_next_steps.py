"""The page of an ended table leads on: to the next table, to a pause, or to the standing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from games.match.moments import moment_of
from games.models import Match, Tournament
from games.services import play
from games.tournaments import announcing, entering, selectors
from games.tournaments.core.arena import RESULT_TIME, propose_tables
from tests.games.tables import person
from tests.games.tournaments.site import (
    MINUTE,
    SECOND,
    START,
    announced,
    arena,
    begin_round,
    end_matches,
    entrants,
    run_clock,
    running_matches,
)

NAMES = ("Anna", "Bela", "Cyril", "Dora")
REMATCH = 'name="answer" value="yes"'
PAUSE = "Take a break"
LAST_TABLE = "That was your last table of this tournament."


def browser(user: User) -> Client:
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(user)
    return client


def page_of(match: Match, user: User) -> str:
    return browser(user).get(f"/match/{match.slug}/").text


def match_of(user: User) -> Match:
    return Match.objects.filter(seats__user=user).latest("pk")


def after_first_round(tournament: Tournament) -> tuple[list[User], Match]:
    """Play a table with each person, and return the first person's."""
    people = entrants(tournament, *NAMES)
    run_clock(START, people)
    begin_round(START + 20 * SECOND, people)
    match = match_of(people[0])
    end_matches()
    run_clock(START + MINUTE, people)
    return people, match


@pytest.mark.parametrize("announce", [announced, arena])
def test_an_ended_table_announces_the_next_instead_of_a_rematch(announce: Callable[[], Tournament]) -> None:
    tournament = announce()
    people, match = after_first_round(tournament)
    page = page_of(match, people[0])
    assert "Next table in" in page
    assert PAUSE in page
    assert f'href="/tournament/{tournament.slug}/"' in page
    assert REMATCH not in page
    assert '<noscript><meta http-equiv="refresh" content="5">' in page


def test_a_table_that_ends_before_the_others_of_its_round_promises_no_time() -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES)
    begin_round(START, people)
    first, _second = running_matches()
    player = next(user for user in people if first.seats.filter(user=user).exists())
    play.end_match_against(match_id=first.pk, seat=0)
    run_clock(START + MINUTE, people)
    page = page_of(first, player)
    assert "Your next table opens by itself." in page
    assert "Next table in" not in page
    end_matches()
    run_clock(START + 2 * MINUTE, people)
    assert "Next table in" in page_of(first, player)


def test_the_page_of_the_ended_table_goes_to_the_next_one_with_and_without_scripts() -> None:
    tournament = announced()
    people, match = after_first_round(tournament)
    revision = Match.objects.get(pk=match.pk).revision
    begin_round(START + 2 * MINUTE, people)
    following = match_of(people[0])
    assert following != match
    page, address = page_of(match, people[0]), f"/match/{following.slug}/"
    assert f'data-follow="{address}"' in page
    assert f'content="5;url={address}"' in page
    assert Match.objects.get(pk=match.pk).revision > revision, "open pages are told"
    assert "data-follow" not in Client().get(f"/match/{match.slug}/").text


def test_a_table_at_play_says_nothing_of_the_next() -> None:
    tournament = announced()
    people = entrants(tournament, *NAMES)
    begin_round(START, people)
    page = page_of(match_of(people[0]), people[0])
    assert PAUSE not in page
    assert "next-step" not in page


def test_a_pause_is_taken_and_ended_at_the_ended_table() -> None:
    tournament = arena()
    people, match = after_first_round(tournament)
    entering.sit_out(tournament=tournament, user=people[0], now=START + MINUTE)
    page = page_of(match, people[0])
    assert "You are taking a break." in page
    assert f'formaction="/tournament/{tournament.slug}/return/"' in page
    assert 'http-equiv="refresh"' not in page
    entering.come_back(tournament=tournament, user=people[0], now=START + MINUTE)
    assert PAUSE in page_of(match, people[0])


def test_who_has_left_and_whose_tournament_is_over_are_led_to_the_standing() -> None:
    tournament = announced()
    people, match = after_first_round(tournament)
    entering.withdraw(tournament=tournament, user=people[0], now=START + MINUTE)
    opponent = next(user for user in people[1:] if match.seats.filter(user=user).exists())
    assert LAST_TABLE in page_of(match, people[0])
    assert PAUSE in page_of(match, opponent)
    Tournament.objects.update(host=people[1], stage="announced")
    announcing.cancel(tournament=tournament, by=people[1], now=START + MINUTE)
    page = page_of(match, opponent)
    assert PAUSE not in page
    assert f'href="/tournament/{tournament.slug}/">Standings' in page


def test_earlier_tables_say_nothing_of_what_follows() -> None:
    tournament = announced()
    people, match = after_first_round(tournament)
    begin_round(START + 2 * MINUTE, people)
    end_matches()
    run_clock(START + 3 * MINUTE, people)
    page = page_of(match, people[0])
    assert "data-follow" not in page
    assert PAUSE not in page
    assert f'href="/tournament/{tournament.slug}/">Standings' in page


def test_a_table_that_ends_too_late_for_another_is_the_last() -> None:
    tournament = arena()
    people = entrants(tournament, *NAMES)
    run_clock(START, people)
    begin_round(START + 20 * SECOND, people)
    match = match_of(people[0])
    end_matches()
    run_clock(last_begin(tournament) - 7 * SECOND)
    assert LAST_TABLE in page_of(match, people[0])


def test_the_page_of_an_arena_promises_no_table_after_the_last_begin() -> None:
    tournament = arena()
    people, _match = after_first_round(tournament)
    promise, last, latecomer = "your next table opens by itself", last_begin(tournament), person("Emil")
    entering.enter(tournament=tournament, user=latecomer, now=last - SECOND)
    with time_machine.travel(last, tick=False):
        page = tournament_page(tournament, people[0])
        assert promise in page
        assert PAUSE in page
    with time_machine.travel(last + SECOND, tick=False):
        page = tournament_page(tournament, people[0])
        assert LAST_TABLE in page
        assert promise not in page
        assert PAUSE not in page
        page = tournament_page(tournament, latecomer)
        assert LAST_TABLE not in page
        assert promise not in page


def test_open_pages_of_an_arena_are_told_that_no_table_begins_any_more() -> None:
    tournament = arena()
    people, _match = after_first_round(tournament)
    last = last_begin(tournament)
    revisions = []
    for second in (0, 2, 4):
        run_clock(last + second * SECOND, people[:1])
        revisions.append(Tournament.objects.get(pk=tournament.pk).revision)
    assert revisions == [revisions[0], revisions[0] + 1, revisions[0] + 1]


def last_begin(tournament: Tournament) -> datetime:
    return moment_of(selectors.load_terms(tournament).last_begin)


def tournament_page(tournament: Tournament, user: User) -> str:
    return browser(user).get(f"/tournament/{tournament.slug}/").text


def test_an_arena_leaves_time_for_the_result() -> None:
    tournament = arena()
    after_first_round(tournament)
    state = selectors.load_state(Tournament.objects.get(pk=tournament.pk))
    over_at = max(table.over_at for table in state.tables)
    waiting = dict.fromkeys("1234", 0)
    assert propose_tables(state, waiting, "seed", over_at + RESULT_TIME - 1) is None
    assert propose_tables(state, waiting, "seed", over_at + RESULT_TIME) is not None
    assert timedelta(milliseconds=RESULT_TIME) == 8 * SECOND
