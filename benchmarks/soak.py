"""Random rounds and illegal moves of every variant: what holds of all of them, and how many were tried.

``python benchmarks/soak.py [--rounds 10000] [--illegal 100000] [--game KEY ...] [--seed 1]``. The rounds are those of
whole matches, over all seat counts and options in turn. Each ends; after every event the tiles are all there and the
seat to move has a legal move; written, read and replayed, the record gives the same state. A match may go on and on
only where rounds take points away; it is broken off then. Illegal moves are tried at every position of such matches;
each is refused with the id of a rule, and neither the state nor what is legal in it changes.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from time import process_time

sys.path.insert(0, str(Path(__file__).parent.parent))

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

LONGEST = 3000
"""Moves of a match, more than any has that ends by itself."""
LONGEST_ROUND = 300
"""Moves of a round, more than any has: every tile laid or drawn once, and some turns passed."""
TRIES = 30
"""Moves that are tried at a position."""
WORDS = ("", "left", "right", "up", "down")
NUMBER = re.compile(r"-?\d+")
NONSENSE = ("", " ", "6-4 sideways", "U(0,0)=", "draw draw", "H(00,0)=1-1", "٣-٣", "x" * 50, "6-4\n", "pass ")


@dataclass(slots=True)
class Played:
    """Rounds that were played: how many, in how many matches that ended or were broken off, with how many moves.

    ``tables`` are the seat counts and options there were, each pair once.
    """

    tables: set[tuple[object, ...]] = field(default_factory=set)
    rounds: int = 0
    finished: int = 0
    broken_off: int = 0
    moves: int = 0
    most_moves: int = 0


@dataclass(slots=True)
class Refused:
    """Moves that were refused: by the code of the refusal, and the illegal ones by the rule that each breaks."""

    codes: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)


def random_matches(rules: Rules, seed: str) -> Iterator[Match]:
    """Yield matches without end, over all seat counts and options in turn."""
    chosen = tables(rules)
    Random(seed).shuffle(chosen)
    for number in count():
        seats, options = chosen[number % len(chosen)]
        yield Match(rules, tuple(playout(rules, seats, options, f"{seed} {number}", leave_after=LONGEST)))


# Rounds


def play_rounds(rules: Rules, rounds: int, seed: str) -> Played:
    """Play whole matches of at least so many rounds together."""
    played = Played()
    for match in random_matches(rules, seed):
        check(match)
        ended = [event for event in match.events if isinstance(event, RoundEnded)]
        moves = sum(hasattr(event, "to_move") and not isinstance(event, RoundDealt) for event in match.events)
        (over,) = (event for event in match.events if isinstance(event, MatchEnded))
        if over.reason != "finished":
            assert any(points.total < 0 for event in ended for points in event.points), match.started
        played.tables.add((match.started.seats, match.started.options))
        played.rounds += len(ended)
        played.finished += over.reason == "finished"
        played.broken_off += over.reason != "finished"
        played.moves += moves
        played.most_moves = max(played.most_moves, moves)
        if played.rounds >= rounds:
            return played
    raise AssertionError("unreachable")


def check(match: Match) -> None:
    """Hold one match against what must be true of every one."""
    rules, after = match.rules, fold(match.events[:1])
    for _, _, after in match.steps():
        assert tiles_of(after) == (list(rules.tile_set) if after.round.number else []), match.started
        assert bool(rules.legal_moves(after)) == (after.round.to_move is not None), match.started
        assert len(after.round.moves) < LONGEST_ROUND, match.started
    assert after.match_over is not None
    read = [event_from_json(*event_to_json(event)) for event in match.events]
    assert tuple(read) == match.events, match.started
    assert fold(read) == after, match.started
    assert hash(fold(read)) == hash(after)


# Illegal moves


def try_illegal_moves(rules: Rules, wanted: int, seed: str) -> Refused:
    """Try random moves at the positions of random matches, until so many illegal ones were refused."""
    refused, chance = Refused(), Random(seed)
    for match in random_matches(rules, f"illegal {seed}"):
        for _, _, state in match.steps():
            try_here(rules, state, chance, refused)
            if refused.codes["illegal_move"] >= wanted:
                return refused
    raise AssertionError("unreachable")


def try_here(rules: Rules, state: State, chance: Random, refused: Refused) -> None:
    """Try moves at one position, sometimes as another seat."""
    before, legal = hash(state), rules.legal_moves(state)
    written = texts(rules, state)
    for _ in range(TRIES if state.round.to_move is not None else 2):
        seat = (
            state.round.to_move
            if state.round.to_move is not None and chance.random() < 0.95
            else chance.randint(-1, 4)
        )
        given = random_move(rules, state, written, chance)
        if seat == state.round.to_move and given in [*legal, *map(rules.move_text, legal)]:
            continue
        refusal = refusal_of(rules, state, seat, given)
        if refusal is None:  # a legal move in another spelling
            assert isinstance(given, str)
            assert rules.parse_move(state, given) in legal, given
            continue
        refused.codes[refusal.code] += 1
        if refusal.code == "illegal_move":
            assert refusal.rule, (state, given)
            assert refusal.rule in rules.refusals, (state, given)
            refused.rules[refusal.rule] += 1
        else:
            assert refusal.code == expected_code(state, seat), (refusal.code, given)
    assert (hash(state), rules.legal_moves(state)) == (before, legal)


def expected_code(state: State, seat: int) -> str:
    """Return why a move is refused that no rule of the game refuses."""
    if state.match_over:
        return "match_over"
    if state.round.to_move is None:
        return "round_over"
    return "not_your_turn" if seat != state.round.to_move else "bad_move"


def refusal_of(rules: Rules, state: State, seat: int, given: Move | str) -> Refusal | None:
    """Return how the move is refused, if it is. What cannot be read counts only where a move is awaited at all."""
    try:
        if isinstance(given, str):
            given = rules.parse_move(state, given) if seat == state.round.to_move else Pass()
        decide(rules, state, seat, given)
    except Refusal as refusal:
        return refusal
    return None


def texts(rules: Rules, state: State) -> list[str]:
    """Return how the placements on the table are written, and those of every tile wherever it would fit."""
    layout = state.round.layout
    laid = [rules.move_text(Play(play.tile, play.place)) for play in state.round.plays]
    return [
        *state.round.start,
        *laid,
        *(layout.text(tile, place) for tile in dict.fromkeys(rules.tile_set) for place in layout.places(tile)),
    ]


def random_move(rules: Rules, state: State, written: Sequence[str], chance: Random) -> Move | str:
    """Return any move: drawing, passing, a tile at a place as the engine has it, a text, a text that is none."""
    lot = chance.random()
    if lot < 0.06:
        return chance.choice((Draw(), Pass()))
    if lot < 0.1:
        return chance.choice(NONSENSE)
    hand = state.hands[state.round.to_move] if state.round.to_move is not None else ()
    tile = chance.choice(hand if hand and lot < 0.8 else rules.tile_set)
    places = state.round.layout.places(tile)
    if lot < 0.2 and places:
        return Play(chance.choice(rules.tile_set), chance.choice(places))
    if lot < 0.3:
        return Play(tile, chance.choice((*WORDS, *(play.place for play in state.round.plays[-4:]))))
    if lot < 0.8 and places:
        return disturbed(state.round.layout.text(tile, chance.choice(places)), chance)
    if lot < 0.9 and written:
        return disturbed(chance.choice(written), chance)
    return rules.layout.text(tile, chance.choice(WORDS))


def disturbed(text: str, chance: Random) -> str:
    """Return the text with some numbers a little larger or smaller, a place nearby or another tile, or mirrored."""
    place, equals, tile = text.partition("=")
    if equals and chance.random() < 0.2:
        tile = tile[::-1]
    return NUMBER.sub(lambda found: str(int(found[0]) + chance.choice((-1, 0, 0, 0, 0, 1))), place) + equals + tile


# The tables that are printed


def print_rounds(games: Sequence[str], rounds: int, seed: str) -> None:
    """Play and print, game by game."""
    heads = {"tables": 8, "rounds": 8, "ended": 8, "broken off": 12, "moves": 10, "longest": 9, "seconds": 9}
    print(f"{'game':12}" + "".join(f"{head:>{width}}" for head, width in heads.items()), flush=True)
    for key in games:
        began = process_time()
        played = play_rounds(registry()[key], rounds, seed)
        ended = f"{played.finished:8}{played.broken_off:12}{played.moves:10}{played.most_moves:9}"
        seconds = process_time() - began
        print(f"{key:12}{len(played.tables):8}{played.rounds:8}{ended}{seconds:9.0f}", flush=True)


def print_refused(games: Sequence[str], wanted: int, seed: str) -> None:
    """Try and print, game by game, with the rules that were cited."""
    codes = ("illegal_move", "bad_move", "not_your_turn", "round_over", "match_over")
    print(f"{'game':12}" + "".join(f"{code:>14}" for code in codes) + f"{'seconds':>9}  rules cited", flush=True)
    for key in games:
        began = process_time()
        refused = try_illegal_moves(registry()[key], wanted, seed)
        numbers = "".join(f"{refused.codes[code]:14}" for code in codes)
        cited = ", ".join(f"{rule.partition('.')[2]} {times}" for rule, times in refused.rules.most_common())
        print(f"{key:12}{numbers}{process_time() - began:9.0f}  {cited}", flush=True)


def main() -> None:
    """Play and try, game by game; print two tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--illegal", type=int, default=100_000)
    parser.add_argument("--game", nargs="*", choices=sorted(registry()), default=sorted(registry()))
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    print_rounds(given.game, given.rounds, given.seed)
    print_refused(given.game, given.illegal, given.seed)


if __name__ == "__main__":
    main()
