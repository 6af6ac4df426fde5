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
    return ledger.current_standing(user.pk, NOW).points


def late(match: Match) -> User:
    """Let the time of the person to move pass, and return who it was."""
    user = tables.player_to_move(match)
    assert due_events.fire_due_events(now=tables.locked_row(match).due_at) == 1
    return user


def pause(user: User) -> None:
    for _match in range(2):
        ledger.charge_points(user.pk, ConductKind.LEFT, NOW)


class TestAtTheTable:
    def test_absences_cost_points_if_another_person_plays(self, ann: User, ben: User) -> None:
        match = tables.running_table([ann, ben, person("Cat"), person("Dan")])
        away = tables.player_to_move(match)
        missed_twice(match)
        assert lines(away) == [("late", 1), ("held", 2)]
        assert ConductMark.objects.filter(match=match).count() == 2

    def test_the_third_hold_costs_as_much_as_leaving(self, ann: User, ben: User) -> None:
        match = tables.running_table([ann, ben])
        away = tables.player_to_move(match)
        match.seats.filter(user=away).update(holds=absence.MAX_HOLDS)
        tables.hold_seat(match, away)
        assert lines(away) == [("forfeited", 3)]

    def test_lost_on_time_costs_as_much_as_leaving(self, ann: User, ben: User) -> None:
        assert lines(late(tables.running_table([ann, ben], rated=True))) == [("forfeited", 3)]

    @pytest.mark.parametrize("rated", [True, False])
    def test_leaving_costs_its_price_once(self, ann: User, ben: User, *, rated: bool) -> None:
        match = tables.running_table([ann, ben], rated=rated)
        play.leave_match(match_id=match.pk, user_id=ann.pk)
        assert (lines(ann), lines(ben)) == ([("left", 3)], [])

    def test_player_without_a_seat_leaves_for_free(self, ann: User, ben: User) -> None:
        match = tables.running_table([ann, ben])
        play.leave_match(match_id=match.pk, user_id=ann.pk)
        play.leave_match(match_id=match.pk, user_id=ann.pk)
        assert lines(ann) == [("left", 3)]

    def test_leaving_bots_is_free(self, ann: User) -> None:
        match = tables.running_table([ann], bots=1)
        while tables.locked_row(match).to_move != 0:
            tables.make_first_move(match)
        late(match)
        play.leave_match(match_id=match.pk, user_id=ann.pk)
        assert lines(ann) == []

    def test_last_person_leaves_for_free(self, ann: User, ben: User) -> None:
        match = tables.running_table([ann, ben])
        play.leave_match(match_id=match.pk, user_id=ann.pk)
        play.leave_match(match_id=match.pk, user_id=ben.pk)
        assert lines(ben) == []

    def test_guests_leave_for_free(self, ben: User) -> None:
        guest = person("Guest", is_guest=True)
        match = tables.running_table([guest, ben])
        play.leave_match(match_id=match.pk, user_id=guest.pk)
        assert lines(guest) == []

    def test_stopping_by_agreement_is_free(self, ann: User, ben: User) -> None:
        match = tables.running_table([ann, ben])
        for user in (ann, ben):
            absence.cast_vote(match_id=match.pk, user_id=user.pk, choice="stop")
        assert lines(ann) == lines(ben) == []

    def test_removal_by_a_moderator_is_free(self, moderator: User, ann: User, ben: User) -> None:
        match = tables.running_table([ann, ben, person("Cat")])
        acts.remove_from_seat(moderator=moderator, seat=match.seats.get(user=ann), reason="abuse")
        imposing.impose(moderator=moderator, user=ben, kind="suspend", reason="abuse", until=None)
        assert lines(ann) == lines(ben) == []


class TestBeforeTheDeal:
    def leave(self, user: User, host: User, **more: Any) -> Match:
        match = table(host)
        lobby_tables.sit(match=match, user=user)
        lobby_tables.stand_up(match=match, user=user, **more)
        acts.leave_all_tables(host)
        return match

    @pytest.mark.stack
    def test_third_seat_left_in_an_hour_costs_a_point(
        self, noon: time_machine.Traveller, ann: User, ben: User
    ) -> None:
        for _seat in range(2):
            self.leave(ann, ben)
        self.leave(ann, ben, announced=1)
        assert lines(ann) == [("stood_up", 0), ("stood_up", 0), ("stood_up", 1)]
        noon.shift(61 * MINUTE)
        self.leave(ann, ben)
        assert points(ann) == 1

    def test_charge_never_exceeds_the_displayed_price(self, ann: User, ben: User) -> None:
        for _seat in range(2):
            self.leave(ann, ben)
        match = table(ben)
        lobby_tables.sit(match=match, user=ann)
        refused("costs", lobby_tables.stand_up, match=match, user=ann)
        assert points(ann) == 0
        assert match.seats.filter(user=ann).exists()

    def test_leaving_a_table_without_other_people_is_free(self, ann: User) -> None:
        for _table in range(3):
            lobby_tables.stand_up(match=table(ann), user=ann)
        assert lines(ann) == []

    def test_leaving_a_quick_game_is_free(self, ann: User, ben: User) -> None:
        for _table in range(3):
            match = quick_play.join_quick_game(user=ben, variant="kozel")
            assert quick_play.join_quick_game(user=ann, variant="kozel") == match
            lobby_tables.stand_up(match=match, user=ann)
        assert lines(ann) == []


