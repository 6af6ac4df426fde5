"""How well each variant's player plays and how long it thinks; how long whole matches of it are.

``python benchmarks/bots.py [VARIANT] [NAME=CHOICE ...] [--rounds 1000] [--seats 2] [--seed 1] [--pairs]``: matches of
two or four against random play, the strongest level in each seat in turn. A round is won by the player if its side got
more in it, everything together, than any other (less, where points are bad). With ``--pairs`` two players sit
opposite each other among four, and a round is won if they got more together than the other two. Shares come with
their 95 % interval; Ctrl-C cuts a row short. ``... --matches 1000 [--rollout]`` lets players sit on all
seats, for every seat count, and counts hands and moves; with ``--rollout`` they play without thinking ahead, in a
tenth of the time.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count, islice, product
from math import sqrt
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from games.bots import choose, player_of
from games.bots.levels import LEVELS
from games.engine.decide import deal_round, make_move, new_match
from games.engine.events import Event
from games.engine.evolve import evolve, start_state
from games.engine.moves import Move
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.variants import registry
from games.engine.view import view_for
from games.match_reports.luck import gained_by

STRONGEST = tuple(LEVELS)[-1]
MOST_HANDS = 1000
"""A match that is not over after so many is said not to end."""

Chooser = Callable[[State], Move]


@dataclass(slots=True)
class Tally:
    """Rounds won, lost and neither; seconds of processor time of each choice that was one."""

    won: int = 0
    lost: int = 0
    neither: int = 0
    seconds: list[float] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of all rounds that were won."""
        return self.won / self.rounds

    @property
    def rounds(self) -> int:
        """How many there were."""
        return self.won + self.lost + self.neither

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share lies with 95 % certainty (Wilson)."""
        count, square = self.rounds, 1.96**2
        middle = (self.share + square / (2 * count)) / (1 + square / count)
        spread = (
            sqrt(self.share * (1 - self.share) / count + square / (4 * count * count)) * 1.96 / (1 + square / count)
        )
        return middle - spread, middle + spread


@dataclass(slots=True)
class Length:
    """The hands and moves of a match, whether it ended, and the seconds of each choice that was one."""

    hands: int = 0
    moves: int = 0
    ended: bool = False
    seconds: list[float] = field(default_factory=list)


def contest(
    rules: Rules, options: Mapping[str, str], *, seats: int, rounds: int, seed: str, pairs: bool = False
) -> Tally:
    """Play rounds of matches, one player, or two who sit opposite, against random."""
    tally = Tally()
    with suppress(KeyboardInterrupt):
        for result in islice(results(rules, options, seed, tally, seats, pairs=pairs), rounds):
            tally.won += result > 0
            tally.lost += result < 0
            tally.neither += result == 0
    return tally


def results(
    rules: Rules, options: Mapping[str, str], seed: str, tally: Tally, seats: int = 2, *, pairs: bool = False
) -> Iterator[int]:
    """Yield for each round 1 if the players won it, -1 if random play did, 0 if neither."""
    better = -1 if player_of(rules.key).low_wins else 1
    for sides, gained in gains(rules, options, Random(seed), tally, seats, pairs=pairs):
        own = sum(better * gained[side] for side in sides)
        rest = [better * each for side, each in enumerate(gained) if side not in sides]
        others = sum(rest) if pairs else max(rest)
        yield (own > others) - (own < others)


def gains(
    rules: Rules, options: Mapping[str, str], random: Random, tally: Tally, seats: int, *, pairs: bool = False
) -> Iterator[tuple[set[int], tuple[int, ...]]]:
    """Yield the players' sides and what each side got in each round, match after match, the seats in turn."""

    def chosen(state: State) -> Move:
        moves = rules.legal_moves(state)
        if state.round.to_move not in players or len(moves) == 1:
            return random.choice(moves)
        return thought(rules, state, random, tally.seconds)

    for number in count():
        players = {number % seats, (number + seats // 2) % seats} if pairs else {number % seats}
        state = start_state(new_match(rules, seats, options))
        while not state.match_over:
            dealt = state = dealt_round(rules, state, random)
            state = played_round(rules, state, chosen)
            yield {state.setup.sides[player] for player in players}, gained(dealt, state)


def gained(dealt: State, ended: State) -> tuple[int, ...]:
    """Return what each side got in a round: by its moves, and at its end."""
    return tuple(gained_by(dealt.standing, ended.rounds[-1]))


def thought(rules: Rules, state: State, random: Random, seconds: list[float], level: str = STRONGEST) -> Move:
    """Return the move of the player on the seat to move, and write down how long it thought if it had a choice."""
    view = view_for(rules, state, state.round.to_move)
    began = time.process_time()
    text = choose(view, level, random.randrange(1 << 30))
    if len(view.legal) > 1:
        seconds.append(time.process_time() - began)
    return rules.parse_move(state, text)


def dealt_round(rules: Rules, state: State, random: Random) -> State:
    """Return the state after the next deal."""
    size = len(rules.tile_set)
    return applied(state, deal_round(rules, state, lambda _attempt: random.sample(range(size), size)))


def played_round(rules: Rules, state: State, chosen: Chooser) -> State:
    """Return the state after the round."""
    while state.round.to_move is not None:
        _, state = make_move(rules, state, state.round.to_move, chosen(state))
    return state


def applied(state: State, events: tuple[Event, ...]) -> State:
    for event in events:
        state = evolve(state, event)
    return state


def length(rules: Rules, seats: int, options: Mapping[str, str], random: Random, *, rollout: bool) -> Length:
    """Play one match with players on all seats."""
    player = player_of(rules.key)

    def chosen(state: State) -> Move:
        if rollout and state.round.to_move is not None:
            game = player.simulation(state)
            number: int = player.rollout_move(game, random)
            move: Move = game.move(number)
            return move
        return thought(rules, state, random, found.seconds)

    found = Length()
    state = start_state(new_match(rules, seats, options))
    while not state.match_over and found.hands < MOST_HANDS:
        found.hands += 1
        state = played_round(rules, dealt_round(rules, state, random), chosen)
        found.moves += len(state.round.moves)
    found.ended = state.match_over is not None
    return found


def chosen_options(rules: Rules, seats: int, fixed: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield every choice of the options that such a match has and that are not fixed."""
    free = [option for option in rules.options if not option.seats or seats in option.seats]
    for choices in product(*(option.choices for option in free)):
        options = {option.name: choice for option, choice in zip(free, choices, strict=True)}
        if all(options.get(name) == choice for name, choice in fixed.items()):
            yield options


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variant", nargs="?", choices=sorted(registry()))
    parser.add_argument("option", nargs="*", metavar="NAME=CHOICE", help="only tables with this choice")
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--matches", type=int, help="whole matches in place of rounds against random play")
    parser.add_argument("--rollout", action="store_true", help="in whole matches nobody thinks ahead")
    parser.add_argument("--seats", type=int, help="only matches of so many")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--pairs", action="store_true", help="two players who sit opposite, at tables of four")
    given = parser.parse_args()
    fixed = dict(each.split("=", 1) for each in given.option)
    for rules in [registry()[given.variant]] if given.variant else registry().values():
        if not given.matches:
            for seats in [given.seats] if given.seats else (4,) if given.pairs else (2, 4):
                for options in chosen_options(rules, seats, fixed):
                    fair = {"rounds": given.rounds, "seed": given.seed, "pairs": given.pairs}
                    tally = contest(rules, options, seats=seats, **fair)
                    report(rules, seats, options, tally)
            continue
        for seats in [given.seats] if given.seats else rules.seat_counts:
            for options in chosen_options(rules, seats, fixed):
                random = Random(given.seed)
                found = [length(rules, seats, options, random, rollout=given.rollout) for _ in range(given.matches)]
                report_lengths(rules, seats, options, found)


def written(options: Mapping[str, str]) -> str:
    return " ".join(f"{name}={choice}" for name, choice in options.items())


def report(rules: Rules, seats: int, options: Mapping[str, str], tally: Tally) -> None:
    low, high = tally.interval
    print(
        f"{rules.key} {seats} seats {written(options)}: won {tally.won}, lost {tally.lost}, neither {tally.neither} "
        f"({tally.share:.1%} won, {low:.1%} to {high:.1%}){timed(tally.seconds)}",
        flush=True,
    )


def report_lengths(rules: Rules, seats: int, options: Mapping[str, str], found: list[Length]) -> None:
    print(
        f"{rules.key} {seats} seats {written(options)}: {sum(each.ended for each in found)} of {len(found)} ended; "
        f"hands {spread(each.hands for each in found)}; moves {spread(each.moves for each in found)}"
        f"{timed(second for each in found for second in each.seconds)}",
        flush=True,
    )


def timed(seconds: Iterable[float]) -> str:
    """Write how long choices took, nothing if there was none."""
    times = [1000 * each for each in sorted(seconds)]
    if not times:
        return ""
    mean, high = sum(times) / len(times), times[int(0.99 * len(times))]
    return f"; choice of a move, CPU: mean {mean:.1f} ms, p99 {high:.1f} ms, most {times[-1]:.1f} ms"


def spread(values: Iterable[int]) -> str:
    """Write the median, the 90th percentile and the most of some numbers."""
    rising = sorted(values)
    return f"median {rising[len(rising) // 2]}, p90 {rising[int(0.9 * len(rising))]}, most {rising[-1]}"


if __name__ == "__main__":
    main()
