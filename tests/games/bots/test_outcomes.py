"""The outcomes of moves: points without any bonus, and the chance to win, by the score and by the rules of the end."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from benchmarks.bots import deal_next_round
from games import bots
from games.bots.outcomes import points_in_round
from games.bots.winning import distance_to_end, final_chances, load_models, model_key, winning_chances
from games.engine.decide import decide, new_match
from games.engine.events import MatchEnded, Standing
from games.engine.evolve import evolve, start_state
from games.engine.outcome import Outcome
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.tiles import tile_text
from games.engine.variants import registry, rules_for
from games.engine.view import view_for
from tests.engine.matches import tables
from tests.engine.positions import in_round, position, round_end

KOZEL, FIVES, GAMEZZ = map(rules_for, ("kozel", "all_fives", "gamezz"))


def score(rules: Rules, *points: int, lead: int | None = None) -> State:
    """Return a match between two rounds."""
    state = start_state(new_match(rules, len(points), {}))
    return replace(in_round(state, number=3), standing=tuple(map(Standing, points)), lead=lead)


def outcomes(state: State) -> dict[str, Outcome]:
    """Return the outcomes of the moves with open hands, by tile."""
    view = view_for(rules_for(state.setup.variant), state, state.round.to_move)
    values = bots.evaluate_outcomes(view, state, 1)
    return {tile_text(move.tile): value for move, value in zip(view.legal, values, strict=True)}  # type: ignore[union-attr]


def test_a_move_that_decides_the_match_is_worth_its_points_alone() -> None:
    """Kozel, at 2/1. After 3-1 seat 1 goes out with 5-3, and 4-2 brings seat 0 from 97 to 103: seat 0 is the goat.
    After 4-2 seat 1 knocks and seat 0 goes out with 3-1; 5-3 brings seat 1 from 94 to 102.
    """
    dealt = position(KOZEL, hands=["3-1 4-2", "2-1 5-3"], standing=["=97", "=94"], to_move=1)
    (lead,) = decide(KOZEL, dealt, 1, KOZEL.parse_move(dealt, "2-1"))
    values = outcomes(evolve(dealt, lead))
    assert values == {"3-1": Outcome(-6.0, 0.0), "4-2": Outcome(8.0, 1.0)}


def test_points_have_no_bonus_for_reaching_the_target() -> None:
    """All Fives at ends 5 and 3, target 250: on the 3, 5-3 makes 5 + 5 and wins 250:245; on the 5, 3 + 3 scores
    nothing. Going out with it takes 1-0 from seat 1, which rounds to 0 points.
    """
    state = position(FIVES, hands=["5-3", "1-0"], laid="6-5, 6-3 left", standing=[240, 245])
    view = view_for(FIVES, state, 0)
    by_points = {
        FIVES.move_points(state, move).total: value
        for move, value in zip(view.legal, bots.evaluate_outcomes(view, state, 1), strict=True)
    }
    assert by_points[10] == Outcome(10.0, 1.0)
    assert by_points[0].points == 0
    assert 0 < by_points[0].chance < 1


def test_points_of_moves_and_of_the_end_count() -> None:
    """Classic goat: seat 0 goes out with 2-1, seat 1 keeps 6-5, 11 pips."""
    dealt = position(GAMEZZ, hands=["2-1", "6-5"], standing=[20, 30])
    assert points_in_round(dealt.standing, round_end(GAMEZZ, dealt, "2-1")) == [0, 11]


@pytest.mark.parametrize(
    ("places", "losers", "sides", "chances"),
    [
        ((2, 1, 3), (), (0, 1, 2), [0, 1, 0]),
        ((1, 1, 3), (), (0, 1, 2), [0.5, 0.5, 0]),
        ((1, 2, 1, 2), (), (0, 1, 0, 1), [1, 0, 1, 0]),
        ((2, 1, 3, 4), (3,), (0, 1, 2, 3), [1, 1, 1, 0]),
        ((1, 1), (0, 1), (0, 1), [0, 0]),
    ],
    ids=["first wins", "shared", "partners", "one goat", "two goats"],
)
def test_chance_at_the_end_follows_the_places_or_the_goats(
    places: tuple[int, ...], losers: tuple[int, ...], sides: tuple[int, ...], chances: list[float]
) -> None:
    assert final_chances(MatchEnded("finished", None, "", places, losers, ()), sides) == chances


@pytest.mark.parametrize("key", registry())
def test_every_table_has_a_model(key: str) -> None:
    rules = registry()[key]
    for seats, options in tables(rules):
        state = start_state(new_match(rules, seats, options))
        length = rules.length(state)
        if length != 1:  # otherwise the first round ends the match
            assert model_key(state.setup, length is not None) in load_models()


@pytest.mark.parametrize("rules", [FIVES, GAMEZZ], ids=["all_fives", "gamezz"])
def test_chance_follows_the_score(rules: Rules) -> None:
    """Without a lead in the score nobody is ahead; the same lead counts more close to the end."""
    good = 1 if rules is FIVES else -1
    assert winning_chances(score(rules, 40, 40)) == [0.5, 0.5]
    early = winning_chances(score(rules, 40 + 10 * good, 40))
    late = winning_chances(score(rules, 80 + 10 * good, 80))
    assert 0.5 < early[0] < late[0] < 1
    assert sum(early) == pytest.approx(1)
    assert sum(late) == pytest.approx(1)


def test_chances_not_to_be_the_goat_add_up_to_less_than_all_players_but_one() -> None:
    chances = winning_chances(score(GAMEZZ, 20, 60, 90))
    assert chances[0] > chances[1] > chances[2]
    assert 1.5 < sum(chances) < 2, "there may be several goats"


def test_remembered_points_cost_less_than_those_of_an_account() -> None:
    state = score(KOZEL, 12, 12)
    state = replace(state, standing=(Standing(12, opened=False), Standing(12)))
    ahead, behind = winning_chances(state)
    assert ahead > 0.5 > behind


def test_leading_the_next_round_of_kozel_is_an_advantage() -> None:
    first, second = winning_chances(score(KOZEL, 40, 40, lead=1))
    assert second > 0.5 > first


def test_a_side_whose_people_have_left_cannot_win() -> None:
    state = replace(score(FIVES, 200, 50, 50), forfeited=(0,))
    assert winning_chances(state) == [0, 0.5, 0.5]


@pytest.mark.parametrize(
    ("rules", "points", "options", "distance"),
    [
        (KOZEL, (91, 20), {}, 10),
        (KOZEL, (41, 20), {"length": "quick"}, 10),
        (FIVES, (250, -10, 0), {"target": "100"}, 0),
        (rules_for("rytmino"), (9, 8, 7), {"deals": "per_player"}, 1),
        (rules_for("triominoes"), (90, 80), {"length": "quick"}, 1),
    ],
    ids=["limit", "quick limit", "beyond the target", "deals left", "rounds left"],
)
def test_distance_is_that_to_the_end(
    rules: Rules, points: tuple[int, ...], options: dict[str, str], distance: int
) -> None:
    number = 2 if len(points) == 3 else 1
    state = start_state(new_match(rules, len(points), options))
    state = replace(in_round(state, number=number), standing=tuple(map(Standing, points)))
    assert distance_to_end(rules, state) == distance


@pytest.mark.parametrize("key", registry())
def test_spectators_get_an_estimate_from_the_deal_on(key: str) -> None:
    """A spectator does not know which tile must be led."""
    rules = registry()[key]
    dealt = deal_next_round(rules, start_state(new_match(rules, 2, {})), Random(key))
    chances = bots.estimate_chances(view_for(rules, dealt, None), 6, 1)
    assert all(0 < chance < 1 for chance in chances)
