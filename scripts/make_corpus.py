"""Make tests/records/corpus.txt.gz: random matches of every game, seat count and option, the same ones every time.

``python scripts/make_corpus.py [--check] [--add GAME] [--absences]``. It records what today's rules make of each move,
so it is run only when there is a new game. Where there is a new option, or the rules are meant to judge differently
and ``rules_version`` rose, ``--add`` puts matches of those tables of that game that are not there yet at the end of
the file, in which the old ones stay as they are; ``--absences`` puts matches there whose people go and come back.
``--check`` tells whether the file is what would be made.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from games.engine.decide import new_match
from games.engine.events import Event, MatchStarted
from games.engine.playout import playout
from games.engine.rules import Rules
from games.engine.steps import cut
from games.engine.transcript import Entry, read_start, write
from games.engine.variants import registry
from tests.engine import corpus
from tests.engine.matches import tables

FEWEST = 200
"""Matches of each game."""
A_TABLE = 2
"""Matches of each seat count and choice of options, at least; of those that are added, one."""
Table = tuple[int, dict[str, str]]
LONGEST = 400
"""Moves; where scores may sink, a match played at random need not end."""
SHORT = 60
START, LONGEST_THOUGHT = 1_772_388_000_000, 30_000
"""Milliseconds: when the matches begin, and how long a seat may think."""


def matches_of(rules: Rules, title: str, chosen: Sequence[Table], count: int) -> Iterator[tuple[Entry, ...]]:
    """Yield matches of the tables in turn: to the end or broken off, at random or greedily, all with times."""
    chance = Random(title)  # noqa: S311 (the same every time on purpose)
    for number in range(count):
        seats, options = chosen[number % len(chosen)]
        leave_after = LONGEST if number % 3 == 0 else chance.randrange(SHORT)
        name = f"{title}-{number}".replace(" ", "-")
        events = playout(rules, seats, options, name, leave_after=leave_after, greedy=chance.random() < 0.5)
        yield tuple(timed(events, chance))


def timed(events: Sequence[Event], chance: Random) -> Iterator[Entry]:
    """Yield the events with their times; what happened at one stroke has one."""
    at = START
    yield Entry(events[0], at)
    for _seq, facts in islice(cut(events), 1, None):
        at += chance.randrange(LONGEST_THOUGHT)
        for event in facts:
            yield Entry(event, at)


def made() -> list[tuple[str, str]]:
    """Return the digest and the transcript of every match."""
    found: list[tuple[Entry, ...]] = []
    for key, rules in sorted(registry().items()):
        chosen = tables(rules)
        found += matches_of(rules, f"corpus {key}", chosen, max(FEWEST, A_TABLE * len(chosen)))
    return list(map(recorded, found))


def added(rules: Rules) -> list[tuple[str, str]]:
    """Return the corpus with matches of a game at its end: those of before stay what they are, and are judged so."""
    before = corpus.load()
    starts = [read_start(text)[0].event for _, text in before]
    known = {
        (start.variant, start.seats, start.options, start.rules_version)
        for start in starts
        if isinstance(start, MatchStarted)
    }
    new = [
        (seats, options)
        for seats, options in tables(rules)
        if (rules.key, seats, new_match(rules, seats, options).options, rules.rules_version) not in known
    ]
    title = f"corpus {rules.key} {rules.rules_version}"
    return [*before, *map(recorded, matches_of(rules, title, new, len(new)))]


def with_absences() -> list[tuple[str, str]]:
    """Return the corpus with matches of every game at its end in which people go and come back."""
    found = [
        tuple(
            timed(playout(rules, seats, {}, f"absent-{key}-{seats}", leave_after=LONGEST, absences=True), Random(key))  # noqa: S311
        )
        for key, rules in sorted(registry().items())
        for seats in rules.seat_counts
    ]
    return [*corpus.load(), *map(recorded, found)]


def recorded(match: tuple[Entry, ...]) -> tuple[str, str]:
    """Return the digest and the transcript of a match."""
    return corpus.digest(entry.event for entry in match), write(match)


def main() -> int:
    """Write the file, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; check that the file is this one")
    parser.add_argument(
        "--add", choices=sorted(registry()), help="add matches of the tables of a game that are not there yet"
    )
    parser.add_argument("--absences", action="store_true", help="add matches whose people go and come back")
    given = parser.parse_args()
    matches = with_absences() if given.absences else added(registry()[given.add]) if given.add else made()
    if given.check:
        same = matches == corpus.load()
        print("The corpus is what would be made." if same else "The corpus differs from what would be made.")
        return 0 if same else 1
    corpus.save(matches)
    print(f"{len(matches)} matches, {corpus.PATH.stat().st_size} bytes.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
