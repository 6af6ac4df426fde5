"""Random matches of every game, written as JSON and as text: reading them as the site does gives the very same match.

``python benchmarks/transcripts.py [--matches 10000] [--seed 1]``. As many of each game, over all seat counts and
options in turn, played at random and greedily, ended by the rules, by a timeout or by somebody who left, with times
and without.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from random import Random
from time import process_time

sys.path.insert(0, str(Path(__file__).parent.parent))

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "domino_site.settings")
django.setup()

from games.engine.events import MatchStarted  # noqa: E402
from games.engine.notation import export_match, write_json  # noqa: E402
from games.engine.playout import playout  # noqa: E402
from games.engine.replay import decisions  # noqa: E402
from games.engine.rules import Rules  # noqa: E402
from games.engine.transcript import Entry, write  # noqa: E402
from games.engine.variants import registry  # noqa: E402
from games.match.moments import EPOCH, MILLISECOND  # noqa: E402
from games.records.parsing import read_either  # noqa: E402
from tests.engine.matches import MOST_MOVES, tables  # noqa: E402

Match = tuple[Entry, ...]
START = 1_772_388_000_000
LONGEST_THOUGHT = 40_000
"""Milliseconds."""


def random_matches(seed: str) -> Iterator[Match]:
    """Yield matches without end, of every game in turn."""
    games = [matches_of(rules, Random(f"{seed} {rules.key}")) for rules in registry().values()]
    for game in cycle(games):
        yield next(game)


def matches_of(rules: Rules, chance: Random) -> Iterator[Match]:
    """Yield matches of every table of a game in turn, without end."""
    for seats, options in cycle(tables(rules)):
        leave_after = chance.choice((MOST_MOVES, MOST_MOVES, chance.randrange(60)))
        name = str(chance.randrange(10**9))
        events = playout(rules, seats, options, name, leave_after=leave_after, greedy=chance.random() < 0.5)
        at = START if chance.random() < 0.5 else None
        entries = [Entry(events[0], at)]
        for decision in decisions(events):  # what follows from a move happens with it
            at = None if at is None else at + chance.choice((0, chance.randrange(LONGEST_THOUGHT)))
            entries.extend(Entry(event, at) for event in decision.facts)
        yield tuple(entries)


def write_data(match: Match) -> str:
    """Return the match as JSON, as it is exported."""
    return write_json(export_match((seq, entry.event, written_time(entry.at)) for seq, entry in enumerate(match, 1)))


def written_time(at: int | None) -> str:
    return "" if at is None else (EPOCH + at * MILLISECOND).isoformat(timespec="milliseconds")


def main() -> None:
    """Write and read so many matches."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    games, kinds, sizes, events = Counter[str](), set(), Counter[str](), 0
    seconds: defaultdict[str, float] = defaultdict(float)
    for match in islice(random_matches(given.seed), given.matches):
        for name, notation in (("text", write), ("JSON", write_data)):
            began = process_time()
            text = notation(match)
            assert read_either(text)[0] == match, (name, match[0])
            seconds[name] += process_time() - began
            sizes[name] += len(text)
        start = match[0].event
        assert isinstance(start, MatchStarted)
        games[start.variant] += 1
        kinds.add((start.variant, start.seats, start.options))
        events += len(match)
    print(f"{games.total()} matches of {len(kinds)} tables read as they were written: {dict(sorted(games.items()))}.")
    for name, size in sizes.items():
        print(f"{name}: {size / events:.1f} bytes an event, {seconds[name]:.0f} s of processor time.")
    print(f"{events} events.")


if __name__ == "__main__":
    main()
