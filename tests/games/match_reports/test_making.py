"""Match reports contain the cost of choices and the luck of deals, and are the same in every process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from games.bots import NoBotForVariant, bot_for_variant
from games.bots.winning import winning_chances
from games.engine.events import Drew, Event, MatchEnded, MatchStarted, Passed, Played, RoundEnded
from games.engine.evolve import evolve, start_state
from games.engine.notation import BadRecord
from games.engine.outcome import Outcome
from games.engine.playout import playout
from games.engine.replay import Decision, decisions
from games.engine.variants import rules_for
from games.match_reports import choices
from games.match_reports.chances import chance_curve
from games.match_reports.choices import (
    check_key_moments,
    estimated_loss,
    evaluate_choice,
    evaluate_choices,
    find_choice,
)
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
    print(json.dumps(make_report(playout(rules_for(key), 2, {}, "alike", leave_after=6)).to_data()))
"""


def record(variant: str, seats: int = 2, **options: object) -> list[Event]:
    return playout(rules_for(variant), seats, {}, f"report {variant}", leave_after=SHORT, **options)  # type: ignore[arg-type]


# All Fives, target 250. Seat 0 can win with its last tile.
LAST_TILE = {"hands": ["5-3", "1-0"], "laid": "6-5, 6-3 left", "standing": [240, 200]}


def last_tile(text: str, by: str = "") -> Decision:
    """Return a placement of the last tile of seat 0, which goes out: it fits both ends, 5 and 3."""
    state = position(FIVES, **LAST_TILE)  # type: ignore[arg-type]
    event, *rest = events_of(FIVES, state, text)
    assert isinstance(event, Played)
    return Decision(9, state, (replace(event, by=by), *rest))


def places() -> dict[int, str]:
    """Return both placements by their points: 5 and 5 score 10, while 3 and 3 are 6 and score nothing."""
    state = position(FIVES, **LAST_TILE)  # type: ignore[arg-type]
    return {FIVES.move_points(state, move).total: FIVES.move_text(move) for move in FIVES.legal_moves(state)}


@pytest.mark.parametrize("variant", ["kozel", "rytmino"])
def test_chances_follow_from_the_score_after_a_round_and_from_the_result(variant: str) -> None:
    events = playout(rules_for(variant), 3, {}, "chances of a match")
    curve = list(chance_curve(list(decisions(events)), "name"))
    sequence = [seq for seq, _chances in curve]
    assert sequence == sorted(set(sequence))
    report = Report((), (), (), tuple(curve))
    state = start_state(events[0])  # type: ignore[arg-type]
    rounds = 0
    for seq, event in enumerate(events[1:], 2):
        state = evolve(state, event)
        rounds += isinstance(event, RoundEnded)
        if isinstance(event, RoundEnded | MatchEnded) and not isinstance(events[seq], MatchEnded):
            assert report.chances_at(seq) == tuple(round(100 * chance) for chance in winning_chances(state))
    assert rounds == state.round.number
    assert {0, 100} == set(curve[-1][1])


def test_loss_is_the_difference_from_the_best_move() -> None:
    """The good one wins the match at once."""
    assert sorted(places()) == [0, 10]
    good, bad = places()[10], places()[0]
    (choice,) = evaluate_choices([last_tile(good)], "name")
    assert choice == Choice(9, 0, 0.0, good, good, chance_loss=0.0, chance=1.0)
    (choice,) = evaluate_choices([last_tile(bad)], "name")
    assert (choice.made, choice.best, choice.checks > 0) == (bad, good, True)
    assert choice.best_chance == 1.0


def test_winning_at_once_adds_no_points() -> None:
    """Both end the round. 10 points win 250:200; without them seat 1 loses what its tile rounds to, 0 to 10 points."""
    (choice,) = evaluate_choices([last_tile(places()[0])], "name")
    assert 0 <= choice.loss <= 10
    assert 0 < choice.chance_loss < 0.5, "240:200 is still a good score"


