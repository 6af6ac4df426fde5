"""How well each variant's player plays: rounds won against random play, and the time of a choice.

``python benchmarks/bots.py [--rounds 1000] [--seed 1]``. A round is won by fewer points than the opponent got in it
(more, where points are good); the player sits in seat 0 and seat 1 in turn, whole matches are played.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, islice, product
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from games.bots import choose, player_of
from games.engine.decide import deal_round, decide, new_match
from games.engine.events import Event, RoundEnded
from games.engine.evolve import evolve, start_state
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.view import view_for
from games.words import offered


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
        return self.won / (self.won + self.lost + self.neither)


def contest(rules: Rules, options: Mapping[str, str], *, rounds: int, seed: str) -> Tally:
    """Play rounds of two-seat matches, player against random."""
    tally = Tally()
    low_wins = player_of(rules.key).low_wins
    for seat, event in islice(ended_rounds(rules, options, Random(seed), tally), rounds):
        own, other = event.points[seat].total, event.points[1 - seat].total
        if own == other:
            tally.neither += 1
        elif (own < other) is low_wins:
            tally.won += 1
        else:
            tally.lost += 1
    return tally


def ended_rounds(
    rules: Rules, options: Mapping[str, str], random: Random, tally: Tally
) -> Iterator[tuple[int, RoundEnded]]:
    """Yield the player's seat and the end of each round, match after match, the seats alternating."""
    for number in count():
        player = number % 2
        state = start_state(new_match(rules, 2, options))
        while not state.match_over:
            for event in next_events(rules, state, player, random, tally):
                state = evolve(state, event)
                if isinstance(event, RoundEnded):
                    yield player, event


def next_events(rules: Rules, state: State, player: int, random: Random, tally: Tally) -> tuple[Event, ...]:
    """Deal where no round runs; else let the seat to move choose: the player, or chance."""
    if state.to_move is None:
        size = len(rules.tile_set)
        return deal_round(rules, state, lambda _attempt: random.sample(range(size), size))
    moves = rules.legal_moves(state)
    move = random.choice(moves)
    if state.to_move == player and len(moves) > 1:
        view = view_for(rules, state, player)
        began = time.process_time()
        text = choose(view, random.randrange(1 << 30))
        tally.seconds.append(time.process_time() - began)
        move = rules.parse_move(state, text)
    return decide(rules, state, state.to_move, move)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    for rules in offered().values():
        names = [option.name for option in rules.options]
        for choices in product(*(option.choices for option in rules.options)):
            options = dict(zip(names, choices, strict=True))
            report(rules, options, contest(rules, options, rounds=given.rounds, seed=given.seed))


def report(rules: Rules, options: Mapping[str, str], tally: Tally) -> None:
    times = sorted(tally.seconds)
    chosen = " ".join(f"{name}={choice}" for name, choice in options.items())
    print(
        f"{rules.key} {chosen}: won {tally.won}, lost {tally.lost}, neither {tally.neither} ({tally.share:.1%} won); "
        f"choice of a move, CPU: mean {1000 * sum(times) / len(times):.1f} ms, "
        f"p99 {1000 * times[int(0.99 * len(times))]:.1f} ms"
    )


if __name__ == "__main__":
    main()
