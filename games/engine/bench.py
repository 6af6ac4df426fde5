"""Play a bot program against the five levels, without a network, and print its rating in each game.

``python -m games.engine.bench [--game kozel] [--matches 20] [--seed 1] PROGRAM [ARGUMENT ...]``

The program reads one JSON object a line, as on the stream of a match (docs/bots.md): ``slug``, ``version``, ``view``.
When ``view.to_move`` is ``view.seat``, it writes one line: ``{"version": VERSION, "move": MOVE}``. Matches are quick
duels. Each deal is played twice, with the seats exchanged. ``--levels`` measures the ratings of the levels instead.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from hashlib import sha256
from itertools import pairwise
from math import log2
from queue import Empty, SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Self

from games.bots import choose_move
from games.bots.levels import LEVELS, level_ratings
from games.engine.deal import bot_seed, shuffler
from games.engine.decide import apply_move, deal_round, new_match
from games.engine.evolve import evolve, start_state
from games.engine.options import LENGTH_OPTION, QUICK
from games.engine.refusal import Refusal
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.strength import MIDDLE_RATING, RATING_PER_DOUBLE, Rating, Score, estimate_ratings
from games.engine.variants import registry, rules_for
from games.engine.view import view_for
from games.engine.view_json import view_to_data

SEATS = 2
MOVE_SECONDS = 30.0  # the longest wait for a move
MIDDLE_LEVEL = "steady"
MAX_MOVES_OF_ROUND = 1000
PRIOR_DRAWS = 1.0  # drawn matches added against each opponent, so that a bot that wins them all has a rating

# Called after every change with the position, the seat, and whether it is its turn: then it returns the move.
Player = Callable[[State, int, bool], str]


class BenchError(Exception):
    """The program did not answer, or not with a legal move."""


class Program:
    """A bot program that reads positions and writes moves. Use it as a context manager."""

    def __init__(self, command: Sequence[str]) -> None:
        self.lines: SimpleQueue[str] = SimpleQueue()
        self.version = 0
        self.slug = ""
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603
        except OSError as error:
            raise BenchError(f"{command[0]} cannot be started: {error.strerror}") from error
        Thread(target=self._read_lines, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()

    def _read_lines(self) -> None:
        for line in self.process.stdout or ():
            self.lines.put(line)
        self.lines.put("")

    def move(self, state: State, seat: int, is_turn: bool) -> str:
        """Send the position and return the program's move on its turn. Raises ``BenchError``."""
        self.version += 1
        view = view_to_data(view_for(rules_for(state.setup.variant), state, seat))
        line = json.dumps({"slug": self.slug, "version": self.version, "view": view})
        try:
            print(line, file=self.process.stdin, flush=True)
        except BrokenPipeError:
            raise BenchError("The program has ended.") from None
        return self._answer() if is_turn else ""

    def _answer(self) -> str:
        try:
            line = self.lines.get(timeout=MOVE_SECONDS)
        except Empty:
            raise BenchError(f"The program did not move within {MOVE_SECONDS:.0f} seconds.") from None
        if not line:
            raise BenchError("The program has ended.")
        try:
            answer = json.loads(line)
            version, move = answer["version"], answer["move"]
        except (ValueError, TypeError, KeyError):
            raise BenchError(f'Expected {{"version": ..., "move": ...}}, not {line.strip()[:200]}') from None
        if version != self.version or not isinstance(move, str):
            raise BenchError(f"Expected a move for version {self.version}, not {line.strip()[:200]}")
        return move


def level_player(rules: Rules, level: str, seed: str) -> Player:
    """Return a bot of the site. The same ``seed`` gives the same choices."""
    key = deal_key(rules, f"{seed} {level}", 0)

    def move(state: State, seat: int, is_turn: bool) -> str:
        if not is_turn:
            return ""
        seed_of_move = bot_seed(key, seat, MAX_MOVES_OF_ROUND * state.round.number + len(state.round.moves))
        return choose_move(view_for(rules, state, seat), level, seed_of_move)

    return move


def play_match(rules: Rules, players: Sequence[Player], key: str) -> float:
    """Play a match and return the result of the first seat: 1, 0.5 or 0. The same ``key`` gives the same deals.

    Raises ``BenchError`` for an illegal move.
    """
    options = {LENGTH_OPTION.name: QUICK} if LENGTH_OPTION in rules.options else {}
    state = start_state(new_match(rules, SEATS, options))
    while not state.match_over:
        mover = state.round.to_move
        if mover is None:
            shuffle = shuffler(key, "", state.round.number + 1, nonces=(), count=len(rules.tile_set))
            state = reduce(evolve, deal_round(rules, state, shuffle), state)
        else:
            state = _make(rules, state, mover, players[mover](state, mover, True))
        for seat, player in enumerate(players):
            if seat != state.round.to_move:
                player(state, seat, False)
    first, second = state.match_over.places
    return 0.5 if first == second else float(first < second)


