"""Make tests/records/corpus.txt.gz: random matches of every game, seat count and option, the same ones every time.

``python scripts/make_corpus.py [--check]``. It records what today's rules make of each move, so it is run only when
there is a new game or option, or when the rules are meant to judge differently and ``rules_version`` rose: then the
old matches stay in the file, written in facts alone. ``--check`` tells whether the file is what would be made.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from games.engine.events import Event
from games.engine.playout import playout
from games.engine.replay import steps
from games.engine.rules import Rules
from games.engine.transcript import Entry, write
from games.engine.variants import registry
from tests.engine import corpus
from tests.engine.matches import tables

FEWEST = 200
"""Matches of each game."""
A_TABLE = 2
"""Matches of each seat count and choice of options, at least."""
LONGEST = 400
"""Moves; where scores may sink, a match played at random need not end."""
SHORT = 60
START, LONGEST_THOUGHT = 1_772_388_000_000, 30_000
"""Milliseconds: when the matches begin, and how long a seat may think."""


def matches_of(rules: Rules) -> Iterator[tuple[Entry, ...]]:
    """Yield matches of every table in turn: to the end or broken off, at random or greedily, all with times."""
    chance = Random(f"corpus {rules.key}")  # noqa: S311 (the same every time on purpose)
    chosen = tables(rules)
    for number in range(max(FEWEST, A_TABLE * len(chosen))):
        seats, options = chosen[number % len(chosen)]
        leave_after = LONGEST if number % 3 == 0 else chance.randrange(SHORT)
        name = f"corpus-{rules.key}-{number}"
        events = playout(rules, seats, options, name, leave_after=leave_after, greedy=chance.random() < 0.5)
        yield tuple(timed(events, chance))


def timed(events: Sequence[Event], chance: Random) -> Iterator[Entry]:
    """Yield the events with their times; what happened at one stroke has one."""
    at = START
    yield Entry(events[0], at)
    for step in steps(events):
        at += chance.randrange(LONGEST_THOUGHT)
        for event in step.facts:
            yield Entry(event, at)


def made() -> list[tuple[str, str]]:
    """Return the digest and the transcript of every match."""
    found = [match for key in sorted(registry()) for match in matches_of(registry()[key])]
    return [(corpus.digest(entry.event for entry in match), write(match)) for match in found]


def main() -> int:
    """Write the file, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; tell whether the file is this one")
    given = parser.parse_args()
    matches = made()
    if given.check:
        same = matches == corpus.load()
        print("The corpus is what would be made." if same else "The corpus differs from what would be made.")
        return 0 if same else 1
    corpus.save(matches)
    print(f"{len(matches)} matches, {corpus.PATH.stat().st_size} bytes.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
