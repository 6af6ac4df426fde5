"""Each kind of fact in a position worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from games.bots.outcomes import Course
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import View, view_for
from games.explanations.fact import Fact, facts_from_data
from games.explanations.facts import drawback, explain, position_facts
from games.explanations.standpoint import Standpoint
from games.explanations.texts import Speech, fact_sentence
from tests.engine.positions import move, position
from tests.variants.triominoes_boards import T12, T15

SPEECH = Speech("6-3 on the left", "2-1", ("Anna", "Ben"), 0)
COURSE = Course(0, 0, 0, 0, 0, 0, 0, 0)


def facts_between(state: State, better: str, worse: str) -> dict[str, Fact]:
    """Return the facts of a position by kind; two moves are read in it."""
    rules, seat = rules_for(state.setup.variant), state.round.to_move
    assert seat is not None
    before = Standpoint(view_for(rules, state, seat), seat)
    moves = (rules.parse_move(state, text) for text in (better, worse))
    return {fact.kind: fact for fact in position_facts(before, *moves)}


def explanation_of(view: View, better: str, worse: str, *courses: tuple[Course, Course]) -> tuple[Fact, ...]:
    legal = {view.rules.move_text(legal_move): legal_move for legal_move in view.legal}
    return explain(view, legal[better], legal[worse], courses)


def at(variant: str, **columns: Any) -> State:
    return position(rules_for(variant), **columns)


def test_the_only_tile_with_a_number_is_kept() -> None:
    """5-2 is the only 2. 6-5 gives up a 6 and a 5, of which more are left."""
    state = at("kozel", hands=("6-5 5-2 6-1 5-1", "4-3 4-0 3-0"), laid="3-5", boneyard="2-0 3-2 6-2")
    facts = facts_between(state, "6-5 right", "5-2 right")
    assert facts["keeps"] == Fact("keeps", True, (2,))
    assert "keeps" not in facts_between(state, "5-2 right", "6-5 right")


@pytest.mark.parametrize(
    ("boneyard", "better", "fact"),
    [
        ("5-0 6-6", "6-0 left", Fact("lacks", True, (1, 3))),
        ("5-0 6-6", "3-0 left", Fact("must_draw", True, (1,))),
        ("5-0", "3-0 left", Fact("must_pass", True, (1,))),
    ],
)
def test_a_draw_shows_what_a_player_does_not_have(boneyard: str, better: str, fact: Fact) -> None:
    """Ben draws because he has no 5 and no 3, and must play 5-0. Then the ends are 0 and 3, after 6-3 0 and 6."""
    state = at("kozel", hands=("5-3 6-3 6-0 3-0", "6-2 2-1 1-1"), boneyard=boneyard)
    state = move(rules_for("kozel"), state, "5-3", "draw", "5-0 left")
    assert facts_between(state, better, "6-3 right")[fact.kind] == fact
    assert fact.kind not in facts_between(state, "6-3 right", better)


@pytest.mark.parametrize(
    ("laid", "fact"),
    [
        ("0-3 3-1 1-1 1-5 5-3", Fact("strands", False, (2, 3, 3, 3))),
        ("4-3 3-2 2-0 0-3 3-1 1-1 1-5 5-3", Fact("dead_double", False, (3, 3, 3))),
    ],
)
def test_a_double_loses_its_last_end(laid: str, fact: Fact) -> None:
    """6-3 covers the 3. The other 3s that are left are 3-2 and 4-3 in the first line, and none in the second."""
    state = at("gamezz", hands=("3-3 6-3 1-0", "6-6 6-5"), laid=laid, boneyard="6-4")
    assert facts_between(state, "3-3 right", "6-3 right")[fact.kind] == fact


def test_own_tiles_that_fit_are_counted() -> None:
    """After 6-4, three tiles in hand have the 4. After 6-5 only 5-2 has the 5, and without it none."""
    hand = "6-4 6-5 4-3 4-2 4-1"
    state = at("kozel", hands=(f"{hand} 5-2", "0-0 1-0"), laid="0-6", boneyard="5-5")
    assert facts_between(state, "6-4 right", "6-5 right")["more_fit"] == Fact("more_fit", True, (3, 1))
    state = at("kozel", hands=(hand, "0-0 1-0"), laid="0-6", boneyard="5-5")
    assert facts_between(state, "6-4 right", "6-5 right")["none_fits"] == Fact("none_fits", False)


def test_hidden_tiles_that_fit_are_counted() -> None:
    """Five hidden tiles have a 6. Only 2-1 has a 1, but 2-0, 2-1, 4-2 and 5-2 have a 2 and no 6."""
    hands = ("3-1 3-2 2-2 6-0", "2-1 4-2")
    state = at("gamezz", hands=hands, laid="6-1 1-1 1-4 4-0 0-1 1-5 5-3", boneyard="6-2")
    assert facts_between(state, "3-1 right", "3-2 right")["few_fit"] == Fact("few_fit", True, (6, 9))


def test_an_end_that_only_the_own_hand_fits() -> None:
    """6-1 leaves a 1. The other 1s are on the table, except 1-0, which is in the same hand."""
    laid = "1-2 2-2 2-3 3-1 1-1 1-4 4-5 5-1 1-6"
    state = at("kozel", hands=("1-0 6-0 6-4 3-3", "6-6 5-5 4-4"), laid=laid, boneyard="6-5")
    facts = facts_between(state, "6-4 right", "1-0 left")
    assert facts["own_end"] == Fact("own_end", True, (0, 1))


def test_closing_the_round_keeps_pips_in_hand() -> None:
    """K-06: 5-2 on the right closes the line: both ends show 2, and all six are in it. 7 pips stay."""
    state = at("kozel", hands=("5-2 5-5 6-1", "6-6"), laid="2-4 4-1 1-2 2-2 2-6 6-0 0-2 2-3 3-5", boneyard="")
    facts = facts_between(state, "5-5 right", "5-2 right")
    assert facts["closes"] == Fact("closes", False, (17,))
    assert facts_between(state, "5-2 right", "5-5 right")["closes"] == Fact("closes", True, (17,))


def test_who_blocks_the_classic_goat_scores_nothing() -> None:
    """G-10: 5-2 closes the line of K-06 with 2-2 in it, so no tile fits any more."""
    state = at("gamezz", hands=("5-2 5-5 6-1", "6-6"), laid="2-4 4-1 1-2 2-2 2-6 6-0 0-2 2-3 3-5", boneyard="")
    assert facts_between(state, "5-2 right", "5-5 right") == {"blocks": Fact("blocks", True)}


def test_small_hands_are_only_remembered() -> None:
    """6-6 + 1-0 = 13 opens the account, 5-1 + 1-0 = 7 does not."""
    state = at("kozel", hands=("6-6 5-1 1-0", "4-4 4-3"), laid="6-5 5-1", boneyard="")
    facts = facts_between(state, "6-6 left", "5-1 right")
    assert facts["remembered"] == Fact("remembered", True, (7, 13, 13))
    assert "below_limit" not in facts


def test_limit_counts_the_hand() -> None:
    """90 points and 6-6 + 1-0 make 103, 90 and 5-1 + 1-0 make 97."""
    state = at("gamezz", hands=("6-6 5-1 1-0", "4-4 4-3"), laid="6-5 5-1", boneyard="", standing=(90, 0))
    facts = facts_between(state, "6-6 left", "5-1 right")
    assert facts["below_limit"] == Fact("below_limit", True, (97, 103, 101))
    assert facts["heavy"] == Fact("heavy", True, (12, 6))


def test_score_at_once_in_all_fives() -> None:
    """Ends 5 and 3: 3-0 makes 5 + 0 = 5, 3-1 makes 6."""
    state = at("all_fives", hands=("3-0 3-1 6-4", "6-6 6-2"), laid="5-3", boneyard="4-4")
    facts = facts_between(state, "3-0 right", "3-1 right")
    assert facts["scores"] == Fact("scores", True, (5,))


def test_reaching_the_target_wins() -> None:
    state = at("all_fives", hands=("3-0 3-1 6-4", "6-6 6-2"), laid="5-3", boneyard="4-4", standing=(245, 0))
    assert facts_between(state, "3-0 right", "3-1 right")["wins"] == Fact("wins", True)


def test_answers_to_a_lead_in_all_fives() -> None:
    """4-4 is answered by 4-2: 2 x 4 + 2 = 10. 1-0 only by 5-1 and 4-0, for 5."""
    state = at("all_fives", hands=("1-0 4-4 6-4", "6-6 6-2"), boneyard="5-5", standing=(0, 240))
    facts = facts_between(state, "1-0", "4-4")
    assert facts["allows"] == Fact("allows", False, (10, 5, 4, 2))
    assert facts["threat"] == Fact("threat", False, (1, 250, 4, 2))


def test_number_of_answers_in_all_fives() -> None:
    """6-6 is answered by 6-3 alone. 4-3 is answered by 4-2, 3-1, 6-3 and 3-3, for no more points."""
    state = at("all_fives", hands=("6-6 4-3 1-0", "6-2 5-5"), boneyard="5-0")
    assert facts_between(state, "6-6", "4-3")["few_score"] == Fact("few_score", True, (1, 4))


def test_own_tile_scores_next() -> None:
    """4-2 scores 10 after 4-4, and no other tile scores then. After 1-0 it does not fit."""
    state = at("all_fives", hands=("1-0 4-4 4-2", "6-6 6-2"), boneyard="5-5")
    facts = facts_between(state, "4-4", "1-0")
    assert facts["prepares"] == Fact("prepares", True, (10, 4, 2))


def test_hexagon_and_bridge_in_triominoes() -> None:
    """T-15: a hexagon of 64 points. T-12: a bridge of 43."""
    state = at("triominoes", hands=("4-5-5 0-1-2", "0-0-1"), laid=T15, boneyard="0-0-2")
    facts = facts_between(state, "U(0,0)=4/5/5", "draw")
    assert facts["hexagon"] == Fact("hexagon", True, (64,))
    state = at("triominoes", hands=("0-1-2 3-3-4", "0-0-1"), laid=T12, boneyard="0-0-2")
    facts = facts_between(state, "U(0,0)=0/1/2", "draw")
    assert facts["bridge"] == Fact("bridge", True, (43,))


def test_drawing_costs_points_if_a_tile_fits() -> None:
    state = at("triominoes", hands=("3-4-5 0-0-1", "0-0-2"), laid="U(0,0)=4/4/5", boneyard="0-0-3")
    facts = facts_between(state, "D(-1,0)=5/3/4", "draw")
    assert facts["draw_costs"] == Fact("draw_costs", False, (5,))


def test_lines_of_rytmino_score_products() -> None:
    """R-12, R-13: 5-5 scores 3 x 3 x 2 = 18, 5-2 scores 3 x 3 = 9."""
    state = at("rytmino", hands=("5-5 5-2 2-1", "4-4 3-3"), start="H(0,0)=2-4 H(0,1)=3-1")
    facts = facts_between(state, "V(2,0)=5-5", "V(2,0)=5-2")
    assert facts["scores"] == Fact("scores", True, (9,))


# Playouts


def pairs(better: Course, worse: Course, count: int = 30) -> list[tuple[Course, Course]]:
    return [(better, worse)] * count


def kozel_view() -> View:
    state = at("kozel", hands=("6-5 6-3 4-1", "4-3 4-0 3-0"), laid="3-6", boneyard="2-0 3-2")
    return view_for(rules_for("kozel"), state, 0)


def test_playouts_add_what_clearly_differs() -> None:
    view = kozel_view()
    stuck = pairs(COURSE._replace(next_stuck=1), COURSE)
    kinds = {fact.kind: fact for fact in explanation_of(view, "6-5 right", "6-3 right", *stuck)}
    assert kinds["often_stuck"] == Fact("often_stuck", True, (1, 100, 0))
    assert fact_sentence(kinds["often_stuck"], SPEECH) == (
        "Ben cannot play at once in 100 of 100 after 6-3 on the left, in 0 after 2-1."
    )


@pytest.mark.parametrize(
    "rows",
    [
        pairs(COURSE._replace(next_stuck=1), COURSE, count=20),
        [*pairs(COURSE._replace(next_stuck=1), COURSE, 3), *pairs(COURSE, COURSE, 40)],
        pairs(COURSE, COURSE._replace(next_stuck=1)),
    ],
    ids=["too few", "within the error", "to the advantage of the worse move"],
)
def test_playouts_that_show_nothing_are_not_mentioned(rows: list[tuple[Course, Course]]) -> None:
    facts = explanation_of(kozel_view(), "6-5 right", "6-3 right", *rows)
    assert "often_stuck" not in {fact.kind for fact in facts}


def test_at_most_two_facts_about_different_things_are_stated() -> None:
    everything = COURSE._replace(next_stuck=1, plays_next=1, goes_out=1, points_of_others=40)
    facts = explanation_of(kozel_view(), "6-5 right", "6-3 right", *pairs(everything, COURSE))
    assert len(facts) == len({fact.kind for fact in facts}) == 2


def test_equal_moves_are_not_explained() -> None:
    assert explanation_of(kozel_view(), "6-5 right", "6-5 right") == ()


def test_a_wrong_attempt_is_answered_by_a_drawback_that_does_not_name_the_better_move() -> None:
    """After 6-5, nothing in hand fits 0 and 5. That it keeps fewer tiles that fit would be a hint."""
    state = at("kozel", hands=("6-4 6-5 4-3 4-2 4-1", "0-0 1-0"), laid="0-6", boneyard="5-5")
    view = view_for(rules_for("kozel"), state, 0)
    moves = {view.rules.move_text(legal_move): legal_move for legal_move in view.legal}
    assert drawback(view, moves["6-4 right"], moves["6-5 right"]) == (Fact("none_fits", False),)
    assert drawback(view, moves["6-5 right"], moves["6-4 right"]) == ()


# Sentences


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        (Fact("keeps", True, (3,)), "6-3 on the left keeps the only 3 in hand."),
        (Fact("lacks", True, (1, 3)), "6-3 on the left leaves a 3. An earlier draw or pass shows that Ben has none."),
        (Fact("lacks", True, (0, 3)), "6-3 on the left leaves a 3. An earlier draw or pass shows that you have none."),
        (Fact("draw_costs", False, (5,)), "Drawing costs 5 points, though a tile fits."),
        (
            Fact("dead_double", False, (4, 4, 4)),
            "After 2-1, 4-4 can no longer be played: every other 4 is on the table.",
        ),
        (Fact("prepares", True, (49, 2, 2, 5)), "6-3 on the left makes a place where 2-2-5 scores 49 points next."),
        (Fact("scores", True, (1,)), "6-3 on the left scores 1 point more at once."),
        (
            Fact("allows_only", False, (10, 0, 6, 5)),
            "After 2-1, the hidden 6-5 scores 10 points. After 6-3 on the left, no hidden tile scores.",
        ),
    ],
)
def test_sentences(fact: Fact, sentence: str) -> None:
    assert fact_sentence(fact, SPEECH) == sentence


def test_facts_survive_json() -> None:
    facts = (Fact("keeps", True, (3,)), Fact("wins", True))
    assert facts_from_data([["keeps", True, [3]], ["wins", True, []]]) == facts
