"""The quick matches of all games that have them: each rule has a test named for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from games.engine.decide import new_match
from games.engine.events import MatchStarted
from games.engine.evolve import fold, start_state
from games.engine.options import LENGTH_OPTION, is_quick
from games.engine.playout import playout
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.variants import registry, rules_for
from games.engine.view import view_for
from tests.engine.positions import match_end, move, position, round_end

KOZEL, GAMEZZ, FIVES, TRIOMINOES = map(rules_for, ("kozel", "gamezz", "all_fives", "triominoes"))
WITH_LENGTH = [rules for rules in registry().values() if LENGTH_OPTION in rules.options]
QUICK = {"length": "quick"}
BOARD = {"length": "round"}


def points(state: State) -> list[int]:
    return [standing.points for standing in state.standing]


def test_every_rule_of_quick_matches_has_a_test_named_for_it() -> None:
    named = {name.replace("_", ".", 1) for name in re.findall(r"def test_(quick_\w+?)__", Path(__file__).read_text())}
    assert named == {rule for rules in registry().values() for rule in rules.rules_ids if rule.startswith("quick.")}


# The option


@pytest.mark.parametrize("rules", WITH_LENGTH, ids=lambda rules: rules.key)
def test_the_record_of_a_full_match_leaves_the_option_out(rules: Rules) -> None:
    begun = new_match(rules, 2, {"length": "full"})
    assert begun == new_match(rules, 2, {})
    assert "length" not in dict(begun.options)
    assert not is_quick(start_state(begun))
    assert dict(new_match(rules, 2, QUICK).options)["length"] == "quick"


def test_a_record_without_the_option_is_a_full_match() -> None:
    state = start_state(MatchStarted("kozel", 2, (("fish", "all"),), 1))
    assert state.option("length") == "full"
    assert KOZEL.target(state) == 101


@pytest.mark.parametrize("rules", WITH_LENGTH, ids=lambda rules: rules.key)
def test_a_quick_match_is_over_sooner_by_its_own_rule(rules: Rules) -> None:
    full, quick = (
        fold(playout(rules, 3, {"length": length}, "1", leave_after=3000, greedy=True)) for length in ("full", "quick")
    )
    assert quick.match_over is not None
    assert (quick.match_over.reason, quick.match_over.rule[:6]) == ("finished", "quick.")
    assert len(quick.rounds) < len(full.rounds)


# The limit of 51


def test_quick_limit__an_account_of_51_loses_in_kozel_and_50_does_not() -> None:
    """Seat 0 goes out; 1-0 is 1 point, 6-6 is 12: 20, 50 and 50; then 20, 50 and 51."""
    state = position(
        KOZEL, hands=["6-4", "1-0", "6-6"], laid="6-1", standing=["=20", "=49", "=38"], boneyard="5-5", options=QUICK
    )
    after = move(KOZEL, state, "6-4 left")
    assert (points(after), after.match_over) == ([20, 50, 50], None)
    state = replace(state, standing=tuple(map(KOZEL.read_standing, ["=20", "=49", "=39"])))
    ended = match_end(KOZEL, state, "6-4 left")
    assert (ended.reason, ended.rule, ended.losers, ended.places) == ("finished", "quick.limit", (2,), (1, 2, 3))


def test_quick_limit__remembered_points_do_not_count_in_kozel() -> None:
    state = position(KOZEL, hands=["6-4", "6-6"], laid="6-1", standing=["0", "+50"], options=QUICK)
    after = move(KOZEL, state, "6-4 left")  # 6-6 is 12, one short of the threshold
    assert (points(after), after.match_over) == ([0, 62], None)


def test_quick_limit__several_goats_share_the_last_place() -> None:
    state = position(
        KOZEL, hands=["6-4", "6-6", "5-5", "6-5"], laid="6-1", standing=["=30", "=45", "=30", "=49"], options=QUICK
    )
    ended = match_end(KOZEL, state, "6-4 left")  # 30, 57, 40, 60
    assert (ended.losers, ended.places) == ((1, 3), (1, 3, 2, 3))


def test_quick_limit__a_total_of_51_loses_in_classic_goat_and_50_does_not() -> None:
    """Seat 3 goes out; 6, 10 and 12 pips: 51, 20, 50 and 20."""
    state = position(
        GAMEZZ,
        hands=["5-1", "5-5", "6-6", "6-4"],
        laid="6-1",
        to_move=3,
        standing=[45, 10, 38, 20],
        boneyard="3-2",
        options=QUICK,
    )
    after = move(GAMEZZ, state, "6-4 left")
    assert points(after) == [51, 20, 50, 20]
    assert after.match_over is not None
    assert (after.match_over.rule, after.match_over.losers) == ("quick.limit", (0,))
    assert after.match_over.places == (4, 1, 3, 1)
    state = replace(state, standing=tuple(map(GAMEZZ.read_standing, [44, 10, 38, 20])))
    assert move(GAMEZZ, state, "6-4 left").match_over is None


# The target of 100, with four of 60


@pytest.mark.parametrize(("seats", "target"), [(2, 100), (3, 100), (4, 60)])
@pytest.mark.parametrize("standard", ["standard", "250"])
def test_quick_target__by_the_number_of_players_alone(seats: int, target: int, standard: str) -> None:
    def led(before: int) -> State:
        """6-4 counts 10."""
        hands, standing = ["6-4 6-6", "6-5 1-1", "5-5", "5-4"][:seats], [before, *[0] * (seats - 1)]
        options = {"target": standard, **QUICK}
        return move(FIVES, position(FIVES, hands=hands, standing=standing, options=options), "6-4")

    won = led(target - 10)
    assert won.round.over is not None
    assert (won.round.over.reason, won.round.over.rule) == ("target", "quick.target")
    assert won.match_over is not None
    assert (won.match_over.rule, won.match_over.places[0]) == ("quick.target", 1)
    assert led(target - 15).match_over is None


def test_quick_target__partners_reach_it_together() -> None:
    state = position(
        FIVES, hands=["6-4 6-6", "6-5", "5-5", "5-4"], standing=[50, 55], options={"partners": "yes", **QUICK}
    )
    assert match_end(FIVES, state, "6-4").places == (1, 3, 1, 3)


# 200 points or two rounds


def ending(standing: Sequence[int], number: int, options: dict[str, str] = QUICK) -> State:
    """Return a position in which seat 0 goes out with 1-1-2 (4 + 25) and takes 3 from seat 1, in all 32."""
    state = position(
        TRIOMINOES,
        hands=["1-1-2", "0-0-3"],
        laid="U(0,0)=1/1/5",
        boneyard="0-0-1",
        standing=standing,
        options=options,
    )
    return replace(state, round=replace(state.round, number=number))


def test_quick_rounds__the_first_round_under_200_is_not_the_last() -> None:
    state = ending([167, 199], 1)
    assert not view_for(TRIOMINOES, state, 1).last
    after = move(TRIOMINOES, state, "D(0,0)=1/1/2")
    assert (points(after), after.match_over) == ([199, 199], None)


def test_quick_rounds__200_ends_the_match_with_the_first_round() -> None:
    over = match_end(TRIOMINOES, ending([168, 199], 1), "D(0,0)=1/1/2")
    assert (over.reason, over.rule, over.places) == ("finished", "quick.rounds", (1, 2))


def test_quick_rounds__the_second_round_is_the_last_in_any_case() -> None:
    state = ending([10, 20], 2)
    assert view_for(TRIOMINOES, state, 1).last
    assert round_end(TRIOMINOES, state, "D(0,0)=1/1/2").last
    assert match_end(TRIOMINOES, state, "D(0,0)=1/1/2").places == (1, 2)  # 42 and 20


def test_quick_rounds__200_in_mid_round_makes_it_the_last_even_if_penalties_push_it_back() -> None:
    """188 + 12 = 200, drawing 195; seat 1 gets 9, then 11 + 25 + 4 for going out."""
    state = position(
        TRIOMINOES,
        hands=["3-4-5 0-0-1", "1-3-5 3-4-4"],
        laid="U(0,0)=4/4/5",
        standing=[188, 0],
        boneyard="0-1-2",
        options=QUICK,
    )
    state = replace(state, round=replace(state.round, number=1))
    state = move(TRIOMINOES, state, "D(-1,0)=5/3/4", "U(-1,0)=3/5/1", "draw", "pass")
    assert points(state) == [195, 9]
    assert view_for(TRIOMINOES, state, 1).last
    assert match_end(TRIOMINOES, state, "U(-1,1)=4/4/3").places == (1, 2)


@pytest.mark.parametrize(("standing", "number"), [([168, 200], 1), ([10, 42], 2)])
def test_quick_rounds__equal_totals_share_the_place_and_no_round_follows(standing: list[int], number: int) -> None:
    assert match_end(TRIOMINOES, ending(standing, number), "D(0,0)=1/1/2").places == (1, 1)


# Boards of one round


@pytest.mark.parametrize("rules", registry().values(), ids=lambda rules: rules.key)
def test_a_board_of_any_game_is_over_after_one_round(rules: Rules) -> None:
    for seats in rules.seat_counts:
        board = fold(playout(rules, seats, rules.one_round, "board"))
        assert board.match_over is not None
        assert (board.match_over.reason, len(board.rounds)) == ("finished", 1)
        assert rules.length(board) == 1
        assert raw_order(board, rules) == list(board.match_over.places)


def raw_order(board: State, rules: Rules) -> list[int]:
    """Return the places by the points of the only round."""
    sign = 1 if rules.are_points_bad else -1
    return [1 + sum(sign * other < sign * own for other in points(board)) for own in points(board)]


@pytest.mark.parametrize("rules", WITH_LENGTH, ids=lambda rules: rules.key)
def test_no_host_can_choose_a_board(rules: Rules) -> None:
    assert "round" not in LENGTH_OPTION.choices
    assert dict(new_match(rules, 2, BOARD).options)["length"] == "round"


def test_quick_round__remembered_points_count_in_kozel_and_nobody_is_a_goat() -> None:
    state = position(
        KOZEL, hands=["6-4", "1-0", "6-6"], laid="6-1", standing=["0", "0", "0"], boneyard="5-5", options=BOARD
    )
    ended = match_end(KOZEL, state, "6-4 left")  # 0, 1 and 12 points, all remembered
    assert (ended.reason, ended.rule, ended.places) == ("finished", "quick.round", (1, 2, 3))
    assert (ended.losers, ended.rating) == ((), ())


def test_quick_round__points_decide_in_classic_goat_and_equal_ones_share_the_place() -> None:
    state = position(
        GAMEZZ, hands=["6-4", "3-2", "4-1"], laid="6-1", standing=[0, 0, 0], boneyard="5-5", options=BOARD
    )
    assert match_end(GAMEZZ, state, "6-4 left").places == (1, 2, 2)


def test_quick_round__no_target_is_needed_in_all_fives() -> None:
    state = position(FIVES, hands=["6-4", "1-0"], laid="6-1", standing=[0, 0], boneyard="5-5", options=BOARD)
    ended = match_end(FIVES, state, "6-4 left")  # 4 + 1 = 5; the pip of 1-0 rounds to 0
    assert (ended.rule, ended.places) == ("quick.round", (1, 2))


def test_quick_round__a_tie_in_triominoes_has_no_other_round() -> None:
    state = ending([0, 32], 1, BOARD)
    assert view_for(TRIOMINOES, state, 1).last
    ended = match_end(TRIOMINOES, state, "D(0,0)=1/1/2")
    assert (ended.rule, ended.places) == ("quick.round", (1, 1))