def _make(rules: Rules, state: State, seat: int, text: str) -> State:
    try:
        return apply_move(rules, state, seat, rules.parse_move(state, text))[1]
    except Refusal as refusal:
        rule = f" ({refusal.rule})" if refusal.rule else ""
        legal = ", ".join(map(rules.move_text, rules.legal_moves(state)))
        raise BenchError(f"{rules.key}: {text!r} is refused{rule}: {refusal.text} Legal moves: {legal}") from None


def play_pairs(rules: Rules, one: Player, other: Player, pairs: int, seed: str) -> Iterator[float]:
    """Yield the results of ``one``: two matches with the same deals for each pair, with the seats exchanged."""
    for number in range(pairs):
        key = deal_key(rules, seed, number)
        yield play_match(rules, (one, other), key)
        yield 1 - play_match(rules, (other, one), key)


def deal_key(rules: Rules, seed: str, number: int) -> str:
    return sha256(f"{rules.key} {seed} {number}".encode("utf-8", "surrogatepass")).hexdigest()


# Ratings


def estimate_rating(results: Mapping[float, Sequence[float]]) -> Rating:
    """Return the rating that explains best the results (1, 0.5, 0) against opponents with these ratings.

    >>> str(estimate_rating({1500.0: [1.0, 0.0] * 50}))
    '1500 ± 113'
    """
    scores = {
        ("program", str(rating)): Score(len(points) + PRIOR_DRAWS, sum(points) + PRIOR_DRAWS / 2)
        for rating, points in results.items()
    }
    return estimate_ratings(scores, {str(rating): rating for rating in results})["program"]


def measure_levels(rules: Rules, pairs: int, seed: str) -> dict[str, int]:
    """Return the ratings of the levels: neighbours play each other, and the differences add up."""
    ratings = {next(iter(LEVELS)): 0.0}
    for lower, higher in pairwise(LEVELS):
        scores = list(
            play_pairs(rules, level_player(rules, higher, seed), level_player(rules, lower, seed), pairs, seed)
        )
        share = (sum(scores) + PRIOR_DRAWS / 2) / (len(scores) + PRIOR_DRAWS)
        ratings[higher] = ratings[lower] + RATING_PER_DOUBLE * log2(share / (1 - share))
    shift = MIDDLE_RATING - ratings[MIDDLE_LEVEL]
    return {level: round(points + shift) for level, points in ratings.items()}


def rate_program(program: Program, rules: Rules, pairs: int, seed: str) -> Rating:
    """Play the program against each level, print the results, and return its rating."""
    results: dict[float, list[float]] = {}
    for level, rating in level_ratings(rules.key).items():
        program.slug = f"{rules.key}-{level}"
        scores = list(play_pairs(rules, program.move, level_player(rules, level, seed), pairs, seed))
        won, drawn = scores.count(1.0), scores.count(0.5)
        print(f"{rules.key} against {level}: {won} won, {drawn} drawn, {len(scores) - won - drawn} lost", flush=True)
        results.setdefault(rating, []).extend(scores)
    return estimate_rating(results)


def run(arguments: argparse.Namespace, variants: Sequence[Rules]) -> None:
    pairs = (arguments.matches + 1) // 2
    if arguments.levels:
        print(json.dumps({rules.key: measure_levels(rules, pairs, arguments.seed) for rules in variants}, indent=2))
        return
    with Program(arguments.program) as program:
        for rules in variants:
            print(f"{rules.key}: {rate_program(program, rules, pairs, arguments.seed)}", flush=True)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m games.engine.bench", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--game", choices=sorted(registry()), help="only this game")
    parser.add_argument("--matches", type=int, default=20, help="against each level in each game")
    parser.add_argument("--seed", default="1", help="another text gives other deals")
    parser.add_argument("--levels", action="store_true", help="measure the ratings of the levels")
    parser.add_argument("program", nargs=argparse.REMAINDER, help="the bot, with its arguments")
    arguments = parser.parse_args(words)
    if bool(arguments.program) == arguments.levels or arguments.matches < 1:
        parser.error("Give a program, or --levels; and at least one match.")
    try:
        run(arguments, [registry()[arguments.game]] if arguments.game else list(registry().values()))
    except BenchError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
