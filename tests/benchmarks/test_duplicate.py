"""How the benchmark of duplicate boards compares levels, by results and by points lost a choice."""

from __future__ import annotations

from statistics import fmean

import pytest

from benchmarks import duplicate
from games.bots.boards import probe_board
from games.engine.events import MatchStarted
from games.engine.evolve import evolve
from games.engine.variants import rules_for
from games.match_reports import choices

RYTMINO = rules_for("rytmino")


def test_boards_that_tell_two_levels_follow_from_the_spread_of_results() -> None:
    comparison = duplicate.compare([3, 5, 4, 8], [1, 3, 2, 7])
    assert (comparison.own_deals, comparison.same_deal) == (15, 1)
    assert comparison.difference == 1.75
    assert duplicate.compare([1, 3, 2, 7], [3, 5, 4, 8])[:3] == comparison[:3]  # the direction does not matter


def test_moves_that_are_judged_are_those_of_the_board_that_gives_the_results() -> None:
    start = duplicate.board_start(RYTMINO, 3, 5)
    *_, last = duplicate.probe_decisions(start, 1, "beginner")
    state = last.state
    for event in last.events:
        state = evolve(state, event)
    assert state.match_over
    (scores,) = probe_board(start, duplicate.SECRET, 1, ["beginner"])
    assert [standing.points for standing in state.standing] == scores


def test_only_choices_of_the_seat_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "MAX_SAMPLES", choices.MIN_SAMPLES)
    monkeypatch.setattr(choices, "CHECKED_CHOICES", 0)
    start = duplicate.board_start(RYTMINO, 2, 1, "beginner 1")
    moves = list(duplicate.probe_decisions(start, 0, "beginner"))
    own = [move for move in moves if move.state.round.to_move == 0 and len(RYTMINO.legal_moves(move.state)) > 1]
    report = choices.evaluate_choices(moves, choices.report_seed(start))
    losses = duplicate.choice_losses(start, 0, "beginner")
    assert 0 < len(own) == len(losses) < len(report)
    assert losses == [choice.loss for choice in report if choice.seq in {move.seq for move in own}]


def test_boards_without_a_choice_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    losses = {"strong": [[0.0, 1.0], [2.0], [], [1.0]], "beginner": [[4.0], [], [3.0], [2.0, 6.0]]}

    def planned_losses(start: MatchStarted, seat: int, level: str) -> list[float]:
        assert seat == (start.first - 1) % 2
        return losses[level][start.first - 1]

    monkeypatch.setattr(duplicate, "choice_losses", planned_losses)
    rows = duplicate.loss_rows(RYTMINO, 2, 4, list(losses))
    assert rows == [[0.5, 1.0], [4.0, 4.0]]
    assert fmean(rows[0]) < fmean(rows[1])
