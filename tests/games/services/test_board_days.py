"""Daily boards: the same deals for everybody, each once, and results once the day is closed."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Trace, User
from games.bots.levels import LEVELS
from games.engine.notation import import_match
from games.engine.proof import verify
from games.models import BoardDay, Match
from games.records import exports
from games.services import board_clock, board_days, play
from games.services.board_days import (
    closed_days_of_month,
    open_day,
    play_next_board,
    ranked_people,
    standing_of_day,
)
from games.tournaments.core.duplicate import entropy
from tests.games import tables
from tests.games.daily_boards.days import NOON, VARIANT, account, close, play_through, run_board_clock
from tests.games.lobby.test_tables import refused
from tests.games.tables import state_of

pytestmark = [pytest.mark.django_db, pytest.mark.seed(1)]


def test_everybody_of_a_set_gets_the_same_deals_in_order_and_in_the_same_seats() -> None:
    with time_machine.travel(NOON, tick=False):
        open_day(VARIANT, NOON)
        ann, ben = account("Ann"), account("Ben")
        for number in (1, 2):
            one, other = (play_next_board(user=user, variant=VARIANT, now=NOON) for user in (ann, ben))
            assert (one.board, other.board) == (number, number)
            assert state_of(one).hands == state_of(other).hands
            assert one.seats.get(user=ann).index == other.seats.get(user=ben).index == number - 1
            assert play_next_board(user=ann, variant=VARIANT, now=NOON) == one  # it is being played
            play_through(one)
            play_through(other)


def test_each_board_is_played_once() -> None:
    with time_machine.travel(NOON, tick=False):
        open_day(VARIANT, NOON)
        ann = account("Ann")
        for _board in range(8):
            play.stop_match(match_id=play_next_board(user=ann, variant=VARIANT, now=NOON).pk)
        refused("all_boards", play_next_board, user=ann, variant=VARIANT, now=NOON)


def test_deals_follow_from_a_secret_of_the_day_before_and_the_nonces_given_since() -> None:
    yesterday = NOON - timedelta(days=1)
    with time_machine.travel(yesterday, tick=False) as clock:
        open_day(VARIANT, yesterday)
        commitment = board_days.announce_day(VARIANT, NOON.date()).commitment
        for name in ("Ann", "Ben"):
            board = play_next_board(user=account(name), variant=VARIANT, now=yesterday, nonce=f"nonce of {name}")
            play.stop_match(match_id=board.pk)
        clock.move_to(NOON)
        day = open_day(VARIANT, NOON)
    assert day.commitment == commitment
    assert day.entropy == entropy(["nonce of Ann", "nonce of Ben"])
    assert day.sets == 1


def test_only_ranked_people_make_sets() -> None:
    yesterday = NOON - timedelta(days=1)
    with time_machine.travel(yesterday, tick=False):
        open_day(VARIANT, yesterday)
        for number in range(26):
            user = tables.person(f"Guest {number}") if number < 24 else account(f"Account {number}")
            play.stop_match(match_id=play_next_board(user=user, variant=VARIANT, now=yesterday).pk)
    with time_machine.travel(NOON, tick=False):
        day = open_day(VARIANT, NOON)
    assert (len(day.nonces), day.ranked_entrants, day.sets) == (26, 2, 1)


def test_closed_day_has_results_and_fair_records() -> None:
    with time_machine.travel(NOON, tick=False):
        day = open_day(VARIANT, NOON)
        ann, ben, guest = account("Ann"), account("Ben"), tables.person("Guest")
        matches = [play_next_board(user=user, variant=VARIANT, now=NOON) for user in (ann, ben, guest)]
        for match in matches[1:]:
            play_through(match)
        assert run_board_clock(NOON) == 0
        with pytest.raises(ValueError, match="secret"):
            standing_of_day(day, NOON)
        assert close(day, NOON + timedelta(hours=13)) == 9  # a step for each board, then the records
        for match in matches:
            data = exports.to_json_data(exports.read_record(match.pk))
            assert verify(import_match(data)) == []
        field = board_days.fields_of_day(day)[board_days.sources_of(day)[0], 1]
        assert set(field.people) == {str(ben.pk)}  # Ann's match was stopped, and the guest has no confirmed address
        assert set(field.levels) == set(LEVELS)
        (line,) = standing_of_day(day, NOON)
        assert (line.person, line.rank, line.played) == (str(ben.pk), 1, 1)
        assert line.result == field.matchpoints(field.people[str(ben.pk)]) / 8
        days = closed_days_of_month(VARIANT, NOON.date())
        (month,) = board_days.standing_of_month(days, NOON)
        assert (month.result, month.played) == (line.result, 1)
        assert closed_days_of_month(VARIANT, date(2026, 12, 1)) == []


def test_standing_of_a_month_is_computed_once_an_hour() -> None:
    with time_machine.travel(NOON, tick=False):
        day = open_day(VARIANT, NOON)
        play_through(play_next_board(user=account("Ann"), variant=VARIANT, now=NOON))
        close(day, NOON + timedelta(hours=13))
        standing = board_days.standing_of_month(closed_days_of_month(VARIANT, NOON.date()), NOON)
        with CaptureQueriesContext(connection) as queries:
            assert board_days.standing_of_month(closed_days_of_month(VARIANT, NOON.date()), NOON) is standing
    (query,) = queries
    assert not any(f'"{name}"' in query["sql"] for name in ("levels", "nonces", "ranked"))


def test_new_bots_close_a_day_early(monkeypatch: pytest.MonkeyPatch) -> None:
    with time_machine.travel(NOON, tick=False):
        day = open_day(VARIANT, NOON)
        ann = account("Ann")
        play_through(play_next_board(user=ann, variant=VARIANT, now=NOON))
        monkeypatch.setattr(board_days, "BOTS_VERSION", day.bots_version + 1)
        monkeypatch.setattr(board_clock, "BOTS_VERSION", day.bots_version + 1)
        board_clock.close_days_of_older_bots(now=NOON)
        refused("no_boards", play_next_board, user=ann, variant=VARIANT, now=NOON)
        close(day, NOON)
        (line,) = standing_of_day(day, NOON)
        assert Fraction(0) <= line.result <= Fraction(1, 8)


class TestRanked:
    """Of the people on one device only the first has a place in the standing."""

    def test_only_the_first_person_of_a_device_is_ranked(self) -> None:
        day, (ann, ben, cid, dan) = day_of("Ann", "Ben", "Cid", "Dan")
        leave_traces(ann, ben, device="one")
        leave_traces(cid, device="two")
        assert ranked_people(day) == {ann.pk, cid.pk, dan.pk}

    def test_people_are_linked_through_others(self) -> None:
        day, (ann, ben, cid, dan) = day_of("Ann", "Ben", "Cid", "Dan")
        leave_traces(ann, ben, device="one")
        leave_traces(ben, cid, device="two")
        assert ranked_people(day) == {ann.pk, dan.pk}

    def test_the_order_of_the_first_boards_decides(self) -> None:
        day, (ben, ann) = day_of("Ben", "Ann")
        leave_traces(ann, ben, device="one")
        assert ranked_people(day) == {ben.pk}

    def test_a_guest_who_saw_the_deals_first_counts(self) -> None:
        day, (guest, ann, ben) = day_of("Guest", "Ann", "Ben")
        EmailAddress.objects.filter(user=guest).delete()
        User.objects.filter(pk=guest.pk).update(is_guest=True)
        leave_traces(guest, ann, device="one")
        assert ranked_people(day) == {ben.pk}

    def test_an_address_is_shared_by_a_household(self) -> None:
        day, (ann, ben) = day_of("Ann", "Ben")
        leave_traces(ann, ben, device="one", kind=Trace.Kind.ADDRESS)
        assert ranked_people(day) == {ann.pk, ben.pk}

    def test_people_of_another_day_do_not_count(self) -> None:
        day, (ann,) = day_of("Ann")
        leave_traces(account("Ben"), ann, device="one")
        assert ranked_people(day) == {ann.pk}

    def test_the_close_decides_for_good(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(board_days, "DAILY_BOARDS", 1)
        day, (ann, ben) = day_of("Ann", "Ben")
        leave_traces(ann, ben, device="one")
        for match in Match.objects.all():
            play_through(match)
        close(day, NOON + timedelta(hours=13))
        assert day.ranked == [ann.pk]
        Trace.objects.all().delete()
        field = board_days.fields_of_day(day)[board_days.sources_of(day)[0], 1]
        assert set(field.people) == {str(ann.pk)}


def day_of(*names: str) -> tuple[BoardDay, list[User]]:
    """Return an open day, and people who began their first boards in this order."""
    with time_machine.travel(NOON, tick=False):
        day = open_day(VARIANT, NOON)
        accounts = {name: account(name) for name in sorted(names)}
        people = [accounts[name] for name in names]
        for user in people:
            play_next_board(user=user, variant=VARIANT, now=NOON)
    return day, people


def leave_traces(*people: User, device: str, kind: Trace.Kind = Trace.Kind.DEVICE) -> None:
    for user in people:
        Trace.objects.create(user=user, kind=kind, mark=device, seen_at=NOON)
