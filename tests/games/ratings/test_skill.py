"""The mathematics of ratings, against what openskill's paper and common sense say."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest

from games.ratings.skill import Skill, expected_places, rate_sides

NEW = Skill()
WHOLE = [[1.0], [1.0]]


def test_a_newcomer_has_1500_points_and_they_are_provisional() -> None:
    assert (NEW.rating, NEW.is_provisional) == (1500, True)
    assert not Skill(25, 5.5).is_provisional


def test_winner_gains_what_an_equal_loser_loses() -> None:
    (winner,), (loser,) = rate_sides([[NEW], [NEW]], [1, 2], WHOLE)
    assert winner.mu - NEW.mu == pytest.approx(NEW.mu - loser.mu)
    assert winner.rating > 1500 > loser.rating
    assert winner.sigma < NEW.sigma


def test_winning_two_in_three_settles_200_points_higher() -> None:
    chance, better, other = Random(1), NEW, NEW
    apart = []
    for _match in range(600):
        places = [1, 2] if chance.random() < 2 / 3 else [2, 1]
        (better,), (other,) = rate_sides([[better], [other]], places, WHOLE)
        apart.append(better.rating - other.rating)
    assert fmean(apart[100:]) == pytest.approx(200, abs=30)


def test_the_order_of_the_places_is_the_order_of_the_changes() -> None:
    after = rate_sides([[NEW]] * 4, [2, 1, 4, 3], [[1.0]] * 4)
    ratings = [skill.rating for (skill,) in after]
    assert sorted(ratings, reverse=True) == [ratings[1], ratings[0], ratings[3], ratings[2]]


def test_a_tie_of_equals_changes_no_rating() -> None:
    assert [skill.rating for (skill,) in rate_sides([[NEW], [NEW]], [1, 1], WHOLE)] == [1500, 1500]


def test_a_win_over_a_stronger_player_is_worth_more() -> None:
    strong, weak = Skill(35, 3), Skill(15, 3)
    over_strong = rate_sides([[Skill(25, 3)], [strong]], [1, 2], WHOLE)[0][0]
    over_weak = rate_sides([[Skill(25, 3)], [weak]], [1, 2], WHOLE)[0][0]
    assert over_strong.mu - 25 > 3 * (over_weak.mu - 25) > 0


def test_weight_scales_the_change() -> None:
    whole = rate_sides([[NEW], [NEW]], [1, 2], WHOLE)[0][0]
    half = rate_sides([[NEW], [NEW]], [1, 2], [[0.5], [0.0]])
    assert half[0][0].mu - NEW.mu == pytest.approx((whole.mu - NEW.mu) / 2)
    assert half[1][0] == NEW


def test_partners_rise_and_fall_together() -> None:
    after = rate_sides([[NEW, NEW], [NEW, NEW]], [1, 2], [[1.0, 1.0]] * 2)
    assert after[0][0] == after[0][1]
    assert after[0][0].mu > NEW.mu > after[1][0].mu


def test_expected_places_add_up_and_favour_the_stronger() -> None:
    places = expected_places([[Skill(30, 3)], [NEW], [NEW], [Skill(20, 3)]])
    assert sum(places) == pytest.approx(1 + 2 + 3 + 4)
    assert places[1] == pytest.approx(places[2])
    assert places[0] < places[1] < places[3]
