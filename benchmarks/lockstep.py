"""The simulations held to the rules: both play the same random moves, and must agree on everything.

``python benchmarks/lockstep.py [VARIANT] [--moves 100000] [--seed 1]``. The rounds are those of whole matches,
over all seat counts and options in turn. Whatever a simulation says is compared at every position: hands, boneyard,
score, legal moves, what each of them scores, the end of the round and of the match. One simulation plays the round
from the lead on; another begins at each position, as a bot's does.
"""

from __future__ import annotations

import argparse
import sys
from itertools import cycle
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from games.engine.decide import advance, deal_round, new_match
from games.engine.evolve import evolve, start_state
from games.engine.rules import Rules
from games.engine.simulation.simulation import Simulation
from games.engine.simulation.variants import SIMULATIONS, simulated
from games.engine.state import State
from games.engine.variants import rules_for
from tests.engine.matches import tables

ROUNDS = 8
"""As many rounds are played of a match at most: where scores may sink, random play need not end."""


def lockstep(rules: Rules, moves: int, seed: str) -> int:
    """Compare so many random moves and the rest of a match. Return how many; a difference is an ``AssertionError``."""
    random, made = Random(seed), 0
    chosen = tables(rules)
    random.shuffle(chosen)
    for seats, options in cycle(chosen):
        state = start_state(new_match(rules, seats, options))
        while not state.match_over and state.round.number < ROUNDS and made < moves:
            state = dealt(rules, state, random)
            state = played(rules, state, random)
            made += len(state.round.moves)
        if made >= moves:
            break
    return made


def dealt(rules: Rules, state: State, random: Random) -> State:
    """Return the state after the next deal."""
    size = len(rules.tile_set)
    for event in deal_round(rules, state, lambda _attempt: random.sample(range(size), size)):
        state = evolve(state, event)
    return state


def played(rules: Rules, state: State, random: Random) -> State:
    """Return the state after a random round in which all have agreed on each move."""
    whole = simulated(state)
    while state.round.to_move is not None:
        fresh = simulated(state)
        for each in (whole, fresh):
            compare(rules, state, each)
        move = random.choice(rules.legal_moves(state))
        _, state = advance(rules, state, state.round.to_move, move)
        for each in (whole, fresh):
            each.make(*each.numbered([move]))
            compare_seats(state, each)
    for each in (whole, fresh):
        ended = each.ended()
        assert ended.match_over == state.match_over
        assert ended.standing == state.standing
        assert ended.rounds[-1].reason == state.rounds[-1].reason
    return state


def compare(rules: Rules, state: State, simulation: Simulation) -> None:
    """Compare what may be done, and what it scores."""
    legal, numbers = rules.legal_moves(state), simulation.moves()
    assert sorted(map(repr, map(simulation.move, numbers))) == sorted(map(repr, legal))
    assert simulation.numbered(map(simulation.move, numbers)) == list(numbers)
    for move, number in zip(legal, simulation.numbered(legal), strict=True):
        assert simulation.points(number) == rules.move_points(state, move).total


def compare_seats(state: State, simulation: Simulation) -> None:
    """Compare what everybody holds, the score and whose turn it is."""
    assert (None if simulation.over else simulation.to_move) == state.round.to_move
    assert [sorted(simulation.tiles_of(held)) for held in simulation.hands] == list(map(sorted, state.hands))
    assert simulation.drawing_order() == state.boneyard
    assert tuple(simulation.standing) == state.standing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variant", nargs="?", choices=sorted(SIMULATIONS))
    parser.add_argument("--moves", type=int, default=100_000)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    for key in [given.variant] if given.variant else sorted(SIMULATIONS):
        print(f"{key}: {lockstep(rules_for(key), given.moves, given.seed):,} moves agree", flush=True)


if __name__ == "__main__":
    main()
