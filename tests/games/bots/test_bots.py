"""The players: they know what a viewer knows, think the same thought twice, and beat chance."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import accumulate, cycle, islice
from random import Random
from statistics import fmean

import pytest

from benchmarks.bots import Tally, deal_next_round, play_round, seat_results
from games.bots import NoBotForVariant, bot_for_variant, choose_move
from games.bots.determinization import hidden_tile_groups, sample_determinizations
from games.bots.levels import LEVELS, Level
from games.engine.decide import deal_round, decide, new_match
from games.engine.evolve import evolve, start_state
from games.engine.moves import Move, Play
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.variants import registry
from games.engine.view import view_for
from games.enums import BotLevel
from tests.engine.matches import tables, tiles_of
from tests.engine.positions import in_round

KOZEL = registry()["kozel"]
MAX_ROUNDS = 1000  # far more than a match of bots has
VARIANTS = [
    pytest.param(rules, seats, id=f"{key}-{seats}")
    for key, rules in registry().items()
    for seats in (min(rules.seat_counts), max(rules.seat_counts))
]


def rounds(rules: Rules, seats: int, seed: str, options: Mapping[str, str], number: int) -> Iterator[State]:
    """Yield every position in which somebody is to move, in so many rounds of random play."""
    random = Random(seed)
    size = len(rules.tile_set)
    state = start_state(new_match(rules, seats, options))
    while state.round.number < number and not state.match_over:
        events = deal_round(rules, state, lambda _attempt: random.sample(range(size), size))
        while events:
            for event in events:
                state = evolve(state, event)
            events = ()
            if state.round.to_move is not None:
                yield state
                events = decide(rules, state, state.round.to_move, random.choice(rules.legal_moves(state)))


def positions(rules: Rules, seats: int, seed: str, number: int = 6) -> Iterator[State]:
    """Yield the positions of random play with every choice of the options."""
    choices = [options for count, options in tables(rules) if count == seats]
    for options in choices:
        yield from rounds(rules, seats, seed, options, max(1, number // len(choices)))


def after(rules: Rules, state: State, *moves: str) -> State:
    for text in moves:
        for event in decide(rules, state, state.round.to_move, rules.parse_move(state, text)):
            state = evolve(state, event)
    return state


@pytest.mark.parametrize("key", registry())
def test_every_variant_has_a_player(key: str) -> None:
    assert bot_for_variant(key)


def test_an_unknown_variant_has_none() -> None:
    with pytest.raises(NoBotForVariant):
        bot_for_variant("tiddlywinks")


@pytest.mark.parametrize(("rules", "seats"), VARIANTS)
def test_sampled_position_agrees_with_the_view(rules: Rules, seats: int) -> None:
    for state in islice(positions(rules, seats, "looks"), 0, None, 7):
        view = view_for(rules, state, state.round.to_move)
        for guess in islice(sample_determinizations(rules, view, Random("guess")), 2):
            assert view_for(rules, guess, state.round.to_move) == view
            assert tiles_of(guess) == tiles_of(state)


@pytest.mark.parametrize(("rules", "seats"), VARIANTS)
def test_certain_tiles_are_really_held(rules: Rules, seats: int) -> None:
    for state in islice(positions(rules, seats, "certain", number=10), 0, None, 7):
        view = view_for(rules, state, None)
        for seat, hand in enumerate(state.hands):
            groups = hidden_tile_groups(rules, view)[seat]
            assert sum(group.count for group in groups) == len(hand)
            certain = 0
            for group in groups:  # each group's tiles include those of the groups before it
                certain += group.count
                assert sum(tile in group.tiles for tile in hand) >= certain


@pytest.mark.parametrize(("rules", "seats"), VARIANTS)
def test_player_who_can_play_may_draw_only_if_rules_allow(rules: Rules, seats: int) -> None:
    """If seats that can play must, a draw shows that nothing fitted."""
    choices = {
        any(isinstance(move, Play) for move in moves) and not all(isinstance(move, Play) for move in moves)
        for moves in map(rules.legal_moves, positions(rules, seats, "choices", number=2))
    }
    assert (True in choices) is not bool(rules.must_play_rule)


def test_forced_draw_reveals_missing_values() -> None:
    """K-21 seen from outside: at ends 5/3 seat 0 draws three tiles and plays the last, 6-3: it keeps no 5 and no 3."""
    dealt = replace(
        in_round(start_state(new_match(KOZEL, 2, {})), number=1, to_move=1),
        hands=(((1, 0), (2, 2)), ((5, 3), (6, 6))),
        boneyard=((6, 4), (6, 0), (6, 3), (1, 1)),
    )
    state = after(KOZEL, dealt, "5-3", "draw", "draw", "draw", "6-3 right")
    groups = hidden_tile_groups(KOZEL, view_for(KOZEL, state, 1))[0]
    assert sum(group.count for group in groups) == 4
    assert not any(3 in tile or 5 in tile for group in groups for tile in group.tiles)


def test_optional_draw_reveals_nothing() -> None:
    """T-22 seen from outside: 3-4-5 would have fitted 4-4-5, and seat 1 drew all the same."""
    rules = registry()["triominoes"]
    dealt = replace(
        in_round(start_state(new_match(rules, 2, {})), number=1, to_move=0),
        hands=(((4, 4, 5), (0, 0, 1)), ((3, 4, 5), (1, 1, 1))),
        boneyard=((2, 2, 2),),
    )
    state = after(rules, dealt, "U(0,0)=4/4/5", "draw")
    assert all((3, 4, 5) in group.tiles for group in hidden_tile_groups(rules, view_for(rules, state, 0))[1])


def test_revealed_tile_is_in_its_hand() -> None:
    """T-05 seen from outside: seat 0 leads 0-0-0 and shows 5-5-5, which everybody knows it holds until it is laid."""
    rules = registry()["triominoes"]
    hands = [[(0, 0, 0), (5, 5, 5), (0, 0, 1)], [(0, 1, 1), (1, 1, 2)]]
    rest = [tile for tile in rules.tile_set if tile not in [*hands[0], *hands[1]]]
    dealt = replace(
        in_round(start_state(new_match(rules, 2, {})), number=1, to_move=0),
        hands=tuple(map(tuple, hands)),
        boneyard=tuple(rest),
        must_lead=((5, 5, 5), (0, 0, 0)),
        lead_rule="triominoes.start",
    )
    state = after(rules, dealt, "U(0,0)=0/0/0")
    view = view_for(rules, state, 1)
    assert [group.count for group in hidden_tile_groups(rules, view)[0]] == [1, 1]
    for guess in islice(sample_determinizations(rules, view, Random("shown")), 10):
        assert (5, 5, 5) in guess.hands[0]


def test_nothing_is_hidden_if_one_hand_has_all_other_tiles() -> None:
    """Two play Rytmino with 14 tiles each and a pair on the table: every guess is the truth."""
    rules = registry()["rytmino"]
    for state in islice(positions(rules, 2, "open"), 0, None, 9):
        view = view_for(rules, state, state.round.to_move)
        guess = next(sample_determinizations(rules, view, Random("open")))
        assert [sorted(hand) for hand in guess.hands] == [sorted(hand) for hand in state.hands]


@pytest.mark.parametrize(("rules", "seats"), VARIANTS)
def test_choice_is_legal_and_reproducible(rules: Rules, seats: int) -> None:
    levels = cycle(LEVELS)
    for state, level in zip(islice(positions(rules, seats, "again", number=2), 0, None, 40), levels, strict=False):
        view = view_for(rules, state, state.round.to_move)
        text = choose_move(view, level, 3)
        assert rules.parse_move(state, text) in view.legal
        assert choose_move(pickle.loads(pickle.dumps(view)), level, 3) == text


@pytest.mark.parametrize(("rules", "seats"), VARIANTS)
def test_no_player_draws_or_passes_while_it_can_play(rules: Rules, seats: int) -> None:
    for state in islice(positions(rules, seats, "plays", number=2), 0, None, 3):
        view = view_for(rules, state, state.round.to_move)
        player = bot_for_variant(rules.key)
        game = player.simulation(state)
        promising = map(game.move, player.candidate_moves(game, game.numbers(view.legal), Random("plays")))
        assert any(isinstance(move, Play) for move in view.legal) == all(isinstance(move, Play) for move in promising)


@pytest.mark.parametrize("rules", registry().values(), ids=registry())
def test_match_of_bots_ends(rules: Rules) -> None:
    player, random = bot_for_variant(rules.key), Random("match")

    def chosen(state: State) -> Move:
        game = player.simulation(state)
        move: Move = game.move(player.rollout_move(game, random))
        return move

    state = start_state(new_match(rules, max(rules.seat_counts), {}))
    while not state.match_over:
        assert state.round.number < MAX_ROUNDS
        state = play_round(rules, deal_next_round(rules, state, random), chosen)


def test_seats_know_the_same_levels() -> None:
    assert [level.value for level in BotLevel] == list(LEVELS)


def test_weak_bot_still_finds_a_move() -> None:
    moves = tuple(range(10))
    assert Level(playout_factor=1).drop_overlooked(moves, Random(1)) == moves
    assert all(
        len(Level(playout_factor=1, overlooked_share=0.99).drop_overlooked(moves, Random(seed))) == 1
        for seed in range(20)
    )
    seen = [
        len(Level(playout_factor=1, overlooked_share=0.3).drop_overlooked(moves, Random(seed))) for seed in range(200)
    ]
    assert 6.7 < fmean(seen) < 7.3, "of ten moves it sees seven in the mean, give or take 0.1"


def test_waiting_seat_has_no_choice() -> None:
    state = next(positions(KOZEL, 2, "wait"))
    with pytest.raises(ValueError, match="turn"):
        choose_move(view_for(KOZEL, state, 1 - state.round.to_move), "steady", 1)


def test_bots_work_without_django() -> None:
    code = "import sys, games.bots; games.bots.bot_for_variant('kozel'); sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("key", registry())
def test_strongest_bot_beats_random_play(key: str) -> None:
    """``benchmarks/bots.py`` prints the shares. Who wins three of five gets six rounds ahead before the 100th."""
    leads = accumulate(seat_results(registry()[key], {}, "sample", Tally()))
    assert any(lead >= 6 for lead in islice(leads, 100))
