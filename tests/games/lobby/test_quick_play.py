"""Quick play: one press leads to a running table within 20 seconds, whatever others do."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.lobby import quick_play, tables
from games.models import Match, Seat
from games.services import due_events, seating
from games.words import offered_variants
from tests.games.lobby.test_tables import refused, running, sitting, table
from tests.games.tables import person

PROMISED = timedelta(seconds=20)
GAMES = list(offered_variants())


def twenty_seconds_later(match: Match) -> Match:
    """Let the clock do what is due by then."""
    due_events.fire_due_events(now=timezone.now() + PROMISED)
    match.refresh_from_db()
    return match


class TestThePromise:
    def test_bots_fill_a_table_that_nobody_joins(self, ann: User) -> None:
        match = quick_play.join_quick_game(user=ann, variant="kozel")
        assert (match.status, match.visibility, match.rated) == ("open", "public", False)
        assert twenty_seconds_later(match).status == "running"
        assert sitting(match) == ["Ann", "bot", "bot", "bot"]

    @pytest.mark.parametrize("terms", [{}, {"visibility": "link"}, {"rated": True}, {"clock": "none"}])
    def test_a_host_who_never_starts_keeps_nobody_waiting(self, ann: User, ben: User, terms: dict[str, Any]) -> None:
        table(ann, **terms)
        assert twenty_seconds_later(quick_play.join_quick_game(user=ben, variant="kozel")).status == "running"

    def test_the_short_form_is_played_unless_the_full_one_is_asked_for(self, ann: User, ben: User) -> None:
        assert quick_play.join_quick_game(user=ann, variant="kozel").options == {"fish": "all", "length": "quick"}
        assert quick_play.join_quick_game(user=ben, variant="kozel", length="full").options == {"fish": "all"}
        assert quick_play.join_quick_game(user=ben, variant="rytmino").options == {"leftover": "none", "deals": "1"}

    @pytest.mark.parametrize("choice", [("kozel", "long"), ("rytmino", "quick")])
    def test_unknown_length_is_refused(self, ann: User, choice: tuple[str, str]) -> None:
        refused("bad_request", quick_play.join_quick_game, user=ann, variant=choice[0], length=choice[1])

    @pytest.mark.stack
    def test_people_wait_together_for_a_match_of_the_same_length(self, ann: User, ben: User) -> None:
        quick = quick_play.join_quick_game(user=ann, variant="kozel")
        full = quick_play.join_quick_game(user=ben, variant="kozel", length="full")
        assert quick != full
        assert quick_play.join_quick_game(user=person("Cleo"), variant="kozel", length="full") == full
        assert quick_play.join_quick_game(user=person("Dora"), variant="kozel", length="quick") == quick

    def test_choosing_another_length_gives_up_the_seat(self, ann: User) -> None:
        quick = quick_play.join_quick_game(user=ann, variant="kozel")
        assert quick_play.join_quick_game(user=ann, variant="kozel", length="quick") == quick
        assert quick_play.join_quick_game(user=ann, variant="kozel", length="full") != quick
        quick.refresh_from_db()
        assert quick.status == "void"

    def test_later_player_does_not_extend_the_wait(self, ann: User, ben: User) -> None:
        match = quick_play.join_quick_game(user=ann, variant="kozel")
        Match.objects.update(due_at=timezone.now() + timedelta(seconds=1))
        assert quick_play.join_quick_game(user=ben, variant="kozel") == match
        assert twenty_seconds_later(match).status == "running"
        assert sitting(match) == ["Ann", "Ben", "bot", "bot"]

    def test_player_from_the_list_does_not_stop_the_countdown(self, ann: User, ben: User) -> None:
        match = quick_play.join_quick_game(user=ann, variant="kozel")
        tables.sit(match=match, user=ben)
        assert twenty_seconds_later(match).status == "running"

    def test_first_player_can_leave(self, ann: User, ben: User) -> None:
        match = quick_play.join_quick_game(user=ann, variant="kozel")
        quick_play.join_quick_game(user=ben, variant="kozel")
        tables.stand_up(match=match, user=ann)
        assert twenty_seconds_later(match).status == "running"
        assert sitting(match) == ["bot", "Ben", "bot", "bot"]


class TestNow:
    """A player who waits may call the bots before the 20 seconds are over."""

    def test_one_press_adds_bots_and_starts(self, ann: User, ben: User) -> None:
        match = quick_play.join_quick_game(user=ann, variant="kozel")
        quick_play.join_quick_game(user=ben, variant="kozel")
        assert tables.fill_with_bots(match=match, by=ben).status == "running"
        assert sitting(match) == ["Ann", "Ben", "bot", "bot"]

    def test_taking_the_last_seat_from_the_list_starts_the_match(self, ann: User, ben: User) -> None:
        match = quick_play.join_quick_game(user=ann, variant="rytmino")
        for number in range(match.seat_count - 1):
            match = tables.sit(match=match, user=person(f"Guest {number}"))
        assert match.status == "running"


class TestTogether:
    @pytest.mark.stack
    @pytest.mark.parametrize("game", GAMES)
    def test_the_second_person_joins_the_first(self, ann: User, ben: User, game: str) -> None:
        match = quick_play.join_quick_game(user=ann, variant=game)
        assert quick_play.join_quick_game(user=ben, variant=game) == match
        assert (match.variant, sitting(match)[:2]) == (game, ["Ann", "Ben"])

    def test_last_free_seat_starts_the_match_at_once(self) -> None:
        for name in ("Ann", "Ben", "Cleo"):
            assert quick_play.join_quick_game(user=person(name), variant="kozel").status == "open"
        assert quick_play.join_quick_game(user=person("Dan"), variant="kozel").status == "running"

    def test_a_full_table_is_left_alone(self, ann: User, ben: User) -> None:
        match = quick_play.join_quick_game(user=ann, variant="kozel")
        tables.fill_with_bots(match=match, by=ann)
        assert quick_play.join_quick_game(user=ben, variant="kozel") != match

    def test_a_table_that_started_in_time_is_not_filled_again(self, ann: User) -> None:
        match = quick_play.join_quick_game(user=ann, variant="kozel")
        tables.fill_with_bots(match=match, by=ann)
        version = Match.objects.get(pk=match.pk).version
        quick_play.fill_due_table(match_id=match.pk)
        assert Match.objects.get(pk=match.pk).version == version


class TestTheGame:
    def test_default_game_is_the_last_played_one(self, ann: User) -> None:
        running(ann)
        assert quick_play.join_quick_game(user=ann).variant == "kozel"

    def test_default_game_of_a_new_player_is_the_first(self, ann: User) -> None:
        assert quick_play.join_quick_game(user=ann).variant == GAMES[0]

    def test_an_unknown_game_is_refused(self, ann: User) -> None:
        refused("bad_request", quick_play.join_quick_game, user=ann, variant="chess")

    @pytest.mark.parametrize("game", GAMES)
    def test_nobody_is_seated_at_another_game(self, ann: User, ben: User, game: str) -> None:
        waiting = [quick_play.join_quick_game(user=person(other), variant=other) for other in GAMES if other != game]
        assert quick_play.join_quick_game(user=ann, variant=game) not in waiting


class TestPressedAgain:
    def test_second_press_leads_to_the_same_table(self, ann: User, ben: User) -> None:
        own = quick_play.join_quick_game(user=ann, variant="kozel")
        assert quick_play.join_quick_game(user=ann, variant="kozel") == own
        assert Seat.objects.filter(user=ann).count() == 1

    @pytest.mark.stack
    def test_second_press_for_another_game_gives_up_the_seat(self, ann: User, ben: User) -> None:
        for game, other in pairwise(GAMES):
            first = quick_play.join_quick_game(user=ann, variant=game)
            assert quick_play.join_quick_game(user=ann, variant=other) != first
            first.refresh_from_db()
            assert first.status == "void"

    def test_own_open_table_is_kept(self, ann: User) -> None:
        own = table(ann)
        assert quick_play.join_quick_game(user=ann, variant="kozel") != own
        assert seating.is_seated(seating.seats_of(own), ann)


def test_player_with_a_similar_name_gets_another_table(ann: User) -> None:
    waiting = quick_play.join_quick_game(user=ann, variant="kozel")
    other = quick_play.join_quick_game(user=person("ᴀnn"), variant="kozel")
    assert other != waiting
    assert quick_play.join_quick_game(user=person("Ben"), variant="kozel") == waiting
