"""CPU time of a move in every game, by events and in the simulation.

``python benchmarks/engine.py [--rounds 60] [--turns 10]`` plays random rounds with four seats, dealing and scoring
included. The games are measured in turn, so that other load on the machine affects all of them alike. Compare only
figures of the same run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.bots import deal_next_round, play_round
from games.engine.decide import new_match
from games.engine.evolve import start_state
from games.engine.rules import Rules
from games.engine.simulation.variants import simulate
from games.engine.state import State
from games.engine.variants import registry
from infrastructure.garbage import reduce_garbage_collections

SEATS = 4
WARM_UP_ROUNDS = 1000  # of each game, to fill the caches as in a running site
RANDOM = Random(1)


def deal_round(rules: Rules) -> State:
    return deal_next_round(rules, start_state(new_match(rules, SEATS, {})), RANDOM)


def play_by_events(rules: Rules) -> int:
    """Play one round as the site does and return its number of moves."""
    state = play_round(rules, deal_round(rules), lambda state: RANDOM.choice(rules.legal_moves(state)))
    return len(state.round.moves)


def play_simulated(rules: Rules) -> int:
    """Play one round as bots do when they think and return its number of moves."""
    game, moves = simulate(deal_round(rules)), 0
    while not game.over:
        game.make_move(RANDOM.choice(game.moves()))
        moves += 1
    return moves


def microseconds_per_move(play: Callable[[Rules], int], rules: Rules, rounds: int) -> float:
    begin = process_time()
    moves = sum(play(rules) for _ in range(rounds))
    return (process_time() - begin) / moves * 1e6


def print_costs(name: str, play: Callable[[Rules], int], rounds: int, turns: int) -> None:
    """Print the median cost of a move in each game, and its ratio to Kozel."""
    for rules in registry().values():
        microseconds_per_move(play, rules, WARM_UP_ROUNDS)
    costs: dict[str, list[float]] = {key: [] for key in registry()}
    for _ in range(turns):
        for key, rules in registry().items():
            costs[key].append(microseconds_per_move(play, rules, rounds))
    for key, values in costs.items():
        ratio = median(value / kozel for value, kozel in zip(values, costs["kozel"], strict=True))
        print(f"{key + ', ' + name:24} {median(values):8.1f} µs    {ratio:.1f} times Kozel", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=60, help="of each game in a turn")
    parser.add_argument("--turns", type=int, default=10)
    options = parser.parse_args()
    reduce_garbage_collections()
    print_costs("by events", play_by_events, options.rounds, options.turns)
    print_costs("simulated", play_simulated, options.rounds, options.turns)


if __name__ == "__main__":
    main()
