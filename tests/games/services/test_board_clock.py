"""The clock of daily boards: days are announced a day before, open at midnight and close, each once."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from pytest_django import Settings

from games import scheduler
from games.bots.levels import LEVELS
from games.broadcast.database_threads import in_database
from games.engine.events import KeyRevealed, MatchEnded, MatchStarted, SecretRevealed
from games.match import record
from games.models import BoardDay, Match, SiteSwitches
from games.services import board_clock, board_days, downtime
from games.services.board_days import ONE_DAY, play_next_board
from games.services.board_ticker import BoardTicker
from games.site_switches import read_switches
from games.words import offered_variants
from tests.games.daily_boards import days
from tests.games.daily_boards.days import VARIANT, account, run_board_clock
from tests.games.services.test_concurrency import in_threads

pytestmark = [pytest.mark.django_db, pytest.mark.seed(1)]
NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
MIDNIGHT = datetime(2026, 11, 29, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
CLOCKS = 3


@pytest.fixture(autouse=True)
def _schedule(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the site announce the boards of one game."""
    settings.SCHEDULED_TOURNAMENTS = True
    monkeypatch.setattr(board_clock, "offered_variants", lambda: {VARIANT: offered_variants()[VARIANT]})


def run_scheduled(now: datetime) -> None:
    """Do what the scheduler does at one moment."""
    board_clock.announce_days(now=now)
    board_clock.close_days_of_older_bots(now=now)
    run_board_clock(now)


def day_at(now: datetime) -> BoardDay:
    return BoardDay.objects.get(variant=VARIANT, date=now.date())


def begin_board(now: datetime, name: str = "Ann") -> Match:
    with time_machine.travel(now, tick=False):
        return play_next_board(user=account(name), variant=VARIANT, now=now)


def test_a_day_that_cannot_close_is_named_and_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    run_scheduled(NOON)
    unknown = BoardDay.objects.create(
        variant="none", date=NOON.date() - 2 * ONE_DAY, opened_at=NOON, due_at=NOON, sets=1, bots_version=1
    )
    run_scheduled(MIDNIGHT + 20 * MINUTE)
    assert day_at(NOON).closed_at is not None
    assert "board_day_failed" in caplog.text
    assert "2026-11-26" in caplog.text
    unknown.refresh_from_db()
    assert unknown.due_at == MIDNIGHT + 20 * MINUTE + board_clock.LEASE


def test_boards_of_every_game_are_open_at_once_on_a_new_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_clock, "offered_variants", offered_variants)
    run_scheduled(NOON)
    opened = BoardDay.objects.filter(date=NOON.date()).exclude(opened_at=None)
    assert set(opened.values_list("variant", flat=True)) == set(offered_variants())
    begin_board(NOON)


def test_a_day_is_announced_a_day_before_it_opens() -> None:
    run_scheduled(NOON)
    commitment = day_at(MIDNIGHT).commitment
    run_board_clock(MIDNIGHT - MINUTE)
    assert day_at(MIDNIGHT).opened_at is None
    run_board_clock(MIDNIGHT)
    assert day_at(MIDNIGHT).opened_at == MIDNIGHT
    assert day_at(MIDNIGHT).commitment == commitment


def test_the_next_day_is_announced_before_anybody_can_give_a_nonce_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    run_scheduled(NOON)
    announced = []

    def open_day(variant: str, now: datetime) -> BoardDay:
        announced.append(BoardDay.objects.filter(variant=variant, date=now.date() + ONE_DAY).exists())
        return board_days.open_day(variant, now)

    monkeypatch.setattr(board_clock, "open_day", open_day)
    run_board_clock(MIDNIGHT)
    assert announced == [True]


def test_a_day_closes_a_quarter_of_an_hour_after_midnight() -> None:
    run_scheduled(NOON)
    match = begin_board(NOON)
    run_scheduled(MIDNIGHT + 14 * MINUTE)
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
    run_scheduled(MIDNIGHT + 15 * MINUTE)
    match.refresh_from_db()
    assert match.status == Match.Status.STOPPED
    assert day_at(NOON).closed_at == MIDNIGHT + 15 * MINUTE


