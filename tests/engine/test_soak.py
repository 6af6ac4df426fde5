"""Random matches and random illegal moves of every variant keep the invariants of the engine.

Every round ends. After every event all tiles are there, and the seat to move has a legal move. The record gives the
same state when it is written, read and replayed. An illegal move is refused with the id of a rule and changes nothing.
``make soak`` plays 10,000 rounds and tries 100,000 illegal moves of each game.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random

import pytest

from games.engine.decide import decide
from games.engine.events import MatchEnded, RoundDealt, RoundEnded
from games.engine.evolve import fold
from games.engine.moves import Draw, Move, Pass, Play
from games.engine.notation import event_from_json, event_to_json
from games.engine.playout import playout
from games.engine.refusal import Refusal
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.variants import registry
from tests.engine.matches import Match, tables, tiles_of

ROUNDS, ILLEGAL_MOVES = (10_000, 100_000) if os.environ.get("SOAK") else (60, 800)
# More than a match or a round has that ends by itself: every tile laid or drawn once, and some passes.
MAX_MATCH_MOVES = 3000
MAX_ROUND_MOVES = 300
TRIES_PER_POSITION = 30
WORDS = ("", "left", "right", "up", "down")
NUMBER = re.compile(r"-?\d+")
NONSENSE = ("", " ", "6-4 sideways", "U(0,0)=", "draw draw", "H(00,0)=1-1", "٣-٣", "x" * 50, "6-4\n", "pass ")
EVERY = [pytest.param(rules, id=key) for key, rules in registry().items()]


@dataclass(slots=True)
class Refusals:
    """Numbers of refused moves by code, and of illegal moves by the rule that each breaks."""

    codes: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)


def random_matches(rules: Rules, seed: str) -> Iterator[Match]:
    """Yield matches without end, over all seat counts and options in turn."""
    configurations = tables(rules)
    Random(seed).shuffle(configurations)
    for number in count():
        seats, options = configurations[number % len(configurations)]
        events = playout(rules, seats, options, f"{seed} {number}", leave_after=MAX_MATCH_MOVES)
        yield Match(rules, tuple(events))


def check(match: Match) -> int:
    """Check the invariants of one match and return the number of its rounds."""
    rules, after = match.rules, fold(match.events[:1])
    for _, _, after in match.steps():
        assert tiles_of(after) == (list(rules.tile_set) if after.round.number else []), match.started
        assert bool(rules.legal_moves(after)) == (after.round.to_move is not None), match.started
        assert len(after.round.moves) < MAX_ROUND_MOVES, match.started
    assert after.match_over is not None
    read = [event_from_json(*event_to_json(event)) for event in match.events]
    assert tuple(read) == match.events, match.started
    assert fold(read) == after, match.started
    assert hash(fold(read)) == hash(after)
    rounds = [event for event in match.events if isinstance(event, RoundEnded)]
    (end,) = (event for event in match.events if isinstance(event, MatchEnded))
    loses_points = any(points.total < 0 for event in rounds for points in event.points)
    assert end.reason == "finished" or loses_points, match.started
    return len(rounds)


def try_illegal_moves(rules: Rules, count: int, seed: str) -> Refusals:
    """Try random moves at the positions of random matches until ``wanted`` illegal ones were refused."""
    refusals, random = Refusals(), Random(seed)
    for match in random_matches(rules, f"illegal {seed}"):
        for _, _, state in match.steps():
            try_position(rules, state, random, refusals)
            if refusals.codes["illegal_move"] >= count:
                break
        if refusals.codes["illegal_move"] >= count:
            break
    return refusals


def try_position(rules: Rules, state: State, random: Random, refusals: Refusals) -> None:
    """Try random moves at one position, sometimes as another seat."""
    before, legal = hash(state), rules.legal_moves(state)
    legal_texts, written = [rules.move_text(move) for move in legal], texts(rules, state)
    for _ in range(TRIES_PER_POSITION if state.round.to_move is not None else 2):
        own_seat = state.round.to_move is not None and random.random() < 0.95
        seat = state.round.to_move if own_seat and state.round.to_move is not None else random.randint(-1, 4)
        move = random_move(rules, state, written, random)
        if seat == state.round.to_move and (move in legal or move in legal_texts):
            continue
        refusal = refusal_of(rules, state, seat, move)
        if refusal is None:
            assert isinstance(move, str)  # a legal move in another spelling
            assert rules.parse_move(state, move) in legal, move
            continue
        refusals.codes[refusal.code] += 1
        if refusal.code == "illegal_move":
            assert refusal.rule, (state, move)
            assert rules.refusals[refusal.rule] == refusal.text, (state, move)
            refusals.rules[refusal.rule] += 1
        else:
            assert refusal.code == expected_code(state, seat), (refusal.code, move)
    assert (hash(state), rules.legal_moves(state)) == (before, legal)


def expected_code(state: State, seat: int) -> str:
    """Return the code for a move that no rule of the game refuses."""
    if state.match_over:
        return "match_over"
    if state.round.to_move is None:
        return "round_over"
    return "not_your_turn" if seat != state.round.to_move else "bad_move"


def refusal_of(rules: Rules, state: State, seat: int, move: Move | str) -> Refusal | None:
    """Return the refusal of the move, None if it is legal. Unreadable text is tried only by the seat to move."""
    try:
        if isinstance(move, str):
            move = rules.parse_move(state, move) if seat == state.round.to_move else Pass()
        decide(rules, state, seat, move)
    except Refusal as refusal:
        return refusal
    return None


def texts(rules: Rules, state: State) -> list[str]:
    """Return the notation of all placements on the table, and of every tile wherever it would fit."""
    layout = state.round.layout
    laid = [rules.move_text(Play(play.tile, play.place)) for play in state.round.plays]
    fitting = [layout.text(tile, place) for tile in dict.fromkeys(rules.tile_set) for place in layout.places(tile)]
    return [*state.round.start, *laid, *fitting]


def random_move(rules: Rules, state: State, written: Sequence[str], random: Random) -> Move | str:
    """Return any move or text: drawing, passing, a tile at some place, a notation, nonsense."""
    lot = random.random()
    if lot < 0.06:
        return random.choice((Draw(), Pass()))
    if lot < 0.1:
        return random.choice(NONSENSE)
    hand = state.hands[state.round.to_move] if state.round.to_move is not None else ()
    tile = random.choice(hand if hand and lot < 0.8 else rules.tile_set)
    places = state.round.layout.places(tile)
    if lot < 0.2 and places:
        return Play(random.choice(rules.tile_set), random.choice(places))
    if lot < 0.3:
        return Play(tile, random.choice((*WORDS, *(play.place for play in state.round.plays[-4:]))))
    if lot < 0.8 and places:
        return disturbed(state.round.layout.text(tile, random.choice(places)), random)
    if lot < 0.9 and written:
        return disturbed(random.choice(written), random)
    return rules.layout.text(tile, random.choice(WORDS))


def disturbed(text: str, random: Random) -> str:
    """Return the text with some numbers changed by one, or the tile mirrored."""
    place, equals, tile = text.partition("=")
    if equals and random.random() < 0.2:
        tile = tile[::-1]
    steps = (-1, 0, 0, 0, 0, 1)
    return NUMBER.sub(lambda number: str(int(number[0]) + random.choice(steps)), place) + equals + tile


@pytest.mark.parametrize("rules", EVERY)
def test_random_rounds_end_conserve_tiles_and_replay(rules: Rules) -> None:
    matches, rounds = random_matches(rules, "small"), 0
    while rounds < ROUNDS:
        rounds += check(next(matches))


@pytest.mark.parametrize("rules", EVERY)
def test_random_illegal_moves_are_refused_and_change_nothing(rules: Rules) -> None:
    refusals = try_illegal_moves(rules, ILLEGAL_MOVES, "small")
    assert refusals.codes["illegal_move"] >= ILLEGAL_MOVES
    assert refusals.codes["bad_move"]
    assert refusals.codes["not_your_turn"]
    assert len(refusals.rules) > 1


def a_match(rules: Rules) -> Match:
    return next(random_matches(rules, "planted"))


@pytest.mark.parametrize("rules", EVERY)
def test_tile_in_two_places_is_found(rules: Rules) -> None:
    started, dealt, *rest = a_match(rules).events
    assert isinstance(dealt, RoundDealt)
    hands = (dealt.hands[1], *dealt.hands[1:])
    with pytest.raises(AssertionError):
        check(Match(rules, (started, replace(dealt, hands=hands), *rest)))


@pytest.mark.parametrize("rules", EVERY)
def test_a_seat_without_a_legal_move_is_found(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    match = a_match(rules)
    monkeypatch.setattr(type(rules), "legal_moves", lambda _self, _state: ())
    with pytest.raises(AssertionError):
        check(match)


@pytest.mark.parametrize("rules", EVERY)
def test_a_refusal_without_a_rule_is_found(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(_self: Rules, _state: State, _move: Move) -> str:
        return "unheard.of"

    state = a_match(rules).running()[0]
    monkeypatch.setattr(type(rules), "broken_rule", careless)
    with pytest.raises((AssertionError, KeyError)):
        try_position(rules, state, Random("planted"), Refusals())
