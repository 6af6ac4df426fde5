"""Each deadline passes exactly once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from pytest_django import Settings

from games.engine.events import MatchEnded
from games.engine.moves import Pass
from games.engine.rules import Rules
from games.lobby import quick_play
from games.models import Match, MatchEvent, Seat
from games.presence import leases
from games.services import downtime, due_events, play
from games.words import offered_variants
from infrastructure.runtime import Runtime
from tests.games import tables

GAMES = [pytest.param(rules, id=key) for key, rules in offered_variants().items()]


def later(**delta: float) -> datetime:
    return datetime.now(UTC) + timedelta(**delta)


def about_to_pass(rules: Rules) -> Match:
    """Return a match that waits for a pass: of those that first moves make, the first that comes to one."""
    for _ in range(20):
        match = tables.running_table([tables.person() for _ in range(max(rules.seat_counts))], variant=rules.key)
        state = tables.play_until(match, lambda state: rules.legal_moves(state) == (Pass(),))
        if not state.match_over:
            return match
    raise AssertionError(rules.key)


def test_the_deadline_is_the_move_time_and_what_is_left_of_the_bank() -> None:
    match = tables.running_table([tables.person(), tables.person()], clock="fast")
    row = tables.locked_row(match)
    assert row.due_kind == Match.Due.TIMEOUT
    assert row.due_at - row.turn_started_at == timedelta(seconds=15 + 60)


@pytest.mark.stack
def test_overtime_is_taken_from_the_movers_bank() -> None:
    match = tables.running_table([tables.person(), tables.person()], clock="fast")
    seat = tables.locked_row(match).to_move
    Match.objects.filter(pk=match.pk).update(turn_started_at=later(seconds=-25))
    tables.make_first_move(match)
    banks = tables.locked_row(match).banks
    # 25 s for a move of 15 s: 10 s of 60 s are gone.
    assert banks[seat] == pytest.approx(50_000, abs=1500)
    assert banks[1 - seat] == 60_000


def test_a_move_within_its_time_leaves_the_bank_alone() -> None:
    match = tables.running_table([tables.person(), tables.person()], clock="fast")
    tables.make_first_move(match)
    assert tables.locked_row(match).banks == (60_000, 60_000)


def slow_lines(match: Match, *, lag_ms: int, credited_ms: int = 0) -> None:
    Seat.objects.filter(match=match).update(lag_ms=lag_ms, lag_credited_ms=credited_ms)


@pytest.mark.parametrize(
    ("lag_ms", "credited_ms", "credit_ms"),
    [(0, 0, 0), (200, 0, 200), (800, 0, 600), (600, 3900, 100), (600, 4000, 0)],
)
def test_lag_is_credited_up_to_six_tenths_of_a_second_a_turn_and_four_a_round(
    lag_ms: int, credited_ms: int, credit_ms: int
) -> None:
    match = tables.running_table([tables.person(), tables.person()], clock="fast")
    slow_lines(match, lag_ms=lag_ms, credited_ms=credited_ms)
    tables.make_first_move(match)
    row = tables.locked_row(match)
    assert row.due_kind == Match.Due.TIMEOUT
    assert row.due_at - row.turn_started_at == timedelta(seconds=15 + 60, milliseconds=credit_ms)


def test_the_bank_pays_for_what_is_not_credited() -> None:
    match = tables.running_table([tables.person(), tables.person()], clock="fast")
    seat = tables.locked_row(match).to_move
    slow_lines(match, lag_ms=500)
    Match.objects.filter(pk=match.pk).update(turn_started_at=later(seconds=-25))
    tables.make_first_move(match)
    row = tables.locked_row(match)
    # 25 s for a move of 15 s: half a second of the other 10 s is the line's.
    assert row.banks[seat] == pytest.approx(50_500, abs=1500)
    assert [holder.lag_credited_ms for holder in row.holders] == [500 * (index == seat) for index in range(2)]


def test_a_turn_within_its_free_time_uses_no_credit_and_a_round_begins_with_all_of_it() -> None:
    match = tables.running_table([tables.person(), tables.person()], clock="fast")
    slow_lines(match, lag_ms=500, credited_ms=1000)
    tables.make_first_move(match)
    assert {holder.lag_credited_ms for holder in tables.locked_row(match).holders} == {1000}
    tables.play_round(match)
    play.start_next_round(tables.locked_row(match), later())
    assert {holder.lag_credited_ms for holder in tables.locked_row(match).holders} == {0}


def test_the_pace_shortens_a_pause_and_nobody_s_clock(settings: Settings) -> None:
    settings.PACE = 0.1
    match = tables.running_table([tables.person(), tables.person()], clock="fast")
    row = tables.locked_row(match)
    assert row.due_at - row.turn_started_at == timedelta(seconds=15 + 60)
    tables.play_round(match)
    # The pause after a round is 20 s.
    assert tables.locked_row(match).due_at - datetime.now(UTC) < timedelta(seconds=2)


def test_events_wait_until_they_are_due() -> None:
    tables.running_table([tables.person(), tables.person()])
    assert due_events.fire_due_events(now=later()) == 0


@pytest.mark.stack
def test_time_out_ends_a_rated_match_by_the_rules() -> None:
    match = tables.running_table([tables.person(), tables.person()], rated=True)
    seat = tables.locked_row(match).to_move
    assert due_events.fire_due_events(now=later(minutes=10)) == 1
    over = tables.state_of(match).match_over
    assert isinstance(over, MatchEnded)
    assert (over.reason, over.seat, over.losers) == ("timeout", seat, (seat,))


@pytest.mark.parametrize("rules", GAMES)
def test_forced_pass_happens_after_a_second(rules: Rules) -> None:
    match = about_to_pass(rules)
    row = tables.locked_row(match)
    assert rules.legal_moves(tables.state_of(match)) == (Pass(),)
    assert row.due_at - row.turn_started_at == timedelta(seconds=1)
    assert due_events.fire_due_events(now=row.due_at) == 1
    assert MatchEvent.objects.get(match=match, seq=row.version + 1).kind == "passed"


def test_a_single_legal_tile_is_never_played_by_the_clock() -> None:
    match = tables.running_table([tables.person(), tables.person()], clock="none")
    # Round 1: the leader must lead exactly one tile.
    assert len(offered_variants()[match.variant].legal_moves(tables.state_of(match))) == 1
    assert due_events.fire_due_events(now=later(minutes=30)) == 0


def test_a_match_without_a_clock_is_stopped_after_a_day_without_a_move() -> None:
    match = tables.running_table([tables.person(), tables.person()], clock="none")
    seat = tables.state_of(match).round.to_move
    assert due_events.fire_due_events(now=later(hours=25)) == 1
    match.refresh_from_db()
    assert match.status == Match.Status.STOPPED
    assert tables.state_of(match).match_over == MatchEnded("deserted", seat, "", (), (), ())


def test_the_next_round_follows_after_a_pause_which_is_shorter_among_bots() -> None:
    for people, pause in ((2, 20), (0, 6)):
        match = tables.running_table([tables.person() for _ in range(people)], bots=2 - people)
        tables.play_round(match)
        row = tables.locked_row(match)
        assert due_events.fire_due_events(now=row.due_at - timedelta(milliseconds=1)) == 0
        assert (row.due_at - later()).total_seconds() == pytest.approx(pause, abs=1)
        assert due_events.fire_due_events(now=row.due_at) == 1
        assert tables.locked_row(match).round == row.round + 1
        Match.objects.filter(pk=match.pk).update(due_at=None)


@pytest.mark.stack
def test_a_bots_move_is_taken_over_once_and_again_when_the_lease_ends() -> None:
    match = tables.running_table([], bots=2)
    now = tables.locked_row(match).due_at
    (bot_turn,) = due_events.lease_bot_turns(now=now)
    row = tables.locked_row(match)
    assert (bot_turn.match_id, bot_turn.version, bot_turn.seat) == (match.pk, row.version, row.to_move)
    assert bot_turn.view.viewer == row.to_move
    assert due_events.lease_bot_turns(now=now + timedelta(seconds=9)) == []
    assert len(due_events.lease_bot_turns(now=now + timedelta(seconds=10))) == 1


@pytest.mark.stack
def test_restart_gives_waiting_players_time_to_return() -> None:
    ann = tables.person()
    match = tables.open_table([ann], bots=1)
    Match.objects.filter(pk=match.pk).update(due_kind=Match.Due.ABANDON, due_at=later(minutes=5))
    match.seats.filter(user=ann).update(last_seen=later())
    now = later(minutes=10)
    downtime.write_heartbeat(("web", "clock"), now=now)
    assert due_events.fire_due_events(now=now) == 0
    leases.renew_lease(match_id=match.pk, user_id=ann.pk, now=now)
    assert due_events.fire_due_events(now=now + timedelta(seconds=20)) == 1
    assert tables.locked_row(match).status == Match.Status.OPEN


def test_after_a_restart_a_match_without_a_clock_goes_on() -> None:
    tables.running_table([tables.person(), tables.person()], clock="none")
    now = later(hours=25)
    downtime.write_heartbeat(("web", "clock"), now=now)
    assert due_events.fire_due_events(now=now) == 0


def test_rated_match_without_a_clock_is_lost_after_a_day() -> None:
    match = tables.running_table([tables.person(), tables.person()], clock="none", rated=True)
    seat = tables.locked_row(match).to_move
    assert due_events.fire_due_events(now=later(hours=25)) == 1
    seats = match.seats.order_by("index")
    assert seats[seat].outcome == "timeout"
    assert seats[1 - seat].outcome == "won"
    assert seats[1 - seat].points_gain is None, "nobody had played a round"


@pytest.mark.stack
def test_a_match_that_cannot_go_on_does_not_stop_the_others_and_is_tried_again_later(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = tables.running_table([tables.person(), tables.person()])
    sound = tables.running_table([tables.person(), tables.person()])
    MatchEvent.objects.filter(match=broken).delete()
    Match.objects.filter(pk=broken.pk).update(due_kind=Match.Due.PASS)
    Runtime.current = Runtime()
    now = later(minutes=10)
    assert due_events.fire_due_events(now=now) == 1
    assert tables.locked_row(broken).due_at == now + due_events.RETRY_AFTER
    assert sound.seats.filter(state=Seat.State.LATE).exists()
    assert "due_failed" in caplog.text


@pytest.mark.stack
def test_a_quick_game_is_filled_with_bots_after_20_seconds_and_begins() -> None:
    match = quick_play.join_quick_game(user=tables.person())
    row = tables.locked_row(match)
    assert row.due_kind == Match.Due.FILL
    assert (row.due_at - later()).total_seconds() == pytest.approx(20, abs=1)
    assert due_events.fire_due_events(now=row.due_at) == 1
    assert tables.locked_row(match).status == Match.Status.RUNNING
    assert due_events.fire_due_events(now=row.due_at) == 0


@pytest.mark.stack
def test_abandoned_open_table_closes() -> None:
    ann = tables.person()
    match = quick_play.join_quick_game(user=ann)
    Match.objects.filter(pk=match.pk).update(due_kind=Match.Due.ABANDON)
    match.seats.filter(user=ann).update(last_seen=later(hours=-1))
    assert due_events.fire_due_events(now=later(hours=1)) == 1
    assert tables.locked_row(match).status == Match.Status.VOID
