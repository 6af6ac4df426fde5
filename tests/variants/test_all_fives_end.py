"""All Fives, the ends of hands and matches: each rule has a test named for it, the numbers worked out by hand."""

from __future__ import annotations

import pytest

from games.engine.events import MatchEnded, Points, RoundEnded, Term
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.variants.all_fives import round_to_five
from tests.engine.positions import legal, match_end, move, position, round_end, scores, totals

FIVES = rules_for("all_fives")
COLLECTS = {"hand_end": "winner_collects"}
PARTNERS = {"partners": "yes"}


def terms(points: Points) -> list[tuple[str, str, int]]:
    return [(term.rule, term.text, term.value) for term in points.terms]


# Blocks


def test_all_fives_blocked__no_unlaid_tile_fits_any_open_end() -> None:
    state = position(FIVES, hands=["6-4 2-2", "1-0", "5-5"], laid="6-3", boneyard="1-1")
    ended = round_end(FIVES, state, "6-4 left")  # ends 4 and 3; 2-2, 1-0, 5-5, 1-1 are left
    assert (ended.reason, ended.seat, ended.rule) == ("blocked", 0, "all_fives.blocked")
    after = move(FIVES, state, "6-4 left")
    assert (len(after.boneyard), after.round.to_move) == (1, None), "nobody draws"


def test_all_fives_blocked__not_while_the_boneyard_holds_a_fitting_tile() -> None:
    state = move(FIVES, position(FIVES, hands=["6-4 2-2", "1-0"], laid="6-3", boneyard="1-1 4-0"), "6-4 left")
    assert (state.round.over, legal(FIVES, state)) == (None, ["draw"])


def test_all_fives_blocked__the_open_ends_of_the_spinner_count() -> None:
    laid = "6-6, 6-3 left"
    state = move(FIVES, position(FIVES, hands=["6-4 2-2", "1-0"], laid=laid, boneyard="6-0"), "6-4 right")
    assert state.round.over is None
    ended = round_end(FIVES, position(FIVES, hands=["6-4 2-2", "1-0"], laid=laid, boneyard="5-0"), "6-4 right")
    assert ended.reason == "blocked"


# The end of a hand


def test_all_fives_hand_end__pips_are_rounded_to_the_nearest_five() -> None:
    """A-02: 7 is 5, 8 is 10."""
    points = {0: 0, 1: 0, 2: 0, 3: 5, 4: 5, 5: 5, 6: 5, 7: 5, 8: 10, 13: 15, 42: 40, 43: 45}
    assert {pips: round_to_five(pips) for pips in points} == points


def test_all_fives_hand_end__the_rest_is_subtracted_from_ones_own_score() -> None:
    """A-15: A 45 goes out, B 30 holds 6-5, 1-1: 13 -> 15; A 45, B 15; A leads next."""
    state = position(FIVES, hands=["6-4", "6-5 1-1"], laid="6-2", standing=[45, 30])
    ended = round_end(FIVES, state, "6-4 left")  # 4 + 2 = 6
    assert (ended.reason, ended.seat, ended.rule, ended.lead) == ("out", 0, "all_fives.hand_end", 0)
    assert totals(ended) == [0, -15]
    assert scores(FIVES, ended) == ["45", "15"]
    assert terms(ended.points[0]) == [("all_fives.hand_end", "", 0)]
    assert terms(ended.points[1]) == [("all_fives.hand_end", "6-5 + 1-1 = 13", -15)]


def test_all_fives_hand_end__scores_may_go_below_zero() -> None:
    state = position(FIVES, hands=["6-4", "6-5 1-1", "1-0"], laid="6-2", standing=[0, 5, -5])
    assert scores(FIVES, round_end(FIVES, state, "6-4 left")) == ["0", "-10", "-5"]


def test_all_fives_hand_end__after_a_block_everybody_subtracts() -> None:
    state = position(FIVES, hands=["6-4 2-2", "1-0", "5-5"], laid="6-3", standing=[10, 20, 30])
    ended = round_end(FIVES, state, "6-4 left")  # 4, 1 and 10 pips
    assert totals(ended) == [-5, 0, -10]
    assert scores(FIVES, ended) == ["5", "20", "20"]
    assert ended.lead is None


def test_all_fives_hand_end__the_last_tile_scores_too() -> None:
    state = position(FIVES, hands=["6-3", "6-5 1-1"], laid="6-2", standing=[45, 30])
    after = move(FIVES, state, "6-3 left")  # 3 + 2 = 5
    assert after.round.scored == 5
    assert after.round.over is not None
    assert [standing.points for standing in after.round.over.before] == [50, 30]
    assert scores(FIVES, after.round.over) == ["50", "15"]