class TestFloods:
    def flood(self, match: Match, user: User) -> str:
        for number in range(
            posting.MAX_LINES - Message.objects.filter(at__gt=timezone.now() - posting.RATE_WINDOW).count()
        ):
            posting.post_message(match=match, user=user, text=f"line {number}")
        with pytest.raises(Refused, match="too_fast") as caught:
            posting.post_message(match=match, user=user, text="one more")
        return str(caught.value.text)

    def test_first_flood_is_a_warning_and_counts_once_a_minute(
        self, noon: time_machine.Traveller, ann: User, ben: User
    ) -> None:
        match = tables.running_table([ann, ben])
        assert "The next time within an hour costs 1 conduct point." in self.flood(match, ann)
        self.flood(match, ann)
        noon.shift(2 * MINUTE)
        assert "This cost 1 conduct point." in self.flood(match, ann)
        assert lines(ann) == [("flood", 0), ("flood", 1)]

    def test_guests_get_no_points_for_floods(self, ben: User) -> None:
        guest = person("Guest", is_guest=True)
        assert "conduct" not in self.flood(tables.running_table([guest, ben]), guest)


class TestCleanMatches:
    def play(self, people: Sequence[User], **columns: Any) -> Match:
        match = tables.running_table(people, **columns)
        tables.play_until(match, lambda state: bool(state.match_over))
        match.refresh_from_db()
        return match

    def test_finished_match_removes_a_point(self, ann: User, ben: User) -> None:
        ledger.charge_points(ann.pk, ConductKind.LEFT, NOW)
        self.play([ann, ben])
        assert (points(ann), lines(ben)) == (2, [])

    def test_match_against_bots_removes_no_point(self, ann: User) -> None:
        ledger.charge_points(ann.pk, ConductKind.LEFT, NOW)
        self.play([ann], bots=1)
        assert points(ann) == 3

    def test_match_with_a_mark_removes_no_point(self, ann: User, ben: User) -> None:
        match = tables.running_table([ann, ben])
        ledger.charge_points(ann.pk, ConductKind.LATE, NOW, match_id=match.pk)
        tables.play_until(match, lambda state: bool(state.match_over))
        assert points(ann) == 1

    @pytest.mark.stack
    def test_voiding_a_match_removes_its_marks(self, moderator: User, ann: User, ben: User) -> None:
        ledger.charge_points(ann.pk, ConductKind.LEFT, NOW)
        over, running = self.play([ann, ben]), tables.running_table([ann, ben])
        late(running)
        for match in (over, running):
            acts.void_match(moderator=moderator, match=match, reason="a fault of the site")
        assert (lines(ann), lines(ben)) == ([("left", 3)], [])


class TestPause:
    @pytest.fixture(autouse=True)
    def paused(self, ann: User) -> None:
        pause(ann)

    def test_pause_has_its_end_and_reason(self, ann: User, ben: User) -> None:
        with pytest.raises(Refused) as caught:
            lobby_tables.sit(match=table(ben, rated=True), user=ann)
        assert caught.value.code == "paused"
        text = "until 12 March 2026, 14:10 UTC. You can play casual matches. Reason: You left a match."
        assert text in str(caught.value.text)

    def test_paused_person_cannot_open_a_rated_table(self, ann: User) -> None:
        with pytest.raises(Refused, match="paused"):
            table(ann, rated=True)
        assert not Match.objects.exists()

    def test_paused_person_cannot_start_or_join_a_rated_rematch(self, ann: User, ben: User) -> None:
        old = finished(ben, person("Cat"), rated=True)
        old.seats.filter(user__name="Cat").update(user=ann)
        refused("paused", rematch.agree_to_rematch, match=old, by=ann)

    def test_paused_person_can_play_casual_games(self, ann: User, ben: User) -> None:
        lobby_tables.sit(match=table(ben), user=ann)
        table(ann)
        quick_play.join_quick_game(user=ann)

    def test_pause_ends(self, noon: time_machine.Traveller, ann: User, ben: User) -> None:
        noon.shift(10 * MINUTE)
        lobby_tables.sit(match=table(ben, rated=True), user=ann)
