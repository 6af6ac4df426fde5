"""How fast the engine is: random rounds per CPU second beside two packages, every game, and a move by part.

``python benchmarks/engine.py [--seconds 3]``. All play four-seat block games of 28 tiles, seven a hand, by uniformly
random legal moves, from the shuffle to the score; the engine twice, by events as the site does, and in the simulation
in which bots think. They take turns every tenth of the time. Figures are CPU time of this process, so a busy machine
matters little; still, compare within one run only.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from statistics import median
from time import process_time

import open_spiel.python.games  # noqa: F401 (registers the Python games)
import pyspiel

try:
    import dominoes
except ImportError:
    dominoes = None

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from games.engine.decide import deal_round, make_move, new_match  # noqa: E402
from games.engine.events import Event  # noqa: E402
from games.engine.evolve import evolve, start_state  # noqa: E402
from games.engine.notation import event_from_json, event_to_json  # noqa: E402
from games.engine.rules import Rules  # noqa: E402
from games.engine.simulation.variants import simulated  # noqa: E402
from games.engine.state import State  # noqa: E402
from games.engine.variants import registry, rules_for  # noqa: E402
from games.engine.view import view_for  # noqa: E402
from infrastructure.garbage import search_seldom  # noqa: E402

KOZEL = rules_for("kozel")
SLICES = 10
FILLING = 1000
"""So many rounds of each game come first: a process that serves has seen most of what is kept."""


@cache
def start(rules: Rules, seats: int) -> State:
    """Return a match before its first deal."""
    return start_state(new_match(rules, seats, {}))


def dealt(rules: Rules, seats: int = 4) -> State:
    """Return a round just dealt, void deals included."""
    size, state = len(rules.tile_set), start(rules, seats)
    for event in deal_round(rules, state, lambda _attempt: random.sample(range(size), size)):
        state = evolve(state, event)
    return state


def played(rules: Rules) -> int:
    """Play one round by events, scoring included. Return its moves."""
    state = dealt(rules)
    while state.round.to_move is not None:
        _, state = make_move(rules, state, state.round.to_move, random.choice(rules.legal_moves(state)))
    return len(state.round.moves)


def simulated_round(rules: Rules) -> int:
    """Play one round in the simulation, scoring included. Return its moves."""
    game, moves = simulated(dealt(rules)), 0
    while not game.over:
        game.make(random.choice(game.moves()))
        moves += 1
    return moves


def dominoes_round() -> None:
    """Play one game of the package ``dominoes``."""
    game = dominoes.Game.new()
    while game.result is None:
        game.make_move(*random.choice(game.valid_moves))


def spiel_round(name: str) -> Callable[[], None]:
    """Return one round of an OpenSpiel game."""
    game = pyspiel.load_game(name)

    def play() -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, _ = zip(*state.chance_outcomes(), strict=True)
            else:
                actions = state.legal_actions()
            state.apply_action(random.choice(actions))

    return play


def rounds_per_second(plays: Mapping[str, Callable[[], object]], seconds: float) -> dict[str, float]:
    """Return rounds per CPU second of each, in turn for a tenth of the time."""
    rounds: Counter[str] = Counter()
    spent = dict.fromkeys(plays, 0.0)
    for _ in range(SLICES):
        for name, play in plays.items():
            begin = process_time()
            while process_time() - begin < seconds / SLICES:
                play()
                rounds[name] += 1
            spent[name] += process_time() - begin
    return {name: rounds[name] / spent[name] for name in plays}


def print_games(rounds: int) -> None:
    """Print what a move of each game costs, dealing and scoring included, and how that compares with Kozel.

    The games take turns, after rounds that fill their caches. Medians of all turns.
    """
    search_seldom()  # as a process that serves does
    for name, play in (("by events", played), ("simulated", simulated_round)):
        costs = {key: list[float]() for key in registry()}
        for rules in registry().values():
            for _ in range(FILLING):
                play(rules)
        for _ in range(SLICES):
            for key, rules in registry().items():
                begin = process_time()
                moves = sum(play(rules) for _ in range(rounds))
                costs[key].append((process_time() - begin) / moves * 1e6)
        for key, found in costs.items():
            ratios = [cost / kozel for cost, kozel in zip(found, costs["kozel"], strict=True)]
            print(f"{key + ', ' + name:32} {median(found):8.1f} µs    {median(ratios):.1f} times Kozel's")


def sample() -> tuple[list[tuple[State, Event]], list[State]]:
    """Return the moves of 200 rounds with the state each was made in, and all states."""
    made: list[tuple[State, Event]] = []
    for _ in range(200):
        state = dealt(KOZEL)
        while state.round.to_move is not None:
            events, after = make_move(KOZEL, state, state.round.to_move, random.choice(KOZEL.legal_moves(state)))
            made.append((state, events[0]))
            state = after
    return made, [state for state, _ in made]


def microseconds(work: Callable[[], object], count: int, repeat: int = 5) -> float:
    """Return the CPU time of one of ``count`` pieces of work, the best of several runs."""
    best = float("inf")
    for _ in range(repeat):
        begin = process_time()
        work()
        best = min(best, process_time() - begin)
    return best / count * 1e6


def print_parts() -> None:
    """Print what each part of a move costs."""
    made, states = sample()
    moves = [(state, state.round.to_move or 0, KOZEL.legal_moves(state)[0]) for state in states]
    texts = [KOZEL.move_text(move) for _, _, move in moves]
    data = [event_to_json(event) for _, event in made]

    def decided() -> None:
        for state, seat, move in moves:
            make_move(KOZEL, state, seat, move)

    parts: dict[str, Callable[[], object]] = {
        "parse_move": lambda: [KOZEL.parse_move(state, text) for state, text in zip(states, texts, strict=True)],
        "make_move": decided,
        "view_for (to move)": lambda: [view_for(KOZEL, state, state.round.to_move) for state in states],
        "view_for (spectator)": lambda: [view_for(KOZEL, state, None) for state in states],
        "event_to_json": lambda: [event_to_json(event) for _, event in made],
        "event_from_json": lambda: [event_from_json(*each) for each in data],
    }
    for name, work in parts.items():
        print(f"{name:32} {microseconds(work, len(states)):8.1f} µs")


def main() -> None:
    """Print rounds per CPU second and the ratios, then the parts of a move."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=3)
    seconds = parser.parse_args().seconds
    random.seed(1)
    games: dict[str, Callable[[], object]] = {
        "games.engine, by events": lambda: played(KOZEL),
        "games.engine, simulated": lambda: simulated_round(KOZEL),
        "open_spiel python_team_dominoes": spiel_round("python_team_dominoes"),
    }
    if dominoes is None:
        print("The package dominoes is not installed, so nothing is compared with it.")
    else:
        games["dominoes"] = dominoes_round
    speeds = rounds_per_second(games, seconds)
    events, simulations = list(speeds.values())[:2]
    print("Random rounds of Kozel per CPU second, four seats")
    for name, speed in speeds.items():
        print(
            f"{name:32} {speed:8.0f}    by events {events / speed:.2f}, simulated {simulations / speed:.2f} times that"
        )
    print("One move of each game, four seats, CPU time")
    print_games(int(20 * seconds))
    print("One move of Kozel, CPU time")
    print_parts()


if __name__ == "__main__":
    main()
