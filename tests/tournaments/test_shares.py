"""Points of tables, raw results, matchpoints: the numbers are worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from games.engine.deal import bot_seed, deal_source, permutation, round_key
from games.engine.decide import deal_round, new_match
from games.engine.evolve import evolve, start_state
from games.engine.tiles import tile_text
from games.engine.variants import rules_for
from games.tournaments.core.duplicate import entropy, seat_of_board, set_count, set_of_person
from games.tournaments.core.matchpoints import day_result, matchpoints, month_result
from games.tournaments.core.shares import raw_results, table_points
from games.tournaments.core.terms import round_count, table_sizes

SECRET = bytes(range(32)).hex()
ENTROPY = "0" * 64


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ([1, 2], [12, 0]),
        ([1, 1], [6, 6]),
        ([1, 2, 3], [12, 6, 0]),
        ([1, 2, 2, 4], [12, 6, 6, 0]),
        ([1, 1, 1, 1], [6, 6, 6, 6]),
        ([1, 4], [12, 0]),  # bots were second and third
        ([3], [12]),  # the others did not come
    ],
)
def test_points_are_twelve_times_the_share_of_people_beaten(places: list[int], points: list[int]) -> None:
    assert list(table_points({str(party): place for party, place in enumerate(places)}).values()) == points


@pytest.mark.parametrize("people", [2, 3, 4])
def test_points_of_a_table_add_up_to_six_a_person(people: int) -> None:
    for places in product(range(1, people + 1), repeat=people):
        assert sum(table_points({str(party): place for party, place in enumerate(places)}).values()) == 6 * people


# Scores of the seats, by level; raw results of seat 0 in thirds; matchpoints. (The examples of the design.)
BOARDS = {
    "kozel": (
        [(10, 20, 0, 8), (0, 12, 6, 8), (10, 0, 12, 9), (0, 16, 6, 2), (6, 16, 23, 21)],
        [-2, 26, -9, 24, 42],
        ["1/4", "3/4", "0", "1/2", "1"],
    ),
    "gamezz": (
        [(2, 16, 0, 9), (2, 16, 0, 9), (3, 4, 0, 13), (15, 35, 13, 0), (5, 16, 13, 0)],
        [19, 19, 8, 3, 14],
        ["7/8", "7/8", "1/4", "0", "1/2"],
    ),
    "all_fives": (
        [(5, 20, -10, -10), (10, 5, 0, 0), (10, 5, 0, 0), (15, 15, 15, 10), (5, 10, 0, -10)],
        [15, 25, 25, 5, 15],
        ["3/8", "7/8", "7/8", "0", "3/8"],
    ),
    "triominoes": (
        [(29, 197, 103, 83), (39, 154, 51, 95), (35, 53, 89, 131), (136, 45, 110, 59), (33, 129, 111, 29)],
        [-296, -183, -168, 194, -170],
        ["0", "1/4", "3/4", "1", "1/2"],
    ),
    "rytmino": (
        [*[(76, 82, 99, 117)] * 4, (111, 70, 44, 205)],
        [-70, -70, -70, -70, 14],
        ["3/8", "3/8", "3/8", "3/8", "1"],
    ),
}


@pytest.mark.parametrize("variant", BOARDS)
def test_board_of_five_levels(variant: str) -> None:
    scores, thirds, shares = BOARDS[variant]
    is_low_better = rules_for(variant).are_points_bad
    raws = [raw_results(row, is_low_better=is_low_better)[0] for row in scores]
    assert raws == [2 * third for third in thirds]
    assert list(map(str, matchpoints(raws))) == shares


def test_key_and_hand_of_the_first_daily_board() -> None:
    start = new_match(rules_for("kozel"), 4, {}, match="k7m2p9x4", source="daily-test", entropy=ENTROPY)
    key = deal_source(start).round_key(SECRET, 1)
    assert key.startswith("6b7bdc06")
    assert key.endswith("099bace688a2b321")
    rules, state = rules_for("kozel"), start_state(start)
    shuffle = deal_source(start).shuffler(key, 1, len(rules.tile_set))
    for event in deal_round(rules, state, shuffle):
        state = evolve(state, event)
    assert [tile_text(tile) for tile in state.hands[0]] == ["6-1", "0-0", "3-0", "2-1", "4-2", "5-5", "1-1"]
    assert permutation(key, "daily-test", 1, 1, nonces=(ENTROPY,), count=28) == shuffle(1)
    later = replace(start, first=3, match="another")
    assert deal_source(later).round_key(SECRET, 2) == round_key(SECRET, "daily-test", 4)


def test_matchpoints_do_not_depend_on_the_order() -> None:
    raws = [5, 3, 3, None, 9]
    assert list(map(str, matchpoints(raws))) == ["2/3", "1/6", "1/6", "0", "1"]
    assert sorted(matchpoints(raws[::-1])) == sorted(matchpoints(raws))
    assert matchpoints([7]) == (Fraction(1),)


def test_means_of_a_day_and_a_month() -> None:
    assert day_result([Fraction(1), Fraction(1, 2), Fraction(0)], 8) == Fraction(3, 16)
    days = [Fraction(1)] * 19 + [Fraction(1, 2)] * 5
    assert month_result(days, 30) == Fraction(39, 40)  # (19 + 1/2) / 20
    assert month_result([Fraction(1)] * 3, 6) == Fraction(1, 2)


def test_sets_and_seats_of_a_day() -> None:
    assert [seat_of_board(board, 4) for board in range(1, 9)] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert [set_count(entrants) for entrants in (0, 16, 23, 24, 1000, 9000)] == [1, 1, 1, 2, 63, 64]
    sets = [set_of_person(SECRET, str(person), 3) for person in range(300)]
    assert all(80 <= sets.count(number) <= 120 for number in range(3))
    assert set_of_person(SECRET, "1", 1) == 0


def test_entropy_depends_on_every_nonce_and_the_order() -> None:
    texts = {entropy(nonces) for nonces in (("a", "b"), ("b", "a"), ("ab",), ("ab", ""), ("", "ab"), ())}
    assert len(texts) == 6
    assert entropy(()) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"  # SHA-256 of nothing


def test_seeds_of_bots_differ_by_seat_and_move() -> None:
    key = round_key(SECRET, "daily-test", 1)
    seeds = {bot_seed(key, seat, moves) for seat in range(4) for moves in range(10)}
    assert len(seeds) == 40
    assert bot_seed(key, 0, 0, name="probe") not in seeds


def test_rounds_and_sizes() -> None:
    assert [round_count(parties, 2) for parties in (4, 8, 9, 64, 128, 129, 256)] == [4, 5, 6, 8, 9, 9, 9]
    assert [round_count(parties, 4) for parties in (4, 16, 17, 256)] == [3, 4, 5, 6]
    for sides in (3, 4):
        for parties in range(4, 60):
            sizes = table_sizes(parties, sides)
            assert sum(sizes) == parties
            assert max(sizes) <= sides
            assert max(sizes) - min(sizes) <= 1
            assert min(sizes) >= 2
