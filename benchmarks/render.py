"""What drawing a move costs in each game: CPU milliseconds and bytes of the frames after each move of whole rounds.

``python benchmarks/render.py [VARIANT ...] [--rounds 40] [--seed 1]``. A move is drawn for every seat of the fullest
table: the shared zones once, the own zones for each, from views that are ready. Every move is drawn for the first
time. Below that stand the largest board, and the bytes of the frames of a round that is over, and of what answers the
choice of a tile with its places; nobody is sent both these and the whole table.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import mean, median

sys.path.insert(0, str(Path(__file__).parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "domino_site.settings")

import django
from django.utils import translation

from games import rendering
from games.engine.decide import deal_round, make_move, new_match
from games.engine.evolve import evolve, start_state
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.variants import registry, rules_for
from games.engine.view import view_for
from games.match.table import Agreed, Person, Table, Timer
from games.rendering.changes import Frame
from games.rendering.hand import placements
from games.rendering.pieces import tile_name

NAMES = ("Masha", "Alexander the Great", "Ольга", "Serg")
COMMITMENT = "0f" * 32


@dataclass(frozen=True)
class Cost:
    """What one move cost: tiles on the table, ms of the shared zones, of all own ones, of comparing all frames with
    those before the move and of writing all whole frames, bytes of each of these and of what the move changed in it.
    """

    tiles: int
    shared: float
    own: float
    compared: float
    written: float
    frames: list[int]
    changes: list[int]

    @property
    def frame(self) -> float:
        """The ms of a whole frame, where all seats get one."""
        return self.shared + (self.own + self.written) / len(self.frames)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variants", nargs="*", metavar="VARIANT")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    django.setup()
    translation.activate("en")
    for key in arguments.variants or registry():
        measure(rules_for(key), Random(arguments.seed + 1), rounds=1)  # imports and caches what a site has
        costs = measure(rules_for(key), Random(arguments.seed), arguments.rounds)
        report(f"{key}: all moves", costs)
        largest = max(cost.tiles for cost in costs)
        report(f"{key}: {largest} tiles on the table", [cost for cost in costs if cost.tiles == largest])
        for state, sizes in rare_sizes(rules_for(key), Random(arguments.seed), arguments.rounds).items():
            print(f"{key}: {state}: {len(sizes)} frames, {mean(sizes):.0f} bytes (most {max(sizes)})", flush=True)


def positions(rules: Rules, random: Random, rounds: int) -> Iterator[State]:
    """Play rounds by random moves at the fullest table, and yield the state after each move."""
    count = len(rules.tile_set)
    start = start_state(new_match(rules, max(rules.seat_counts), {}))
    state = start
    while rounds:
        if state.match_over:
            state = start
        if state.round.to_move is None:
            rounds -= 1
            for event in deal_round(rules, state, lambda _: random.sample(range(count), count), commitment=COMMITMENT):
                state = evolve(state, event)
        move = random.choice(rules.legal_moves(state))
        assert state.round.to_move is not None
        _, state = make_move(rules, state, state.round.to_move, move)
        yield state


def measure(rules: Rules, random: Random, rounds: int) -> list[Cost]:
    """Draw after each move of a round that goes on."""
    costs: list[Cost] = []
    before: Sequence[Frame | None] = [None] * max(rules.seat_counts)
    for state in positions(rules, random, rounds):
        if state.round.to_move is not None:
            cost, before = drawn(rules, state, before)
            costs.append(cost)
    return costs


def rare_sizes(rules: Rules, random: Random, rounds: int) -> dict[str, list[int]]:
    """Return the bytes of frames that show a round that is over, and of the places of a chosen tile."""
    sizes: dict[str, list[int]] = {"a chosen tile": [], "a round over": []}
    for state in positions(rules, random, rounds):
        if state.round.to_move is not None:
            sizes["a chosen tile"] += choosing(rules, state)
        else:
            _cost, frames = drawn(rules, state, [None] * state.setup.seats)
            sizes["a round over"] += [len(frame.whole.encode()) for frame in frames]
    return sizes


def drawn(rules: Rules, state: State, before: Sequence[Frame | None]) -> tuple[Cost, list[Frame]]:
    views = [view_for(rules, state, seat) for seat in range(state.setup.seats)]
    table = table_of(state)
    begun = time.process_time()
    shared = rendering.shared(table, views[0])
    between = time.process_time()
    frames = [rendering.frame(table, view, shared_part=shared) for view in views]
    ended = time.process_time()
    changes = [frame.since(old) for frame, old in zip(frames, before, strict=True)]
    compared = time.process_time()
    whole = [frame.whole.encode() for frame in frames]
    written = time.process_time()
    cost = Cost(
        len(state.round.start) + len(state.round.plays),
        (between - begun) * 1000,
        (ended - between) * 1000,
        (compared - ended) * 1000,
        (written - compared) * 1000,
        [len(text) for text in whole],
        [len(text.encode()) for text in changes],
    )
    return cost, frames


def choosing(rules: Rules, state: State) -> list[int]:
    """Return the bytes that bring the places of a tile to its player, for each tile of the hand that has several."""
    view, table = view_for(rules, state, state.round.to_move), table_of(state)
    chosen = [tile_name(tile) for tile, plays in placements(view).items() if len(plays) > 1]
    shown = rendering.frame(table, view)
    return [len(rendering.frame(table, view, chosen=tile).since(shown).encode()) for tile in chosen]


def table_of(state: State) -> Table:
    people = tuple(
        Person(seat, name, "teal", "human", seat + 1, bank_ms=60_000 - len(state.round.moves))
        for seat, name in enumerate(NAMES[: state.setup.seats])
    )
    now = 1_800_000_000_000 + len(state.round.moves) * 4321
    return Table(
        match_id=1,
        slug="abcdefgh2345",
        agreed=Agreed(state.setup.variant, state.setup.options, True, "public", "fast"),
        people=people,
        status="running",
        commitment=COMMITMENT,
        host_id=1,
        version=len(state.round.moves),
        revision=len(state.round.moves),
        round=state.round.number,
        timer=Timer(15_000, now, now + 75_000, "timeout"),
    )


def report(name: str, costs: list[Cost]) -> None:
    sizes = [size for cost in costs for size in cost.frames]
    seats = len(costs[0].frames)
    shared, own = median(cost.shared for cost in costs), median(cost.own for cost in costs)
    times = sorted(cost.frame for cost in costs)
    compared, changes = median(cost.compared for cost in costs), [size for cost in costs for size in cost.changes]
    print(
        f"{name}: {len(costs)} moves; shared {shared:.3f} ms, own x {seats} {own:.3f} ms, a frame "
        f"{mean(times):.3f} ms (p99 {times[len(times) * 99 // 100]:.3f}) and {mean(sizes):.0f} bytes "
        f"(most {max(sizes)}); compared x {seats} "
        f"{compared:.3f} ms, changed {mean(changes):.0f} bytes (most {max(changes)})",
        flush=True,
    )


if __name__ == "__main__":
    main()
