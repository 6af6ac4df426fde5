"""All Fives beside a second, naive program: the same open ends, counts, points and numbers of move sequences."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.decide import decide
from games.engine.events import Event, MatchEnded, Passed, Played, RoundDealt, RoundEnded
from games.engine.evolve import evolve
from games.engine.layout.spinner import SpinnerLine
from games.engine.moves import Draw, Move, Pass, Play
from games.engine.playout import playout
from games.engine.referee import perft
from games.engine.state import State
from games.engine.tiles import Tile, pips
from games.engine.variants import rules_for
from tests.engine.matches import tables
from tests.engine.positions import begun, broken, layout_of, somewhere
from tests.engine.sequences import dealt_state
from tests.variants import naive_all_fives as naive

FIVES = rules_for("all_fives")


def pair(tile: Tile) -> naive.Pair:
    high, low = tile
    return high, low


def laying(state: State) -> naive.Laying:
    return naive.laying_of([(pair(play.tile), play.place) for play in state.round.plays])


def unlaid(state: State) -> list[naive.Pair]:
    return [pair(tile) for tile in (*sum(state.hands, ()), *state.boneyard)]


# Counts


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([2, 3, 4]))
def test_tiles_and_counts_agree_with_the_naive_program(seed: int, seats: int) -> None:
    """From the empty table to the end of a random hand, whatever could be laid there."""
    state = somewhere(FIVES, seed, seats, moves=0)
    chance = random.Random(seed)
    while state.round.to_move is not None:
        table = laying(state)
        for tile in unlaid(state):
            assert list(layout_of(state, SpinnerLine).places(tile)) == naive.places(table, tile)
            for place in naive.places(table, tile):
                points = FIVES.play_points(state.round, Play(tile, place))
                after = naive.lay(table, tile, place)
                assert points.total == naive.score(after)
                assert sum_of(points.terms[0].text) == naive.count(after)
        for event in decide(FIVES, state, state.round.to_move, chance.choice(FIVES.legal_moves(state))):
            state = evolve(state, event)


def sum_of(text: str) -> int:
    """Return the number that a sum names, reckoned again: ``3 + 1 = 4``."""
    terms, _, right = text.partition(" = ")
    factors = [[int(factor) for factor in part.split(" × ")] for part in terms.split(" + ")]
    total = sum(part[0] * part[1] if len(part) == 2 else part[0] for part in factors)
    assert total == int(right)
    return total


def test_random_hands_cover_all_kinds_of_tables() -> None:
    arms, scores = set(), set()
    for seed in range(40):
        state = somewhere(FIVES, seed, 2, moves=60)
        layout = layout_of(state, SpinnerLine)
        arms.add((layout.spinner is not None, bool(layout.up), bool(layout.down)))
        scores |= {play.points.total for play in state.round.plays}
    assert {(True, True, True), (True, True, False), (True, False, False)} <= arms
    assert {0, 5, 10, 15, 20} <= scores


# Matches


def check_round(state: State, event: RoundEnded, scores: list[int], options: dict[str, str]) -> list[int]:
    """Return the scores after a hand, by the naive program."""
    last = state.round.plays[-1].seat
    target = target_of(state.setup.seats, options)
    if scores[state.setup.sides[last]] >= target and state.round.scored:
        assert (event.reason, event.seat, {entry.total for entry in event.points}) == ("target", last, {0})
        return scores
    out = last if not state.hands[last] else None
    assert (event.reason, event.seat) == ("blocked" if out is None else "out", last)
    assert out is not None or naive.is_blocked(laying(state), unlaid(state))
    assert event.lead == out
    weights = [sum(map(pips, hand)) for hand in state.hands]
    points = naive.hand_end(weights, state.setup.sides, out, collects=options["hand_end"] == "winner_collects")
    assert [entry.total for entry in event.points] == points
    return [before + gained for before, gained in zip(scores, points, strict=True)]


def target_of(seats: int, options: dict[str, str]) -> int:
    if options["length"] == "quick":
        return 60 if seats == 4 else 100
    return {"standard": 250 if seats == 2 else 200}.get(options["target"]) or int(options["target"])


def check_match(events: list[Event], seats: int, options: dict[str, str]) -> None:
    """Check every event against the naive program."""
    state = begun(events[0])
    scores, lead, target = [0] * len(state.standing), None, target_of(seats, options)
    for event in events[1:]:
        if isinstance(event, RoundDealt):
            assert event.lots == (() if lead is not None else tuple(range(seats)))
            assert lead in (None, event.to_move)
        if isinstance(event, Played):
            points = naive.score(naive.lay(laying(state), pair(event.tile), event.place))
            assert event.points.total == points
            scores[state.setup.sides[event.seat]] += points
            following = (event.seat + 1) % seats
            assert event.to_move in (None, following)
        if isinstance(event, RoundEnded):
            scores, lead = check_round(state, event, scores, options), event.lead
            assert [entry.points for entry in event.standing] == scores
        if isinstance(event, MatchEnded) and event.reason == "finished":
            assert max(scores) >= target
            ranks = [scores[side] for side in state.setup.sides]
            assert event.places == tuple(1 + sum(other > score for other in ranks) for score in ranks)
        elif isinstance(event, Played | Passed) and event.to_move is not None:
            assert scores[state.setup.sides[event.seat]] < target or isinstance(event, Passed)
        state = evolve(state, event)


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(tables(FIVES)), st.integers(0, 10**6), st.booleans())
def test_matches_agree_with_the_naive_program(table: tuple[int, dict[str, str]], seed: int, greedy: bool) -> None:
    seats, options = table
    check_match(playout(FIVES, seats, options, str(seed), greedy=greedy, leave_after=400), seats, options)


def test_greedy_matches_end_under_every_option() -> None:
    """Random play may never reach the target; greedy play does."""
    sample = tables(FIVES)[::7]
    for option in FIVES.options:
        assert {options[option.name] for _seats, options in sample} == set(option.choices)
    for seats, options in sample:
        events = playout(FIVES, seats, options, "end", greedy=True, leave_after=5000)
        assert any(isinstance(event, MatchEnded) and event.reason == "finished" for event in events), options


# Move sequences

TWO = (
    ["6-6 0-0 6-5 6-4 5-4 2-1 3-0", "3-3 6-3 5-0 4-1 5-3 2-0 6-1"],
    "1-0 1-1 2-2 3-1 3-2 4-0 4-2 4-3 4-4 5-1 5-2 5-5 6-0 6-2",
)
THREE = (
    ["6-5 3-2 6-6 3-3 6-2", "3-0 4-1 5-0 5-1 5-4", "1-0 2-2 0-0 4-3 4-0"],
    "6-1 3-1 5-2 6-4 6-0 6-3 1-1 5-5 2-0 4-2 4-4 2-1 5-3",
)
FOUR = (
    ["2-0 6-4 3-1 1-0 6-0", "6-1 4-3 5-5 3-0 5-0", "6-2 6-6 4-0 4-2 3-3", "6-5 4-4 3-2 1-1 5-1"],
    "0-0 5-3 2-2 6-3 2-1 5-2 4-1 5-4",
)

# Of the first to the sixth move; the naive program agrees.
PINNED = {
    "two": (TWO, [7, 26, 65, 229, 668, 2470]),
    "three": (THREE, [5, 8, 21, 32, 56, 154]),
    "four": (FOUR, [5, 13, 27, 60, 140, 405]),
}


def after_deal(hands: list[str], boneyard: str) -> State:
    return dealt_state(FIVES, hands, boneyard, options={"hands": "7-5-5"}, lead=0)


def count_naively(state: State, depth: int) -> int:
    assert state.round.to_move is not None
    hands = tuple(tuple(map(pair, hand)) for hand in state.hands)
    return naive.count_sequences(hands, tuple(map(pair, state.boneyard)), laying(state), state.round.to_move, depth)


@pytest.mark.parametrize(("deal", "nodes"), PINNED.values(), ids=PINNED)
def test_perft_counts_are_unchanged(deal: tuple[list[str], str], nodes: list[int]) -> None:
    assert [perft(FIVES, after_deal(*deal), depth) for depth in range(1, 7)] == nodes


@pytest.mark.parametrize(("deal", "nodes"), PINNED.values(), ids=PINNED)
def test_naive_program_agrees_from_the_deal(deal: tuple[list[str], str], nodes: list[int]) -> None:
    assert [count_naively(after_deal(*deal), depth) for depth in range(1, 5)] == nodes[:4]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(2))
def test_naive_program_agrees_to_the_end_of_the_hand(seed: int, seats: int) -> None:
    state = somewhere(FIVES, seed, seats, moves=14)
    for depth in (1, 3, 4):
        assert perft(FIVES, state, depth) == count_naively(state, depth)


# Illegal moves


def broken_rule(state: State, move: Move) -> str:
    """Return the rule that a move breaks, by the naive program; "" if none."""
    assert state.round.to_move is not None
    table, hand = laying(state), [pair(tile) for tile in state.hands[state.round.to_move]]
    if isinstance(move, Play):
        if pair(move.tile) in hand and move.place in ("up", "down"):
            spinner = naive.spinner_of(table)
            if spinner is None or naive.touching(table, spinner) < 2:
                return "all_fives.spinner"
        fits = pair(move.tile) in hand and move.place in naive.places(table, pair(move.tile))
        return "" if fits else "all_fives.turn"
    stuck = all(not naive.places(table, tile) for tile in hand)
    return "" if stuck and isinstance(move, Draw) == bool(state.boneyard) else "all_fives.turn"


@pytest.mark.parametrize("seed", range(6))
def test_random_moves_are_judged_like_the_naive_program(seed: int) -> None:
    chance = random.Random(seed)
    rules = set()
    for moves in (0, 1, 3, 6, 12, 25):
        state = somewhere(FIVES, seed, 2 + seed % 3, moves)
        before = hash(state)
        for _ in range(100):
            assert state.round.to_move is not None
            tile = chance.choice(state.hands[state.round.to_move] if chance.random() < 0.7 else FIVES.tile_set)
            places = ("", "left", "right", "up", "down")
            moves_there: list[Move] = [Draw(), Pass(), *(Play(tile, place) for place in places)]
            move = chance.choice(moves_there)
            rules.add(broken_rule(state, move))
            assert broken(FIVES, state, move) == broken_rule(state, move), move
        assert hash(state) == before
    assert rules == {"", "all_fives.turn", "all_fives.spinner"}
