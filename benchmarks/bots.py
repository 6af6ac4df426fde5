"""The strength and thinking time of the strongest bot of each variant.

``python benchmarks/bots.py [VARIANT] [NAME=CHOICE ...] [--rounds 1000] [--seats 2] [--seed 1]`` plays matches against
random play, with the bot in each seat in turn. The bot wins a round if its side scores more in it than any other, or
less where points are bad. The output has the share of won rounds with its 95 % interval.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice, product
from math import sqrt
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from games.bots import bot_for_variant, choose_move
from games.bots.levels import LEVELS
from games.bots.outcomes import points_in_round
from games.engine.decide import apply_move, deal_round, new_match
from games.engine.evolve import evolve, start_state
from games.engine.moves import Move
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.variants import registry
from games.engine.view import view_for

STRONGEST_LEVEL = tuple(LEVELS)[-1]

MoveChooser = Callable[[State], Move]


@dataclass(slots=True)
class Tally:
    """Results of rounds, and the CPU seconds of each choice between several moves."""

    won: int = 0
    lost: int = 0
    drawn: int = 0
    seconds: list[float] = field(default_factory=list)

    @property
    def rounds(self) -> int:
        return self.won + self.lost + self.drawn

    @property
    def win_share(self) -> float:
        return self.won / self.rounds

    @property
    def win_interval(self) -> tuple[float, float]:
        """The 95 % interval of the share (Wilson)."""
        rounds, square = self.rounds, 1.96**2
        middle = (self.win_share + square / (2 * rounds)) / (1 + square / rounds)
        variance = self.win_share * (1 - self.win_share) / rounds + square / (4 * rounds * rounds)
        spread = sqrt(variance) * 1.96 / (1 + square / rounds)
        return middle - spread, middle + spread


def seat_results(rules: Rules, options: Mapping[str, str], seed: str, tally: Tally, seats: int = 2) -> Iterator[int]:
    """Yield 1 for each round that the bot wins, -1 for each that random play wins, and 0 for draws."""
    better = -1 if bot_for_variant(rules.key).is_low_better else 1
    for own_side, gains in play_rounds(rules, options, Random(seed), tally, seats):
        own = better * gains[own_side]
        best_other = max(better * gain for side, gain in enumerate(gains) if side != own_side)
        yield (own > best_other) - (own < best_other)


def play_rounds(
    rules: Rules, options: Mapping[str, str], random: Random, tally: Tally, seats: int
) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield the side of the bot and what each side scored in each round, match after match."""

    def choose_move(state: State) -> Move:
        moves = rules.legal_moves(state)
        if state.round.to_move != bot or len(moves) == 1:
            return random.choice(moves)
        return choose_timed(rules, state, random, tally.seconds)

    for number in count():
        bot = number % seats
        state = start_state(new_match(rules, seats, options))
        while not state.match_over:
            dealt = deal_next_round(rules, state, random)
            state = play_round(rules, dealt, choose_move)
            yield state.setup.sides[bot], points_in_round(dealt.standing, state.rounds[-1])


def choose_timed(rules: Rules, state: State, random: Random, seconds: list[float]) -> Move:
    """Return the choice of the strongest bot and append its CPU seconds."""
    view = view_for(rules, state, state.round.to_move)
    begin = time.process_time()
    text = choose_move(view, STRONGEST_LEVEL, random.randrange(1 << 30))
    seconds.append(time.process_time() - begin)
    return rules.parse_move(state, text)


def deal_next_round(rules: Rules, state: State, random: Random) -> State:
    """Return the state after the next deal, void deals included."""
    size = len(rules.tile_set)
    for event in deal_round(rules, state, lambda _attempt: random.sample(range(size), size)):
        state = evolve(state, event)
    return state


def play_round(rules: Rules, state: State, choose_move: MoveChooser) -> State:
    """Return the state after the round."""
    while state.round.to_move is not None:
        _, state = apply_move(rules, state, state.round.to_move, choose_move(state))
    return state


def matching_options(rules: Rules, seats: int, fixed: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield the options of every table that agrees with the fixed choices."""
    free = [option for option in rules.options if not option.seats or seats in option.seats]
    for choices in product(*(option.choices for option in free)):
        options = {option.name: choice for option, choice in zip(free, choices, strict=True)}
        if all(options.get(name) == choice for name, choice in fixed.items()):
            yield options


def print_tally(rules: Rules, seats: int, options: Mapping[str, str], tally: Tally) -> None:
    low, high = tally.win_interval
    options_text = " ".join(f"{name}={choice}" for name, choice in options.items())
    times = [1000 * seconds for seconds in sorted(tally.seconds)]
    mean, p99 = sum(times) / len(times), times[int(0.99 * len(times))]
    print(
        f"{rules.key} {seats} seats {options_text}: won {tally.won}, lost {tally.lost}, drawn {tally.drawn} "
        f"({tally.win_share:.1%} won, {low:.1%} to {high:.1%}); "
        f"CPU of a choice: mean {mean:.1f} ms, p99 {p99:.1f} ms, most {times[-1]:.1f} ms",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variant", nargs="?", choices=sorted(registry()))
    parser.add_argument("option", nargs="*", metavar="NAME=CHOICE", help="only tables with this choice")
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seats", type=int)
    parser.add_argument("--seed", default="1")
    arguments = parser.parse_args()
    fixed = dict(choice.split("=", 1) for choice in arguments.option)
    for rules in [registry()[arguments.variant]] if arguments.variant else registry().values():
        for seats in [arguments.seats] if arguments.seats else [2, 4]:
            for options in matching_options(rules, seats, fixed):
                tally = Tally()
                for result in islice(seat_results(rules, options, arguments.seed, tally, seats), arguments.rounds):
                    tally.won += result > 0
                    tally.lost += result < 0
                    tally.drawn += result == 0
                print_tally(rules, seats, options, tally)


if __name__ == "__main__":
    main()
