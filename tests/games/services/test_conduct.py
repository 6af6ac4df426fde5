"""Which acts the conduct ledger charges, and what a pause from rated play refuses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from accounts.sanctions import imposing
from games.chat import posting
from games.conduct import ledger
from games.enums import ConductKind
from games.errors import Refused
from games.lobby import quick_play
from games.lobby import tables as lobby_tables
from games.models import ConductMark, Match, Message
from games.moderation import acts
from games.services import absence, due_events, play, rematch
from tests.games import tables
from tests.games.lobby.test_tables import refused, table
from tests.games.services.test_absence import missed_twice
from tests.games.services.test_rematch import finished
from tests.games.tables import person

NOW = datetime(2026, 3, 12, 14, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def noon() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


def lines(user: User) -> list[tuple[str, int]]:
    return list(ConductMark.objects.filter(user=user).order_by("pk").values_list("kind", "points"))


def points(user: User) -> int:
    return ledger.standing_of(user.pk, NOW).points


def late(match: Match) -> User:
    """Let the time of the person to move pass, and return who it was."""
    user = tables.to_move(match)
    assert due_events.fire_due_events(now=tables.row_of(match).due_at) == 1
    return user


def pause(user: User) -> None:
    for _match in range(2):
        ledger.charge(user.pk, ConductKind.LEFT, NOW)


class TestAtTheTable:
    def test_what_each_absence_costs_as_long_as_somebody_else_plays(self, ann: User, ben: User) -> None:
        match = tables.running_table([ann, ben, person("Cat"), person("Dan")])
        away = tables.to_move(match)
        missed_twice(match)
        assert lines(away) == [("late", 1), ("held", 2)]
        assert ConductMark.objects.filter(match=match).count() == 2

    def test_the_third_hold_costs_as_much_as_leaving(self, ann: User, ben: User) -> None:
        match = tables.running_table([ann, ben])
        away = tables.to_move(match)
        match.seats.filter(user=away).update(holds=absence.MAX_HOLDS)
        tables.hold(match, away)
        assert lines(away) == [("forfeited", 3)]

    def test_so_does_running_out_of_time_where_that_ends_the_match(self, ann: User, ben: User) -> None:
        assert lines(late(tables.running_table([ann, ben], rated=True))) == [("forfeited", 3)]

    @pytest.mark.parametrize("rated", [True, False])
    def test_leaving_costs_its_price_once(self, ann: User, ben: User, *, rated: bool) -> None:
        match = tables.running_table([ann, ben], rated=rated)
        play.leave_match(match_id=match.pk, user_id=ann.pk)
        assert (lines(ann), lines(ben)) == ([("left", 3)], [])

    def test_somebody_who_is_out_already_leaves_at_no_cost(self, ann: User, ben: User) -> None:
        match = tables.running_table([ann, ben])
        play.leave_match(match_id=match.pk, user_id=ann.pk)
        play.leave_match(match_id=match.pk, user_id=ann.pk)
        assert lines(ann) == [("left", 3)]

    def test_nothing_is_charged_where_only_bots_are_kept_waiting(self, ann: User) -> None:
        match = tables.running_table([ann], bots=1)
        while tables.row_of(match).to_move != 0:
            tables.make_first_move(match)
        late(match)
        play.leave_match(match_id=match.pk, user_id=ann.pk)
        assert lines(ann) == []

    def test_nor_to_the_last_person_of_a_match_that_all_others_have_left(self, ann: User, ben: User) -> None:
        match = tables.running_table([ann, ben])
        play.leave_match(match_id=match.pk, user_id=ann.pk)
        play.leave_match(match_id=match.pk, user_id=ben.pk)
        assert lines(ben) == []

    def test_nor_to_guests(self, ben: User) -> None:
        guest = person("Guest", is_guest=True)
        match = tables.running_table([guest, ben])
        play.leave_match(match_id=match.pk, user_id=guest.pk)
        assert lines(guest) == []

    def test_nor_where_all_agree_to_stop(self, ann: User, ben: User) -> None:
        match = tables.running_table([ann, ben])
        for user in (ann, ben):
            absence.cast_vote(match_id=match.pk, user_id=user.pk, choice="stop")
        assert lines(ann) == lines(ben) == []

    def test_nor_where_a_moderator_removes_or_suspends_somebody(self, moderator: User, ann: User, ben: User) -> None:
        match = tables.running_table([ann, ben, person("Cat")])
        acts.remove_from_seat(moderator=moderator, seat=match.seats.get(user=ann), reason="abuse")
        imposing.impose(moderator=moderator, user=ben, kind="suspend", reason="abuse", until=None)
        assert lines(ann) == lines(ben) == []


class TestBeforeTheDeal:
    def leave(self, user: User, host: User, **more: Any) -> Match:
        match = table(host)
        lobby_tables.sit(match=match, user=user)
        lobby_tables.stand_up(match=match, user=user, **more)
        acts.vacate_all(host)
        return match

    @pytest.mark.stack
    def test_two_seats_an_hour_are_left_for_nothing_and_the_third_costs_a_point(
        self, noon: time_machine.Traveller, ann: User, ben: User
    ) -> None:
        for _seat in range(2):
            self.leave(ann, ben)
        self.leave(ann, ben, announced=1)
        assert lines(ann) == [("stood_up", 0), ("stood_up", 0), ("stood_up", 1)]
        noon.shift(61 * MINUTE)
        self.leave(ann, ben)
        assert points(ann) == 1

    def test_nobody_pays_more_than_was_announced(self, ann: User, ben: User) -> None:
        for _seat in range(2):
            self.leave(ann, ben)
        match = table(ben)
        lobby_tables.sit(match=match, user=ann)
        refused("costs", lobby_tables.stand_up, match=match, user=ann)
        assert points(ann) == 0
        assert match.seats.filter(user=ann).exists()

    def test_a_table_without_other_people_is_left_for_nothing(self, ann: User) -> None:
        for _table in range(3):
            lobby_tables.stand_up(match=table(ann), user=ann)
        assert lines(ann) == []

    def test_so_is_that_of_a_quick_game_where_bots_come_in_a_moment(self, ann: User, ben: User) -> None:
        for _table in range(3):
            match = quick_play.join(user=ben, variant="kozel")
            assert quick_play.join(user=ann, variant="kozel") == match
            lobby_tables.stand_up(match=match, user=ann)
        assert lines(ann) == []


class TestFloods:
    def flood(self, match: Match, user: User) -> str:
        for number in range(posting.LINES - Message.objects.filter(at__gt=timezone.now() - posting.WITHIN).count()):
            posting.post_message(match=match, user=user, text=f"line {number}")
        with pytest.raises(Refused, match="too_fast") as caught:
            posting.post_message(match=match, user=user, text="one more")
        return str(caught.value.text)

    def test_the_first_in_an_hour_is_a_warning_and_a_minute_counts_once(
        self, noon: time_machine.Traveller, ann: User, ben: User
    ) -> None:
        match = tables.running_table([ann, ben])
        assert "The next time within an hour costs 1 conduct point." in self.flood(match, ann)
        self.flood(match, ann)
        noon.shift(2 * MINUTE)
        assert "This cost 1 conduct point." in self.flood(match, ann)
        assert lines(ann) == [("flood", 0), ("flood", 1)]

    def test_guests_are_only_slowed_down(self, ben: User) -> None:
        guest = person("Guest", is_guest=True)
        assert "conduct" not in self.flood(tables.running_table([guest, ben]), guest)


class TestCleanMatches:
    def play(self, people: Sequence[User], **columns: Any) -> Match:
        match = tables.running_table(people, **columns)
        tables.play_until(match, lambda state: bool(state.match_over))
        match.refresh_from_db()
        return match

    def test_a_match_played_to_its_end_takes_one_off(self, ann: User, ben: User) -> None:
        ledger.charge(ann.pk, ConductKind.LEFT, NOW)
        self.play([ann, ben])
        assert (points(ann), lines(ben)) == (2, [])

    def test_not_one_against_bots_alone(self, ann: User) -> None:
        ledger.charge(ann.pk, ConductKind.LEFT, NOW)
        self.play([ann], bots=1)
        assert points(ann) == 3

    def test_not_one_that_brought_points_itself(self, ann: User, ben: User) -> None:
        match = tables.running_table([ann, ben])
        ledger.charge(ann.pk, ConductKind.LATE, NOW, match_id=match.pk)
        tables.play_until(match, lambda state: bool(state.match_over))
        assert points(ann) == 1

    @pytest.mark.stack
    def test_a_void_erases_what_a_match_brought(self, moderator: User, ann: User, ben: User) -> None:
        ledger.charge(ann.pk, ConductKind.LEFT, NOW)
        over, running = self.play([ann, ben]), tables.running_table([ann, ben])
        late(running)
        for match in (over, running):
            acts.void_match(moderator=moderator, match=match, reason="a fault of the site")
        assert (lines(ann), lines(ben)) == ([("left", 3)], [])


class TestPause:
    @pytest.fixture(autouse=True)
    def paused(self, ann: User) -> None:
        pause(ann)

    def test_it_says_until_when_and_why(self, ann: User, ben: User) -> None:
        with pytest.raises(Refused) as caught:
            lobby_tables.sit(match=table(ben, rated=True), user=ann)
        assert caught.value.code == "paused"
        text = "until March 12, 2026, 2:10 p.m. UTC. You can play casual matches. Reason: You left a match."
        assert text in str(caught.value.text)

    def test_no_rated_table_is_opened(self, ann: User) -> None:
        with pytest.raises(Refused, match="paused"):
            table(ann, rated=True)
        assert not Match.objects.exists()

    def test_no_rated_rematch_is_begun_or_joined(self, ann: User, ben: User) -> None:
        old = finished(ben, person("Cat"), rated=True)
        old.seats.filter(user__name="Cat").update(user=ann)
        refused("paused", rematch.agree_to_rematch, match=old, by=ann)

    def test_casual_tables_and_quick_games_stay_open(self, ann: User, ben: User) -> None:
        lobby_tables.sit(match=table(ben), user=ann)
        table(ann)
        quick_play.join(user=ann)

    def test_it_ends(self, noon: time_machine.Traveller, ann: User, ben: User) -> None:
        noon.shift(10 * MINUTE)
        lobby_tables.sit(match=table(ben, rated=True), user=ann)