def test_all_fives_hand_end__the_winner_collects_what_the_others_hold_summed_and_then_rounded() -> None:
    # 13 + 4 = 17 -> 15, not 15 + 5.
    state = position(
        FIVES,
        hands=["6-4", "6-5 1-1", "4-0"],
        laid="6-2",
        standing=[45, 30, 20],
        options={"hand_end": "winner_collects"},
    )
    ended = round_end(FIVES, state, "6-4 left")
    assert totals(ended) == [15, 0, 0]
    assert scores(FIVES, ended) == ["60", "30", "20"]
    assert terms(ended.points[0]) == [("all_fives.hand_end", "6-5 + 1-1 + 4-0 = 17", 15)]
    assert terms(ended.points[1]) == [("all_fives.hand_end", "6-5 + 1-1 = 13", 0)]


def test_all_fives_hand_end__after_a_block_the_lightest_collects_less_his_own() -> None:
    # 4, 1 and 10 pips: 14 - 1 = 13 -> 15.
    state = position(FIVES, hands=["6-4 2-2", "1-0", "5-5"], laid="6-3", standing=[10, 20, 30], options=COLLECTS)
    ended = round_end(FIVES, state, "6-4 left")
    assert (ended.reason, totals(ended), ended.lead) == ("blocked", [0, 15, 0], None)
    assert terms(ended.points[1]) == [("all_fives.hand_end", "2-2 + 5-5 − (1-0) = 13", 15)]


def test_all_fives_hand_end__a_shared_lightest_hand_collects_nothing() -> None:
    state = position(FIVES, hands=["6-4 2-2", "1-0", "0-1"], laid="6-3", options=COLLECTS)
    ended = round_end(FIVES, state, "6-4 left")
    assert totals(ended) == [0, 0, 0]
    assert terms(ended.points[0]) == [("all_fives.hand_end", "2-2 = 4", 0)]


# Partners


def test_all_fives_partners__each_hand_is_rounded_by_itself_and_subtracted_from_its_side() -> None:
    # Seat 2, partner of who went out, holds 13 -> 15; the others 3 -> 5 and 8 -> 10.
    hands = ["6-4", "2-1", "6-5 1-1", "5-3"]
    state = position(FIVES, hands=hands, laid="6-2", standing=[45, 30], options=PARTNERS)
    ended = round_end(FIVES, state, "6-4 left")
    assert totals(ended) == [-15, -15]
    assert scores(FIVES, ended) == ["30", "15"]
    assert terms(ended.points[0]) == [("all_fives.partners", "", 0), ("all_fives.partners", "6-5 + 1-1 = 13", -15)]
    assert terms(ended.points[1]) == [
        ("all_fives.partners", "2-1 = 3", -5),
        ("all_fives.partners", "5-3 = 8", -10),
    ]
    assert len(ended.reset) == 2


def test_all_fives_partners__score_together() -> None:
    state = position(
        FIVES, hands=["1-1 0-0", "2-1", "6-3 6-1", "5-3"], laid="6-2", to_move=2, standing=[45, 30], options=PARTNERS
    )
    state = move(FIVES, state, "6-3 left")  # 3 + 2 = 5
    assert [standing.points for standing in state.standing] == [50, 30]
    assert state.round.to_move == 3


def test_all_fives_partners__a_side_collects_what_the_other_side_holds() -> None:
    # The partner's 13 does not count; 3 + 8 = 11 -> 10.
    hands = ["6-4", "2-1", "6-5 1-1", "5-3"]
    state = position(FIVES, hands=hands, laid="6-2", standing=[45, 30], options={**PARTNERS, **COLLECTS})
    ended = round_end(FIVES, state, "6-4 left")
    assert totals(ended) == [10, 0]
    assert terms(ended.points[0]) == [("all_fives.hand_end", "2-1 + 5-3 = 11", 10)]


def test_all_fives_partners__after_a_block_the_lighter_side_collects_less_its_own() -> None:
    # 4 + 2 = 6 against 1 + 10 = 11: 5. The lightest hand is on the heavier side.
    hands = ["6-4 2-2", "1-0", "1-1", "5-5"]
    state = position(FIVES, hands=hands, laid="6-3", options={**PARTNERS, **COLLECTS})
    ended = round_end(FIVES, state, "6-4 left")
    assert (ended.reason, totals(ended)) == ("blocked", [5, 0])
    assert terms(ended.points[0]) == [("all_fives.hand_end", "1-0 + 5-5 − (2-2 + 1-1) = 5", 5)]