@pytest.mark.parametrize("by", ["clock", "bot"])
def test_forced_moves_and_bot_moves_are_no_choices(by: str) -> None:
    assert find_choice(last_tile(places()[0])) is not None
    assert find_choice(last_tile(places()[0], by)) is None


def test_one_half_of_the_playouts_judges_what_the_other_finds() -> None:
    """The halves find moves 0 and 1. Half 2 says that 0 loses 0.25 against 2, half 1 that 1 loses 0.25."""
    first = [Outcome(8.0, 0.75), Outcome(0.0, 0.25), Outcome(4.0, 0.5)]
    second = [Outcome(0.0, 0.25), Outcome(8.0, 0.75), Outcome(4.0, 0.5)]
    assert estimated_loss([first, second], move=2) == Outcome(-4.0, -0.25)
    assert estimated_loss([first, first], move=2) == Outcome(4.0, 0.25)


def test_the_costliest_choices_are_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """New playouts correct those that exaggerate every loss, for as many choices as are checked."""
    decisions_ = list(decisions(record("kozel", absences=True)))
    usual = {choice.seq: choice for choice in evaluate_choices(decisions_, "name")}

    def exaggerated(*arguments: Any) -> Choice:
        choice = evaluate_choice(*arguments)
        return choice._replace(best="other", chance_loss=0.9)

    def corrected(_position: object, choice: Choice, _seed: str, samples: int) -> Choice:
        checks.append((choice.seq, samples))
        return choice._replace(chance_loss=0.01, checks=samples, error=0.0)

    checks: list[tuple[int, int]] = []
    monkeypatch.setattr(choices, "evaluate_choice", exaggerated)
    monkeypatch.setattr(choices, "check_choice", corrected)
    judged = evaluate_choices(decisions_, "name")
    expected = sorted(usual)[: choices.CHECKED_CHOICES]
    assert checks == [(seq, choices.CHECK_SAMPLES) for seq in expected]
    assert [choice.seq for choice in judged if choice.checks] == expected
    assert Report(tuple(judged), (), ()).key_moments == (), "less than two percentage points are no key moment"


def test_playouts_are_not_spent_on_chances_that_stay_uncertain(monkeypatch: pytest.MonkeyPatch) -> None:
    """600 playouts are 300 for each move. An error of 0.06 after 60 would be 0.027, one of 0.03 becomes 0.013.
    The third mistake is left without playouts.
    """

    def checked(_position: object, choice: Choice, _seed: str, samples: int) -> Choice:
        return choice._replace(checks=samples)

    positions = {position.seq: position for position in map(find_choice, decisions(record("kozel"))) if position}
    mistakes = [
        Choice(seq, 0, 9.0, "a", "b", 0.3, 0.5, checks=60, error=error)
        for seq, error in zip(positions, (0.06, 0.03, 0.02), strict=False)
    ]
    monkeypatch.setattr(choices, "check_choice", checked)
    monkeypatch.setattr(type(bot_for_variant("kozel")), "check_playouts", 600)
    assert list(check_key_moments(mistakes, positions, "name")) == [mistakes[1]._replace(checks=300)]


def test_round_without_choices_is_all_luck() -> None:
    """The leader's only tile goes out. 11 pips are left to the other, so each is 5.5 points off the average."""
    dealt = position(KOZEL, hands=["2-1", "6-5"])
    row = round_report(dealt, round_end(KOZEL, dealt, "2-1"), [0.0, 0.0], "name")
    assert row == RoundReport(2, result=(5.5, -5.5), luck=(5.5, -5.5), error=(0.0, 0.0), choices=(0.0, 0.0))
    assert row.rest == (0.0, 0.0)


def test_choices_of_one_side_are_the_gain_of_the_others() -> None:
    """Seats lost 6, 0 and 3 points, 3 on average. The rest is what luck and choices do not explain of 11 pips."""
    dealt = position(KOZEL, hands=["2-1", "6-5", "0-0"])
    row = round_report(dealt, round_end(KOZEL, dealt, "2-1"), [6.0, 0.0, 3.0], "name")
    assert row.choices == (-3.0, 3.0, 0.0)
    assert row.result == row.luck == (7.0, -4.0, -3.0), "0, 11 and 10 points, 7 on average"
    assert row.rest == (3.0, -3.0, 0.0)


