"""How many minutes matches last, reckoned from matches of bots at the pace of people: nobody waits.

``python benchmarks/minutes.py [VARIANT] [--length quick] [--seats 4] [--matches 1000] [--thinking] [--seed 1]`` plays
whole matches of every game, length and number of players and prints the median and the quartiles of their minutes,
beside what the site says (``games/words/length.py``). A tile that is played or drawn takes ``MOVE`` seconds in the
mean; a pass that is forced is made by the site. By default the bots think a quarter as long as on the site, which
makes matches no shorter or longer; ``--thinking`` lets them think as there, to show just that on a sample. Without any
thought (their rollout policy) matches of the goat games last nearly half as long again.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import quantiles

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.bots import dealt_round, played_round, thought
from games.bots import player_of
from games.engine.decide import new_match
from games.engine.evolve import start_state
from games.engine.moves import Move
from games.engine.options import LENGTH
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.variants import registry, rules_for
from games.words.length import MINUTES

MOVE, FORCED_PASS, PAUSE = 4.0, 1.0, 10.0
"""Seconds: a move of a person in the mean; a pass made by the site; the pause between rounds until all are ready."""
LIGHT = 4
"""By what the thought of the bots is divided."""
SAMPLES = 20
"""Pieces of work for each row, so that all processes are busy to the end."""


def minutes(rules: Rules, seats: int, length: str, random: Random) -> float:
    """Return how long one match lasts."""

    def chosen(state: State) -> Move:
        return thought(rules, state, random, [])

    seconds = 0.0
    options = {LENGTH.name: length} if LENGTH in rules.options else {}
    state = start_state(new_match(rules, seats, options))
    while not state.match_over:
        state = played_round(rules, dealt_round(rules, state, random), chosen)
        passes = sum(move.act == "pass" for move in state.round.moves)
        seconds += PAUSE + passes * FORCED_PASS + (len(state.round.moves) - passes) * MOVE
    return (seconds - PAUSE) / 60


def sample(variant: str, seats: int, length: str, *, matches: int, seed: str, thinking: bool) -> list[float]:
    """Return how long so many matches last; called in another process."""
    random, player = Random(seed), player_of(variant)
    if not thinking:
        vars(player)["playouts"] = type(player).playouts // LIGHT
    return [minutes(rules_for(variant), seats, length, random) for _ in range(matches)]


def measured(
    pool: ProcessPoolExecutor, variant: str, seats: int, length: str, given: argparse.Namespace
) -> list[float]:
    """Return how long the matches of one row last."""
    sizes = [given.matches // SAMPLES + (number < given.matches % SAMPLES) for number in range(SAMPLES)]
    work = [
        pool.submit(
            sample, variant, seats, length, matches=size, seed=f"{given.seed} {number}", thinking=given.thinking
        )
        for number, size in enumerate(sizes)
    ]
    return [found for each in work for found in each.result()]


def said(variant: str, length: str, seats: int) -> int | None:
    """Return the minutes that the site says."""
    return MINUTES.get(variant, {}).get(length, {}).get(seats)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variant", nargs="?", choices=sorted(registry()))
    parser.add_argument("--length", choices=LENGTH.choices)
    parser.add_argument("--seats", type=int)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--thinking", action="store_true", help="as long as on the site")
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        for rules in [rules_for(given.variant)] if given.variant else registry().values():
            lengths = LENGTH.choices if LENGTH in rules.options else (LENGTH.default,)
            for length in [given.length] if given.length else lengths:
                for seats in [given.seats] if given.seats else rules.seat_counts:
                    low, middle, high = quantiles(measured(pool, rules.key, seats, length, given), n=4)
                    print(
                        f"{rules.key:<11}{length:<6}{seats} players: median {middle:5.1f} min, "
                        f"quartiles {low:.1f} and {high:.1f}; the site says {said(rules.key, length, seats)}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
