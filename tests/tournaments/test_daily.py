"""Daily sets: numbers worked out by hand."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import permutations

from games.tournaments.core.daily import BoardField, Line, day_results, month_standing, set_name, set_number, standing

SECRET = bytes(range(32)).hex()
LEVELS = {"beginner": -10, "casual": -4, "steady": 0, "strong": 4, "master": 10}


def day_standing(fields: Iterable[BoardField]) -> tuple[Line, ...]:
    return standing(day_results(fields))


def test_matchpoints_of_a_board_compare_with_people_and_bots() -> None:
    """A field of 8: 5 beats all but 10 and 20; 0 ties with the steady bot and beats two."""
    field = BoardField({"ann": 5, "ben": 0, "eva": 20, "leaver": None}, LEVELS)
    assert field.matchpoints(20) == 1
    assert field.matchpoints(5) == Fraction(5, 7)
    assert field.matchpoints(0) == Fraction(2 * 2 + 1, 14)
    assert field.matchpoints(None) == 0
    assert field.mean == Fraction(25, 8)


def test_result_that_is_not_ranked_does_not_change_the_others() -> None:
    field = BoardField({"ann": 5}, LEVELS)
    assert field.matchpoints(5) == Fraction(4, 5)
    assert field.matchpoints(7, is_ranked=False) == Fraction(5, 6)
    assert field.matchpoints(10, is_ranked=False) == Fraction(2 * 5 + 1, 12)


def test_lone_person_is_compared_with_the_bots() -> None:
    assert BoardField({"ann": 11}, LEVELS).matchpoints(11) == 1
    assert BoardField({"ann": -11}, LEVELS).matchpoints(-11) == 0


def test_day_is_the_mean_of_eight_boards_and_unplayed_ones_are_0() -> None:
    fields = [BoardField({"ann": 20, "ben": -20}, LEVELS), BoardField({"ann": 0, "eva": None}, LEVELS)]
    results = day_results(fields)
    assert results["ann"] == (
        (1 + Fraction(1, 2)) / 8,
        2,
    )  # in the second board a tie with steady, two below, two above
    assert [results[person] for person in ("ben", "eva")] == [(Fraction(0), 1)] * 2
    assert [(line.person, line.rank) for line in day_standing(fields)] == [("ann", 1), ("ben", 2), ("eva", 2)]


def test_standing_does_not_depend_on_the_order_of_boards_or_people() -> None:
    fields = [
        BoardField({"ann": 3, "ben": 3, "eva": -2}, LEVELS),
        BoardField({"eva": 12, "ben": 1}, LEVELS),
        BoardField({"ben": None, "ann": -2}, LEVELS),
    ]
    standings = {day_standing(order) for order in permutations(fields)}
    standings |= {
        day_standing([BoardField(dict(sorted(field.people.items(), reverse=True)), LEVELS) for field in fields])
    }
    assert len(standings) == 1


def test_month_counts_the_best_twenty_days() -> None:
    days = {"ann": [Fraction(1, 2)] * 21, "ben": [Fraction(1)] * 9, "eva": [Fraction(1)] * 10}
    lines = month_standing(days, 30)
    assert [(line.person, line.rank, line.result, line.played) for line in lines] == [
        ("ann", 1, Fraction(1, 2), 21),
        ("eva", 1, Fraction(1, 2), 10),
        ("ben", 3, Fraction(9, 20), 9),
    ]
    assert month_standing({"ann": [Fraction(1, 2)]}, 2)[0].result == Fraction(1, 4)


def test_everybody_has_one_of_the_sets_of_the_day() -> None:
    numbers = {set_number(SECRET, str(person), 3) for person in range(50)}
    assert numbers == {1, 2, 3}
    assert len({set_name("kozel", "2026-11-28", number) for number in numbers}) == 3
