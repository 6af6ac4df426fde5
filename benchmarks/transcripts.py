"""Transcripts of random matches of every variant: reading what was written gives the very same match.

``python benchmarks/transcripts.py [--matches 10000] [--seed 1]``. Over all seat counts and options in turn, played at
random and greedily, ended by the rules, by a timeout or by somebody who left, with times and without.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from time import process_time

sys.path.insert(0, str(Path(__file__).parent.parent))

from games.engine.playout import playout
from games.engine.transcript import Entry, read, write
from games.engine.variants import registry
from tests.engine.matches import MOST_MOVES, tables

START = 1_772_388_000_000
LONGEST_THOUGHT = 40_000
"""Milliseconds."""


def random_matches(seed: str) -> Iterator[tuple[Entry, ...]]:
    """Yield matches without end, of every table of every variant in turn."""
    chance = Random(seed)
    chosen = [(rules, *table) for rules in registry().values() for table in tables(rules)]
    chance.shuffle(chosen)
    while True:
        for rules, seats, options in chosen:
            leave_after = chance.choice((MOST_MOVES, MOST_MOVES, chance.randrange(60)))
            name = f"{seed}-{chance.randrange(10**9)}"
            events = playout(rules, seats, options, name, leave_after=leave_after, greedy=chance.random() < 0.5)
            at = START if chance.random() < 0.5 else None
            entries = []
            for event in events:
                at = None if at is None else at + chance.choice((0, chance.randrange(LONGEST_THOUGHT)))
                entries.append(Entry(event, at))
            yield tuple(entries)


def main() -> None:
    """Write and read so many matches."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    began, written, events = process_time(), Counter[str](), 0
    size = 0
    for match in islice(random_matches(given.seed), given.matches):
        text = write(match)
        assert read(text) == match, match[0]
        written[match[0].event.variant] += 1
        events, size = events + len(match), size + len(text)
    seconds = process_time() - began
    print(f"{sum(written.values())} matches read as they were written: {dict(sorted(written.items()))}.")
    print(f"{events} events, {size / events:.1f} bytes an event, {seconds:.0f} s of processor time.")


if __name__ == "__main__":
    main()