# The target


def test_all_fives_target__who_reaches_it_wins_at_once() -> None:
    """A-21: target 250, A 240, B 245; A makes a count of 10: nothing is subtracted."""
    state = position(FIVES, hands=["6-4 6-6", "6-5 1-1"], standing=[240, 245], boneyard="5-4")
    after = move(FIVES, state, "6-4")
    assert after.round.to_move is None
    assert after.round.over == RoundEnded(
        round=2,
        reason="target",
        seat=0,
        rule="all_fives.target",
        points=(Points(0), Points(0)),
        before=after.standing,
        standing=after.standing,
        reset=("", ""),
        pot=0,
        lead=None,
        made=(Points(10, (Term("all_fives.score", "10", 10),)), Points(0)),
    )
    assert [standing.points for standing in after.standing] == [250, 245]
    assert after.match_over == MatchEnded("finished", None, "all_fives.target", (1, 2), (), ())
    assert after.round.scored == 10


def test_all_fives_target__also_with_the_last_tile() -> None:
    state = position(FIVES, hands=["6-3", "6-5 1-1"], laid="6-2", standing=[245, 30])
    ended = round_end(FIVES, state, "6-3 left")
    assert (ended.reason, totals(ended), scores(FIVES, ended)) == ("target", [0, 0], ["250", "30"])


TARGETS = [
    (2, "standard", 250), (3, "standard", 200), (4, "standard", 200), (2, "100", 100), (3, "150", 150),
    (4, "250", 250), (2, "200", 200),
]  # fmt: skip


@pytest.mark.parametrize(("seats", "target", "points"), TARGETS)
def test_all_fives_target__by_the_option_and_the_number_of_players(seats: int, target: str, points: int) -> None:
    def led(before: int) -> State:
        hands = ["6-4 6-6", "6-5 1-1", "5-5", "5-4"][:seats]
        standing = [before, *[0] * (seats - 1)]
        return move(FIVES, position(FIVES, hands=hands, standing=standing, options={"target": target}), "6-4")

    assert led(points - 10).match_over is not None
    assert led(points - 15).match_over is None


def test_all_fives_target__is_not_tested_where_nothing_scores() -> None:
    state = position(FIVES, hands=["6-4 6-6", "5-0 1-1"], laid="6-2", standing=[250, 300])
    assert move(FIVES, state, "6-4 left").match_over is None  # 4 + 2 = 6
    ended = move(FIVES, position(FIVES, hands=["6-4", "5-0 1-1"], laid="6-2", standing=[250, 300]), "6-4 left")
    assert ended.round.over is not None
    assert ended.match_over is None


def test_all_fives_target__at_the_end_of_the_hand_too_where_the_winner_collects() -> None:
    state = position(FIVES, hands=["6-4", "6-5 1-1"], laid="6-2", standing=[235, 30], options=COLLECTS)
    after = move(FIVES, state, "6-4 left")  # 6 on the table; 13 -> 15
    assert after.round.over is not None
    assert (after.round.over.reason, totals(after.round.over)) == ("out", [15, 0])
    assert after.match_over == MatchEnded("finished", None, "all_fives.target", (1, 2), (), ())
    state = position(FIVES, hands=["6-4", "6-5 1-1"], laid="6-2", standing=[230, 30], options=COLLECTS)
    assert move(FIVES, state, "6-4 left").match_over is None


@pytest.mark.parametrize(
    ("standing", "places"), [([190, 30, 120], (1, 3, 2)), ([190, 30, 30], (1, 2, 2)), ([190, -5, 198], (1, 3, 2))]
)
def test_all_fives_target__places_by_points_and_equal_points_share_one(
    standing: list[int], places: tuple[int, ...]
) -> None:
    state = position(FIVES, hands=["6-4 6-6", "6-5 1-1", "5-5"], standing=standing)
    ended = match_end(FIVES, state, "6-4")
    assert (ended.places, ended.losers, ended.rating) == (places, (), ())


def test_all_fives_target__partners_win_together() -> None:
    hands = ["6-4 6-6", "6-5 1-1", "5-5", "5-4"]
    state = position(FIVES, hands=hands, standing=[190, 195], options=PARTNERS)
    assert match_end(FIVES, state, "6-4").places == (1, 3, 1, 3)


def test_all_fives_target__who_reaches_it_is_first_even_if_a_score_was_set_higher() -> None:
    state = position(FIVES, hands=["6-4 6-6", "6-5 1-1"], standing=[240, 300])
    assert match_end(FIVES, state, "6-4").places == (1, 2)
