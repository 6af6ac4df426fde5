"""What match reports cost, and whether they tell who plays well: ``python -m benchmarks.match_reports``.

``[VARIANT] [--matches 20] [--corpus 200]``. Recorded matches from the corpus first: the processor time of a report,
and by how much luck and play miss the result. Then matches of bots, in which one seat, in turn, always lays its
lightest tile: what it loses a choice, what the bots lose, and its play a round, all with 95 % intervals over matches;
and how much of the variance of the bots' rounds is luck.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean, pvariance, stdev

from games.bots import choose
from games.engine.decide import deal_round, make_move, new_match
from games.engine.events import Event
from games.engine.evolve import evolve, start_state
from games.engine.moves import Move, Play
from games.engine.replay import started
from games.engine.rules import Rules
from games.engine.state import State
from games.engine.transcript import read
from games.engine.variants import registry
from games.engine.view import view_for
from games.match_reports.making import made
from games.match_reports.report import Report
from tests.engine import corpus

LEVEL = "strong"
MOST_ROUNDS = 40


def lightest(rules: Rules, state: State) -> Move:
    """Return the placement of the lightest tile, or what has to be done instead."""
    return min(
        rules.legal_moves(state), key=lambda move: (sum(move.tile), move.place) if isinstance(move, Play) else (99, "")
    )


def bot(rules: Rules, state: State, chance: Random) -> Move:
    view = view_for(rules, state, state.round.to_move)
    return rules.parse_move(state, choose(view, LEVEL, chance.getrandbits(30)))


def match(rules: Rules, seats: int, light: int, name: str) -> list[Event]:
    """Return the record of a match of bots in which seat ``light`` lays its lightest tiles."""
    chance, size = Random(name), len(rules.tile_set)
    events: list[Event]
    begun = new_match(rules, seats, {}, match=name)
    events, state = [begun], start_state(begun)
    while not state.match_over and len(state.rounds) < MOST_ROUNDS:
        if (seat := state.round.to_move) is None:
            done = deal_round(rules, state, lambda _attempt: chance.sample(range(size), size))
        else:
            chosen = lightest(rules, state) if seat == light else bot(rules, state, chance)
            done, _after = make_move(rules, state, seat, chosen)
        for event in done:
            events.append(event)
            state = evolve(state, event)
    return events


def timed(events: Sequence[Event]) -> tuple[Report, float]:
    began = time.process_time()
    return made(events), time.process_time() - began


def missed(report: Report) -> float:
    """Return by how many points at most luck and play together are not the result."""
    parts = [*report.rounds, report.match] if report.match else []
    return max(
        (
            abs(lucky + played - whole)
            for each in parts
            for lucky, played, whole in zip(each.luck, each.play, each.result, strict=True)
        ),
        default=0.0,
    )


def interval(values: Sequence[float]) -> str:
    """Return the mean with its 95 % interval."""
    return f"{fmean(values):.2f} ± {1.96 * stdev(values) / sqrt(len(values)):.2f}"


def recorded(count: int, variants: Sequence[str]) -> None:
    """Print what reports of recorded matches cost."""
    texts = [text for _mark, text in corpus.load()]
    Random("reports").shuffle(texts)
    costs: dict[str, list[float]] = {variant: [] for variant in variants}
    worst = 0.0
    for text in texts:
        events = [entry.event for entry in read(text)]
        variant = started(events).variant
        if sum(map(len, costs.values())) < count and variant in costs:
            report, seconds = timed(events)
            costs[variant].append(seconds)
            worst = max(worst, missed(report))
    for variant, seconds_each in costs.items():
        print(f"corpus {variant:>11}: {cost(seconds_each)}")
    together = [each for some in costs.values() for each in some]
    print(f"corpus: {cost(together)}; luck + play miss the result by {worst:.2f} at most", flush=True)


def cost(seconds: Sequence[float]) -> str:
    return f"{len(seconds)} reports, {fmean(seconds):.2f} s in the mean, {max(seconds):.2f} s at most"


def contest(rules: Rules, matches: int) -> None:
    """Print what the report thinks of a careless player among bots."""
    losses: dict[bool, list[float]] = {True: [], False: []}
    plays, lucks, results, seconds, worst = [], [], [], [], 0.0
    for number in range(matches):
        seats = rules.seat_counts[number % len(rules.seat_counts)]
        light = number // len(rules.seat_counts) % seats
        report, took = timed(match(rules, seats, light, f"report {rules.key} {number}"))
        seconds.append(took)
        worst = max(worst, missed(report))
        losses[True].append(report.player(light).average)
        losses[False].append(fmean(report.player(seat).average for seat in range(seats) if seat != light))
        plays.append(fmean(each.play[light] for each in report.rounds))
        lucks += [lucky for each in report.rounds for lucky in each.luck]
        results += [result for each in report.rounds for result in each.result]
    apart = [light - other for light, other in zip(losses[True], losses[False], strict=True)]
    print(
        f"{rules.key:>11}: {cost(seconds)}, miss {worst:.2f}; points lost a choice: lightest tile "
        f"{interval(losses[True])}, bots {interval(losses[False])}, apart {interval(apart)}; "
        f"play a round of the lightest {interval(plays)}; luck has {luck_share(lucks, results):.0%} of the variance",
        flush=True,
    )


def luck_share(lucks: Sequence[float], results: Sequence[float]) -> float:
    """Return what share of the variance of results goes when luck is taken off."""
    rest = [result - lucky for result, lucky in zip(results, lucks, strict=True)]
    return 1 - pvariance(rest) / pvariance(results)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variant", nargs="?", choices=sorted(registry()))
    parser.add_argument("--matches", type=int, default=20, help="of bots, of each variant")
    parser.add_argument("--corpus", type=int, default=200, help="recorded matches")
    given = parser.parse_args()
    chosen = [registry()[given.variant]] if given.variant else list(registry().values())
    if given.corpus:
        recorded(given.corpus, [rules.key for rules in chosen])
    for rules in chosen:
        contest(rules, given.matches)


if __name__ == "__main__":
    main()
