"""What the moves of a round scored, as its end tells it."""

from __future__ import annotations

from games.engine.decide import new_match
from games.engine.events import Points, Term
from games.engine.evolve import start_state
from games.engine.state import MoveMade, State
from games.engine.tally import points_by_moves
from games.engine.variants import rules_for
from tests.engine.positions import in_round


def after(*scored: tuple[int, int], partners: str = "no") -> State:
    """Return a state of four in which these seats have scored these points, each by one tile."""
    start = start_state(new_match(rules_for("all_fives"), 4, {"partners": partners}))
    return in_round(start, moves=tuple(MoveMade(seat, "play", points(value)) for seat, value in scored))


def points(value: int) -> Points:
    rule = "a.won" if value > 0 else "a.lost"
    return Points(value, (Term(rule, "however it came about", value), Term("a.count", "3 + 1 = 4", 0)))


def test_each_side_gets_one_term_a_rule_with_its_sum() -> None:
    assert points_by_moves(after((0, 10), (1, 5), (0, -5), (2, 0), (0, 15), (0, -5))) == (
        Points(15, (Term("a.won", "10 + 15", 25), Term("a.lost", "−5 − 5", -10))),
        Points(5, (Term("a.won", "5", 5),)),
        Points(0),
        Points(0),
    )


def test_partners_score_together() -> None:
    assert points_by_moves(after((0, 10), (1, 5), (2, 20), partners="yes")) == (
        Points(30, (Term("a.won", "10 + 20", 30),)),
        Points(5, (Term("a.won", "5", 5),)),
    )


def test_a_round_in_which_no_move_scored_tells_nothing() -> None:
    assert points_by_moves(after((0, 0), (1, 0))) == ()
