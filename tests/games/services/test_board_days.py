"""Daily boards: the same deals for everybody, each once, and results once the day is closed."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

import pytest
import time_machine
from allauth.account.models import EmailAddress

from accounts.models import User
from games.bots.boards import scores_of_levels
from games.bots.levels import LEVELS
from games.engine.notation import import_match
from games.engine.proof import verify
from games.models import BoardDay, Match
from games.records import exports
from games.services import board_clock, board_days, play
from games.services.board_days import open_day, play_next_board, standing_of_day, standing_of_month
from games.tournaments.core.duplicate import entropy
from tests.games import tables
from tests.games.lobby.test_tables import refused
from tests.games.tables import play_until, state_of

pytestmark = [pytest.mark.django_db, pytest.mark.seed(1)]
NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
VARIANT = "gamezz"


def account(name: str) -> User:
    person = tables.person(name)
    EmailAddress.objects.create(user=person, email=f"{name}@example.org".lower(), verified=True, primary=True)
    return person


def play_through(match: Match) -> None:
    play_until(match, lambda _state: False)
    match.refresh_from_db()


def close(day: BoardDay, now: datetime) -> int:
    """Let the clock close a day, and return in how many steps."""
    steps = run_board_clock(now)
    day.refresh_from_db()
    assert day.closed_at is not None
    return steps


def run_board_clock(now: datetime) -> int:
    """Do what the ticker does until nothing is due, and return the number of steps."""
    steps = 0
    while (step := board_clock.do_due_step(now=now)) is not None:
        if step.task is not None:
            scores = scores_of_levels(step.task.start, step.task.secret, step.task.seat)
            board_days.store_levels(step.task, scores, now)
        steps += 1
    return steps


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


def test_closed_day_has_results_and_fair_records() -> None:
    with time_machine.travel(NOON, tick=False):
        day = open_day(VARIANT, NOON)
        ann, ben, guest = account("Ann"), account("Ben"), tables.person("Guest")
        matches = [play_next_board(user=user, variant=VARIANT, now=NOON) for user in (ann, ben, guest)]
        for match in matches[1:]:
            play_through(match)
        assert run_board_clock(NOON) == 0
        with pytest.raises(ValueError, match="secret"):
            standing_of_day(day)
        assert close(day, NOON + timedelta(hours=13)) == 9  # a step for each board, then the records
        for match in matches:
            data = exports.to_json_data(exports.read_record(match.pk))
            assert verify(import_match(data)) == []
        field = board_days.fields_of_day(day)[board_days.sources_of(day)[0], 1]
        assert set(field.people) == {str(ben.pk)}  # Ann's match was stopped, and the guest has no confirmed address
        assert set(field.levels) == set(LEVELS)
        (line,) = standing_of_day(day)
        assert (line.person, line.rank, line.played) == (str(ben.pk), 1, 1)
        assert line.result == field.matchpoints(field.people[str(ben.pk)]) / 8
        (month,) = standing_of_month(VARIANT, date(2026, 11, 1))
        assert (month.result, month.played) == (line.result, 1)
        assert standing_of_month(VARIANT, date(2026, 12, 1)) == ()


def test_new_bots_close_a_day_early(monkeypatch: pytest.MonkeyPatch) -> None:
    with time_machine.travel(NOON, tick=False):
        day = open_day(VARIANT, NOON)
        ann = account("Ann")
        play_through(play_next_board(user=ann, variant=VARIANT, now=NOON))
        monkeypatch.setattr(board_days, "BOTS_VERSION", day.bots_version + 1)
        monkeypatch.setattr(board_clock, "BOTS_VERSION", day.bots_version + 1)
        board_clock.close_days_of_older_bots(now=NOON)
        refused("no_table", play_next_board, user=ann, variant=VARIANT, now=NOON)
        close(day, NOON)
        (line,) = standing_of_day(day)
        assert Fraction(0) <= line.result <= Fraction(1, 8)
