"""Pairings of Swiss rounds: exact duels, few repeats, even seats, everybody at one table or without by rule."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache, partial
from itertools import combinations

import pytest

from games.tournaments.core import matching
from games.tournaments.core.events import Award, Paired
from games.tournaments.core.grouping import cheapest_tables
from games.tournaments.core.matching import cheapest_pairs
from games.tournaments.core.seating import BOT, REPEAT, Costs, all_meetings, pair_of, seat_counts
from games.tournaments.core.state import State
from games.tournaments.core.swiss import propose_round
from tests.tournaments.fields import Field, by_lot, in_order, names, swiss


def cost_of(costs: dict[tuple[int, int], int], one: int, other: int) -> int:
    return costs[one, other]


def least_cost(costs: dict[tuple[int, int], int], count: int) -> int:
    """Try all pairings."""

    @cache
    def least(rest: tuple[int, ...]) -> int:
        if not rest:
            return 0
        first, *partners = rest
        return min(costs[first, other] + least(tuple(v for v in partners if v != other)) for other in partners)

    return least(tuple(range(count)))


@pytest.mark.parametrize("neighbors", [1, 3, 16])
def test_pairs_cost_as_little_as_any(monkeypatch: pytest.MonkeyPatch, neighbors: int) -> None:
    monkeypatch.setattr(matching, "NEIGHBORS", neighbors)
    numbers = random.Random(neighbors)
    for _ in range(60):
        count = numbers.choice([2, 4, 6, 8, 10])
        limit = numbers.choice([3, 30, 10**6])
        costs = {pair: numbers.randrange(limit) for pair in combinations(range(count), 2)}
        pairs = cheapest_pairs(count, partial(cost_of, costs))
        assert sorted(vertex for pair in pairs for vertex in pair) == list(range(count))
        assert sum(costs[pair] for pair in pairs) == least_cost(costs, count)


def test_odd_number_of_vertices_is_refused() -> None:
    with pytest.raises(ValueError, match="odd"):
        cheapest_pairs(3, lambda one, other: 0)


def repeats(state: State) -> int:
    return sum(times - 1 for times in all_meetings(state).values())


@pytest.mark.parametrize(("count", "rounds"), [(8, 7), (10, 7), (9, 7), (31, 7)])
def test_duels_do_not_repeat_while_that_is_avoidable(count: int, rounds: int) -> None:
    field = swiss(rounds=rounds).start(*names(count))
    for _ in range(rounds - 1):
        field.pair()
        field.play(by_lot(field.state.round))
    before = all_meetings(field.state)
    is_avoidable = cheapest_repeats(field, before) == 0
    field.pair()
    assert is_avoidable == (repeats(field.state) == sum(times - 1 for times in before.values()))


def cheapest_repeats(field: Field, met: Counter[tuple[str, str]]) -> int:
    """Return the repeats of the next round if only they cost anything, with the bye that the rules give."""
    proposal = propose_round(field.state, field.names, f"seed {field.state.round}")
    playing = [party for table in proposal.tables for party in table]
    pairs = cheapest_pairs(len(playing), lambda one, other: met[pair_of(playing[one], playing[other])])
    return sum(met[pair_of(playing[one], playing[other])] for one, other in pairs)


def test_five_meet_each_other_once_with_a_bye_each() -> None:
    field = swiss().start(*names(5))
    state = field.play_rounds(in_order)
    assert state.rounds == 5
    assert set(all_meetings(state).values()) == {1}
    assert [entry.count("bye") for entry in state.entries.values()] == [1] * 5


@pytest.mark.parametrize(("sides", "count"), [(3, 40), (4, 72)])
def test_tables_of_three_and_four_do_not_repeat(sides: int, count: int) -> None:
    field = swiss(sides, rounds=5).start(*names(count))
    state = field.play_rounds(by_lot(1))
    assert repeats(state) == 0


@pytest.mark.parametrize(("sides", "sizes"), [(4, (4, 4)), (3, (3, 3)), (4, (4, 3)), (4, (3, 3, 3))])
def test_few_parties_are_seated_as_well_as_any(sides: int, sizes: tuple[int, ...]) -> None:
    field = swiss(sides, rounds=4).start(*names(sum(sizes)))
    for _ in range(3):
        field.pair()
        field.play(by_lot(field.state.round))
    costs = Costs(field.state, all_meetings(field.state))
    parties = names(sum(sizes))
    tables = cheapest_tables(parties, sizes, costs)
    assert sorted(map(len, tables), reverse=True) == list(sizes)
    numbers = random.Random(1)
    cost = sum(map(costs.table_cost, tables))
    for _ in range(300):
        numbers.shuffle(parties)
        starts = [sum(sizes[:index]) for index in range(len(sizes))]
        other = [parties[start : start + size] for start, size in zip(starts, sizes, strict=True)]
        assert cost <= sum(map(costs.table_cost, other))


def last_awards(field: Field) -> Sequence[Award]:
    return next(event.awards for event in reversed(field.events) if isinstance(event, Paired))


@pytest.mark.parametrize(("sides", "people", "count"), [(2, 1, 12), (2, 1, 13), (2, 2, 11), (3, 1, 17), (4, 1, 22)])
def test_everybody_is_at_one_table_or_has_a_bye(sides: int, people: int, count: int) -> None:
    field = swiss(sides, people=people).start(*names(count))
    while field.state.stage == "running":
        tables = field.pair()
        seated = [party for table in tables for party in table.people]
        awarded = [award.party for award in last_awards(field)]
        assert sorted(seated + awarded) == names(count)
        assert len(awarded) == (count % 2 if sides == 2 else 0)
        sizes = [len(table.people) for table in tables]
        assert max(sizes) - min(sizes) <= 1
        assert len(tables) == (len(seated) + sides - 1) // sides
        field.play(by_lot(2))


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_seats_stay_even(sides: int) -> None:
    """After seven rounds nobody has had a seat much more often than another."""
    field = swiss(sides, rounds=7).start(*names(24))
    state = field.play_rounds(by_lot(3))
    spreads = [max(counts) - min(counts) for party, counts in seat_counts(state).items() if party != BOT]
    assert max(spreads) <= 2
    assert sum(spreads) / len(spreads) <= 1.25


def test_leader_meets_leader() -> None:
    field = swiss().start(*names(8))
    field.pair()
    field.play(in_order)
    winners = {result.party for table in field.state.tables for result in table.results if result.points}
    assert all(len(winners & set(table.parties)) in (0, 2) for table in field.pair())


def test_parties_to_keep_apart_meet_only_without_others() -> None:
    apart = list(combinations(names(2), 2))
    field = swiss(rounds=3).start(*names(4))
    for _ in range(2):
        assert not any(
            table.parties[0] in names(2) and table.parties[1] in names(2) for table in field.pair(apart=apart)
        )
        field.play(in_order)
    costs = Costs(field.state, all_meetings(field.state), apart)
    assert costs.pair_cost("p000", "p001") > REPEAT * 1000


def test_pairing_is_the_same_for_a_seed_only() -> None:
    field = swiss(4).start(*names(20))
    proposals = [propose_round(field.state, field.names, seed) for seed in ("one", "one", "two")]
    assert proposals[0] == proposals[1]
    assert proposals[0].tables != proposals[2].tables
