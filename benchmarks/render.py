"""What drawing a move costs: CPU milliseconds and bytes of the frames after each move of whole rounds.

``python benchmarks/render.py [--rounds 40] [--seed 1]``. A move of a four-seat match is drawn for four seats: the
shared zones once, the own zones four times, from views that are ready. Every move is drawn for the first time.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from random import Random
from statistics import mean, median

sys.path.insert(0, str(Path(__file__).parent.parent))

import django
from django.utils import translation

from games import rendering
from games.engine.decide import deal_round, decide, new_match
from games.engine.evolve import evolve, start_state
from games.engine.state import State
from games.engine.variants import rules_for
from games.engine.view import view_for
from games.table import Person, Table

SEATS = 4
NAMES = ("Masha", "Alexander the Great", "Ольга", "Serg")
COMMITMENT = "0f" * 32


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "domino_site.settings")
    django.setup()
    translation.activate("en")
    costs = measure(Random(arguments.seed), arguments.rounds)
    report("all moves", costs)
    longest = max(tiles for tiles, *_ in costs)
    report(f"{longest} tiles on the table", [cost for cost in costs if cost[0] == longest])


def measure(random: Random, rounds: int) -> list[tuple[int, float, float, list[int]]]:
    """Return for each move: tiles on the table, ms of the shared zones, ms of the own ones, bytes of each frame."""
    rules = rules_for("kozel")
    state = start_state(new_match(rules, SEATS, {}))
    costs = []
    while rounds:
        if state.match_over:
            state = start_state(new_match(rules, SEATS, {}))
        if state.to_move is None:
            rounds -= 1
            for event in deal_round(rules, state, lambda _: random.sample(range(28), 28), commitment=COMMITMENT):
                state = evolve(state, event)
        move = random.choice(rules.legal_moves(state))
        for event in decide(rules, state, state.to_move, move):
            state = evolve(state, event)
        if state.to_move is not None:
            costs.append(drawn(state))
    return costs


def drawn(state: State) -> tuple[int, float, float, list[int]]:
    rules = rules_for("kozel")
    views = [view_for(rules, state, seat) for seat in range(SEATS)]
    table = table_of(state)
    begun = time.process_time()
    shared = rendering.shared(table, views[0])
    between = time.process_time()
    frames = [rendering.frame(table, view, shared_part=shared) for view in views]
    ended = time.process_time()
    sizes = [len(frame.encode()) for frame in frames]
    return len(state.plays), (between - begun) * 1000, (ended - between) * 1000, sizes


def table_of(state: State) -> Table:
    people = tuple(
        Person(seat, name, "teal", "human", seat + 1, bank_ms=60_000 - len(state.steps))
        for seat, name in enumerate(NAMES)
    )
    now = 1_800_000_000_000 + len(state.steps) * 4321
    return Table(
        match_id=1,
        slug="abcdefgh2345",
        variant="kozel",
        options=(("fish", "all"),),
        seat_count=SEATS,
        status="running",
        rated=True,
        visibility="public",
        clock="fast",
        move_ms=15_000,
        commitment=COMMITMENT,
        host_id=1,
        version=len(state.steps),
        revision=len(state.steps),
        round=state.round,
        people=people,
        turn_started_ms=now,
        deadline_ms=now + 75_000,
        due_kind="timeout",
    )


def report(name: str, costs: list[tuple[int, float, float, list[int]]]) -> None:
    sizes = [size for *_, frames in costs for size in frames]
    shared, own = (median(cost[column] for cost in costs) for column in (1, 2))
    print(
        f"{name}: {len(costs)} moves; shared {shared:.3f} ms, own x {SEATS} {own:.3f} ms, "
        f"together {shared + own:.3f} ms; frame {mean(sizes):.0f} bytes (most {max(sizes)})"
    )


if __name__ == "__main__":
    main()