def test_more_points_are_better_where_points_are_good() -> None:
    """All Fives: 5-0 scores 5 for the lead, and the 11 pips left to the other are 10 more."""
    dealt = position(FIVES, hands=["5-0", "6-5"])
    row = round_report(dealt, round_end(FIVES, dealt, "5-0"), [0.0, 0.0], "name")
    assert row.result == row.luck == (7.5, -7.5)


@pytest.mark.parametrize("variant", ["all_fives", "kozel"])  # points are good in one and bad in the other
def test_luck_choices_and_the_rest_add_up_to_the_result(variant: str) -> None:
    rules = rules_for(variant)
    report = make_report(playout(rules, rules.seat_counts[-1], {}, "sums", leave_after=60, greedy=True))
    assert report.match_total
    for row in (*report.rounds, report.match_total):
        for luck, gain, rest, result in zip(row.luck, row.choices, row.rest, row.result, strict=True):
            assert luck + gain + rest == pytest.approx(result, abs=0.001)
        for column in (row.result, row.luck, row.choices):
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
    assert all(0 <= choice.chance <= 1 for choice in report.choices)
    assert all(choice.made != choice.best for choice in report.choices if choice.checks)


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
    """Seat 0 lost 12 points and 0.25 of the chance in three choices, of which one was best; errors below 0 count."""
    losses = [(3, 0, 2.0, 0.05), (4, 1, -1.0, -0.02), (5, 0, 11.0, 0.22), (7, 0, -1.0, -0.02)]
    report = Report(tuple(Choice(seq, seat, loss, "a", "b", chance) for seq, seat, loss, chance in losses), (), ())
    report = report._replace(choices=(*report.choices[:-1], report.choices[-1]._replace(best="a")))
    assert report.player_report(0) == (12.0, 3, 1, 0.25)
    assert (report.player_report(0).average_loss, report.player_report(0).best_share) == (4.0, 1 / 3)
    assert report.player_report(1) == (0.0, 1, 0, 0.0), "a total is never below 0"
    assert report.player_report(2).average_loss == report.player_report(2).best_share == 0


def test_key_moments_are_the_checked_choices_that_cost_most_of_the_chance() -> None:
    """Points do not decide, and the earlier of two alike comes first. The loss must be 2 percentage points plus its
    error of 1. A chance with a standard error of 2 percentage points is too uncertain to be stated.
    """
    losses = [(3, 0.0301, 60), (4, 0.3, 60), (5, 0.0301, 60), (6, 0.0299, 60), (7, 0.9, 0)]
    listed = tuple(Choice(seq, 0, 50.0 - seq, "a", "b", loss, 0.5, checks, 0.01) for seq, loss, checks in losses)
    listed = (*listed, Choice(8, 0, 1.0, "a", "b", 0.5, 0.4, checks=60, error=0.02))
    assert [choice.seq for choice in Report(listed, (), ()).key_moments] == [4, 3, 5]


@pytest.mark.parametrize(("loss", "best", "expected"), [(3.0, "b", 3.0), (-1.0, "b", 0.0), (3.0, "a", 0.0)])
def test_records_have_no_loss_below_zero_or_of_the_best_move(loss: float, best: str, expected: float) -> None:
    assert Choice(1, 0, loss, "a", best).certain_loss == expected


def test_the_errors_of_rounds_add_up_by_their_squares() -> None:
    rounds = (RoundReport(1, (4.0,), (1.0,), (3.0,), (2.0,)), RoundReport(2, (-1.0,), (2.0,), (4.0,), (0.5,)))
    assert Report((), rounds, ()).match_total == RoundReport(0, (3.0,), (3.0,), (5.0,), (2.5,))
