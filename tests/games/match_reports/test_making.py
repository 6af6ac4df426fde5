"""Match reports contain the cost of choices and the luck of deals, and are the same in every process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from games.bots import NoBotForVariant
from games.engine.events import Drew, Event, MatchStarted, Passed, Played, RoundEnded
from games.engine.notation import BadRecord
from games.engine.playout import playout
from games.engine.replay import Decision, decisions
from games.engine.variants import rules_for
from games.match_reports.choices import evaluate_choice
from games.match_reports.computation import make_report
from games.match_reports.luck import round_report
from games.match_reports.report import Choice, Report, RoundReport, report_from_data
from games.words import offered_variants
from tests.engine.positions import move_events as events_of
from tests.engine.positions import position, round_end

FIVES, KOZEL = rules_for("all_fives"), rules_for("kozel")
SHORT = 15
SCRIPT = """
import json, sys
from games.engine.playout import playout
from games.engine.variants import rules_for
from games.match_reports.computation import make_report
for key in sys.argv[1:]:
    print(json.dumps(make_report(playout(rules_for(key), 2, {}, "alike", leave_after=10)).to_data()))
"""


def record(variant: str, seats: int = 2, **options: object) -> list[Event]:
    return playout(rules_for(variant), seats, {}, f"report {variant}", leave_after=SHORT, **options)  # type: ignore[arg-type]


def last_tile(text: str, by: str = "") -> Choice | None:
    """Judge a placement of the last tile of seat 0, which goes out: it fits both ends, 5 and 3."""
    state = position(FIVES, hands=["5-3", "1-0"], laid="6-5, 6-3 left")
    event, *rest = events_of(FIVES, state, text)
    assert isinstance(event, Played)
    return evaluate_choice(Decision(9, state, (replace(event, by=by), *rest)), "name")


def places() -> dict[int, str]:
    """Return both placements by their points: 5 and 5 score 10, while 3 and 3 are 6 and score nothing."""
    state = position(FIVES, hands=["5-3", "1-0"], laid="6-5, 6-3 left")
    return {FIVES.move_points(state, move).total: FIVES.move_text(move) for move in FIVES.legal_moves(state)}


def test_loss_is_the_difference_from_the_best_move() -> None:
    """Whatever the other holds, the two differ by the 10 points alone."""
    assert sorted(places()) == [0, 10]
    good, bad = places()[10], places()[0]
    assert last_tile(good) == Choice(9, 0, 0.0, good, good)
    assert last_tile(bad) == Choice(9, 0, 10.0, bad, good)


@pytest.mark.parametrize("by", ["clock", "bot"])
def test_forced_moves_and_bot_moves_are_no_choices(by: str) -> None:
    assert last_tile(places()[0], by) is None


def test_round_without_choices_is_all_luck() -> None:
    """The leader's only tile goes out. 11 pips are left to the other, so each is 5.5 points off the average."""
    dealt = position(KOZEL, hands=["2-1", "6-5"])
    row = round_report(dealt, round_end(KOZEL, dealt, "2-1"), "name")
    assert row == RoundReport(2, result=(5.5, -5.5), luck=(5.5, -5.5), error=(0.0, 0.0))
    assert row.play == (0.0, 0.0)


def test_more_points_are_better_where_points_are_good() -> None:
    """All Fives: 5-0 scores 5 for the lead, and the 11 pips left to the other are 10 more."""
    dealt = position(FIVES, hands=["5-0", "6-5"])
    row = round_report(dealt, round_end(FIVES, dealt, "5-0"), "name")
    assert row.result == row.luck == (7.5, -7.5)


@pytest.mark.parametrize("variant", ["all_fives", "kozel"])  # points are good in one and bad in the other
def test_luck_and_play_add_up_to_the_result(variant: str) -> None:
    rules = rules_for(variant)
    report = make_report(playout(rules, rules.seat_counts[-1], {}, "sums", leave_after=60, greedy=True))
    assert report.match_total
    for row in (*report.rounds, report.match_total):
        for luck, play, result in zip(row.luck, row.play, row.result, strict=True):
            assert luck + play == pytest.approx(result, abs=0.001)
        for column in (row.result, row.luck):
            assert sum(column) == pytest.approx(0, abs=0.05 * len(report.rounds))


@pytest.mark.parametrize("variant", ["all_fives", "kozel"])
def test_every_choice_is_evaluated(variant: str) -> None:
    events = record(variant, absences=True)
    report = make_report(events)
    rules = rules_for(variant)
    expected = [
        (decision.seq, event.seat)
        for decision in decisions(events)
        if isinstance(event := decision.events[0], Played | Drew | Passed) and not event.by
        if len(rules.legal_moves(decision.state)) > 1
    ]
    assert [(choice.seq, choice.seat) for choice in report.choices] == expected
    assert all(choice.loss >= 0 for choice in report.choices)
    assert all(choice.loss == 0 for choice in report.choices if choice.made == choice.best)


def test_curve_has_every_change_of_the_score() -> None:
    events = record("all_fives")
    ends = [(seq, event.standing) for seq, event in enumerate(events, 1) if isinstance(event, RoundEnded)]
    curve = dict(make_report(events).curve)
    assert curve[min(curve)] == (0, 0)
    for seq, standing in ends:
        latest = max(place for place in curve if place <= seq)
        assert curve[latest] == tuple(side.points for side in standing)


def test_a_match_that_was_left_in_its_first_round_has_choices_and_no_result() -> None:
    report = make_report(playout(KOZEL, 2, {}, "left", leave_after=4))
    assert report.rounds == ()
    assert report.match_total is None
    assert report.choices


def test_stored_report_round_trips() -> None:
    report = make_report(record("rytmino"))
    assert report_from_data(json.loads(json.dumps(report.to_data()))) == report


def test_report_is_reproducible() -> None:
    command = [sys.executable, "-c", SCRIPT, *offered_variants()]
    outputs = {
        subprocess.run(command, env=os.environ | {"PYTHONHASHSEED": seed}, check=True, capture_output=True).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    reports = [report_from_data(json.loads(line)) for line in outputs.pop().splitlines()]
    assert len(reports) == len(offered_variants())
    assert all(report.choices for report in reports)


def test_a_record_without_a_start_or_a_player_has_no_report() -> None:
    with pytest.raises(BadRecord):
        make_report([])
    with pytest.raises((NoBotForVariant, BadRecord)):
        make_report([MatchStarted("chess", 2, (), 1)])


def test_choices_are_summed() -> None:
    """Two of three choices of seat 0 cost 12 points; the dearest of all come first, the earlier of two alike."""
    losses = [(3, 0, 2.0), (4, 1, 0.0), (5, 0, 10.0), (6, 1, 2.0), (7, 0, 0.0)]
    report = Report(tuple(Choice(seq, seat, loss, "a", "b") for seq, seat, loss in losses), (), ())
    assert report.player_report(0) == (12.0, 3, 1)
    assert (report.player_report(0).average_loss, report.player_report(0).best_share) == (4.0, 1 / 3)
    assert report.player_report(2).average_loss == report.player_report(2).best_share == 0
    assert [choice.seq for choice in report.key_moments] == [5, 3, 6]


def test_the_errors_of_rounds_add_up_by_their_squares() -> None:
    rounds = (RoundReport(1, (4.0,), (1.0,), (3.0,)), RoundReport(2, (-1.0,), (2.0,), (4.0,)))
    assert Report((), rounds, ()).match_total == RoundReport(0, (3.0,), (3.0,), (5.0,))
