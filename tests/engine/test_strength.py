"""Ratings from results against each other, worked out by hand."""

from __future__ import annotations

from math import log

import pytest

from games.engine.strength import Score, estimate_ratings

PER_POINT = log(2) / 200


def test_two_players_differ_by_the_logarithm_of_their_results() -> None:
    """Three of four is 3:1: 200 * log2(3) = 317 points, half of it above the mean and half below."""
    ratings = estimate_ratings({("Ann", "Ben"): Score(4, 3)}, {})
    assert ratings["Ann"].points == pytest.approx(1500 + 158.5, abs=0.1)
    assert ratings["Ben"].points == pytest.approx(1500 - 158.5, abs=0.1)
    # The information about the difference is 4 * 3/4 * 1/4; each player has half of its deviation.
    deviation = (1 / (0.75 * PER_POINT**2)) ** 0.5 / 2
    assert ratings["Ann"].spread == pytest.approx(1.96 * deviation, abs=0.1)
    assert not ratings["Ann"].is_anchored


def test_fixed_ratings_anchor_all_players_that_results_connect() -> None:
    """Ben is 200 above the level, Ann 200 above Ben. Cleo and Dan have met nobody else."""
    scores = {("Ben", "steady"): Score(9, 6), ("Ann", "Ben"): Score(3, 2), ("Cleo", "Dan"): Score(2, 1)}
    ratings = estimate_ratings(scores, {"steady": 1600})
    assert [round(ratings[name].points) for name in ("Ann", "Ben", "Cleo", "Dan")] == [2000, 1800, 1500, 1500]
    assert [ratings[name].is_anchored for name in ("Ann", "Ben", "Cleo", "Dan")] == [True, True, False, False]
    # Variances add up along the chain: 9 * 2/3 * 1/3 = 2 of Ben, 3 * 2/9 = 2/3 of the difference to Ann.
    assert ratings["Ben"].spread == pytest.approx(1.96 / PER_POINT / 2**0.5, abs=0.1)
    assert ratings["Ann"].spread == pytest.approx(1.96 / PER_POINT * (1 / 2 + 3 / 2) ** 0.5, abs=0.1)


def test_order_of_a_pair_does_not_matter() -> None:
    there = estimate_ratings({("Ann", "Ben"): Score(4, 3), ("Ben", "Cleo"): Score(4, 2)}, {})
    back = estimate_ratings({("Ben", "Ann"): Score(4, 1), ("Cleo", "Ben"): Score(4, 2)}, {})
    assert {name: rating.points for name, rating in there.items()} == pytest.approx(
        {name: rating.points for name, rating in back.items()}, abs=0.01
    )