def test_a_day_that_passed_while_the_site_was_down_stays_closed() -> None:
    run_scheduled(NOON)
    later = NOON + 3 * ONE_DAY
    run_scheduled(later)
    assert day_at(MIDNIGHT).opened_at is None
    assert day_at(NOON).closed_at == day_at(later).opened_at == later


def test_an_outage_leaves_time_to_finish_boards() -> None:
    downtime.write_heartbeat(("web", "clock"), now=MIDNIGHT - MINUTE)
    run_scheduled(NOON)
    begin_board(NOON)
    later = MIDNIGHT + 40 * MINUTE
    downtime.write_heartbeat(("web", "clock"), now=later)
    run_board_clock(later + 15 * MINUTE)
    assert day_at(NOON).closed_at is None
    assert day_at(NOON).due_at == later + downtime.RECONNECT_GRACE + 15 * MINUTE


@pytest.mark.parametrize("switch", ["matches_paused", "clocks_stopped"])
def test_no_day_opens_or_closes_while_operators_have_stopped_the_clocks(switch: str) -> None:
    run_scheduled(NOON)
    SiteSwitches.objects.create(**{switch: True})
    read_switches()
    run_board_clock(MIDNIGHT + 20 * MINUTE)
    assert (day_at(NOON).closed_at, day_at(MIDNIGHT).opened_at) == (None, None)


def test_a_site_without_tournaments_of_its_own_announces_no_boards(settings: Settings) -> None:
    settings.SCHEDULED_TOURNAMENTS = False
    run_scheduled(NOON)
    assert not BoardDay.objects.exists()


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
def test_three_clocks_open_and_close_a_day_once(monkeypatch: pytest.MonkeyPatch) -> None:
    done = []

    def scores_once(start: MatchStarted, secret: str, seat: int) -> dict[str, list[int]]:
        done.append((start.source, start.first))
        return dict.fromkeys(LEVELS, [0] * start.seats)

    monkeypatch.setattr(days, "scores_of_levels", scores_once)
    clocks_at(NOON)
    opened = day_at(NOON)
    matches = [begin_board(NOON, name) for name in ("Ann", "Ben", "Cid")]
    clocks_at(MIDNIGHT)
    assert BoardDay.objects.count() == 3
    assert (day_at(NOON).opened_at, day_at(NOON).entropy) == (opened.opened_at, opened.entropy)
    clocks_at(MIDNIGHT + 15 * MINUTE)
    assert day_at(NOON).closed_at == MIDNIGHT + 15 * MINUTE
    assert sorted(done) == [(board_days.sources_of(opened)[0], number) for number in range(1, 9)]
    for match in matches:
        kinds = Counter(type(event) for event in record.events(match.pk))
        assert (kinds[MatchEnded], kinds[KeyRevealed], kinds[SecretRevealed]) == (1, 1, 1)


def clocks_at(now: datetime) -> None:
    """Let several clocks run at one moment, until none of them has anything to do."""

    def run() -> None:
        run_scheduled(now)
        connection.close()

    in_threads([run] * CLOCKS)


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
async def test_the_scheduler_lets_a_worker_play_the_boards_of_the_bots() -> None:
    with time_machine.travel(NOON, tick=False) as time:
        await in_database(run_scheduled, NOON)
        time.move_to(MIDNIGHT + 15 * MINUTE)
        task_scheduler = scheduler.Scheduler()
        ticker = BoardTicker(task_scheduler.workers, lambda _now: True)
        assert await ticker.do_due_step()  # opens the next day
        assert await ticker.do_due_step()
        task_scheduler.workers.close()
    levels = (await in_database(day_at, NOON)).levels
    assert {name: len(boards) for name, boards in levels.items()} == {f"daily-{VARIANT}-2026-11-28-1": 1}
