"""Write tests/records/corpus.txt.gz: reproducible random matches of every game, seat count and option.

``python scripts/make_corpus.py [--check] [--add GAME] [--absences]``. The file records the decisions of the current
rules, so rewrite it only for a new game. After a new option or ``rules_version``, ``--add`` appends matches for the
missing tables of a game. ``--absences`` appends matches in which people leave and return. ``--check`` compares the
file with a newly generated one.
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
from games.engine.steps import split_into_steps
from games.engine.transcript import Entry, read_start, write
from games.engine.variants import registry
from tests.engine import corpus
from tests.engine.matches import tables

Table = tuple[int, dict[str, str]]

MIN_MATCHES = 200  # for each game
MIN_TABLE_MATCHES = 2  # for each combination of seats and options
MAX_MOVES = 400  # if scores can fall, random play may never end
MAX_ABORTED_MOVES = 60
START_MS = 1_772_388_000_000
MAX_THOUGHT_MS = 30_000


def random_matches(
    rules: Rules, title: str, tables_in_turn: Sequence[Table], count: int
) -> Iterator[tuple[Entry, ...]]:
    """Yield random or greedy matches at each table in turn, complete or aborted, with times."""
    chance = Random(title)  # noqa: S311 (repeatable on purpose)
    for number in range(count):
        seats, options = tables_in_turn[number % len(tables_in_turn)]
        leave_after = MAX_MOVES if number % 3 == 0 else chance.randrange(MAX_ABORTED_MOVES)
        name = f"{title}-{number}".replace(" ", "-")
        events = playout(rules, seats, options, name, leave_after=leave_after, greedy=chance.random() < 0.5)
        yield tuple(events_with_random_times(events, chance))


def events_with_random_times(events: Sequence[Event], chance: Random) -> Iterator[Entry]:
    """Yield the events with their times. The events of a step are simultaneous."""
    at = START_MS
    yield Entry(events[0], at)
    for _seq, step in islice(split_into_steps(events), 1, None):
        at += chance.randrange(MAX_THOUGHT_MS)
        for event in step:
            yield Entry(event, at)


def create_corpus() -> list[tuple[str, str]]:
    """Return the digest and the transcript of every match."""
    matches: list[tuple[Entry, ...]] = []
    for key, rules in sorted(registry().items()):
        all_tables = tables(rules)
        count = max(MIN_MATCHES, MIN_TABLE_MATCHES * len(all_tables))
        matches += random_matches(rules, f"corpus {key}", all_tables, count)
    return list(map(corpus_entry, matches))


def corpus_with_missing_setups(rules: Rules) -> list[tuple[str, str]]:
    """Return the corpus with appended matches for a game's missing combinations of seats and options."""
    before = corpus.load()
    starts = [read_start(text)[0].event for _, text in before]
    present = {
        (start.variant, start.seats, start.options, start.rules_version)
        for start in starts
        if isinstance(start, MatchStarted)
    }
    new = [
        (seats, options)
        for seats, options in tables(rules)
        if (rules.key, seats, new_match(rules, seats, options).options, rules.rules_version) not in present
    ]
    title = f"corpus {rules.key} {rules.rules_version}"
    return [*before, *map(corpus_entry, random_matches(rules, title, new, len(new)))]


def corpus_with_absences() -> list[tuple[str, str]]:
    """Return the corpus with appended matches, one per game and seat count, in which people leave and return."""
    matches = [
        tuple(
            events_with_random_times(
                playout(rules, seats, {}, f"absent-{key}-{seats}", leave_after=MAX_MOVES, absences=True),
                Random(key),  # noqa: S311 (repeatable on purpose)
            )
        )
        for key, rules in sorted(registry().items())
        for seats in rules.seat_counts
    ]
    return [*corpus.load(), *map(corpus_entry, matches)]


def corpus_entry(match: tuple[Entry, ...]) -> tuple[str, str]:
    """Return the digest and the transcript of a match."""
    return corpus.digest(entry.event for entry in match), write(match)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare the file with a new one instead of writing it")
    parser.add_argument("--add", choices=sorted(registry()), help="append matches for the missing tables of a game")
    parser.add_argument("--absences", action="store_true", help="append matches in which people leave and return")
    args = parser.parse_args()
    if args.absences:
        matches = corpus_with_absences()
    else:
        matches = corpus_with_missing_setups(registry()[args.add]) if args.add else create_corpus()
    if args.check:
        is_current = matches == corpus.load()
        print("The corpus is current." if is_current else "The corpus differs.")
        return 0 if is_current else 1
    corpus.save(matches)
    print(f"{len(matches)} matches, {corpus.PATH.stat().st_size} bytes.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
