"""Forged records before both verifiers and the import, and honest ones: all of the first refused, none of the second.

``python benchmarks/forgeries.py [--honest 10000] [--forged 1000] [--seed 1]``. The forged ones are every scheme of a
site that chooses its deals (tests/engine/crooked_matches.py), and so many honest matches with something changed about
their deals (tests/engine/mutations.py). The exit code is 1 if any verdict is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import count, islice
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parent.parent))

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "domino_site.settings")
django.setup()

from games.records import validation  # noqa: E402
from games.records.unreadable import Unreadable  # noqa: E402
from tests.engine.crooked_matches import schemes  # noqa: E402
from tests.engine.honest_matches import Data, exported, honest  # noqa: E402
from tests.engine.mutations import mutated  # noqa: E402
from tests.engine.verifiers import browser, program  # noqa: E402

BATCH = 250
"""Records that node is handed at once."""
Named = tuple[str, Data]
Row = tuple[str, str, str, str]


def import_of(data: Data) -> str:
    """Return what the page for records of one's own makes of it."""
    try:
        validation.checked(json.dumps(data))
    except Unreadable:
        return "refused"
    return "taken"


def judged(records: Iterable[Named], imports: int) -> Iterator[Row]:
    """Yield for each record its name, and what the program, the browser and, for the first, the import make of it."""
    rest, number = iter(records), count(1)
    while batch := list(islice(rest, BATCH)):
        for (name, data), answer in zip(batch, browser(data for _, data in batch), strict=True):
            yield name, program(data), answer, import_of(data) if next(number) <= imports else "not asked"


def honest_ones(matches: int, seed: str) -> Iterator[Named]:
    for number in range(matches):
        events = honest(f"{seed} {number}")
        yield getattr(events[0], "variant", ""), exported(events)


def changed_ones(matches: int, seed: str) -> Iterator[Named]:
    for number in range(matches):
        yield mutated(honest(f"{seed} {number}"), f"{seed} {number}")


def told(title: str, records: Iterable[Named], right: Collection[str], imports: int) -> int:
    """Print how often which verdict fell on what; return how many were wrong."""
    began, wrong = perf_counter(), 0
    rows = Counter(judged(records, imports))
    print(f"\n{title}: {rows.total()} in {perf_counter() - began:.0f} s")
    print("| what | program | browser | import | number |\n|---|---|---|---|---|")
    for (name, *verdicts), number in sorted(rows.items()):
        is_right = set(verdicts) <= set(right) and verdicts[0] == verdicts[1]
        wrong += 0 if is_right else number
        print(f"| {name} | {' | '.join(verdicts)} | {number}{'' if is_right else ' WRONG'} |", flush=True)
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--honest", type=int, default=10_000)
    parser.add_argument("--forged", type=int, default=1_000)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    wrong = told("Schemes", schemes().items(), ("unfair", "refused"), len(schemes()))
    refused = ("unfair", "unchecked", "refused")
    wrong += told("Changed records", changed_ones(given.forged, given.seed), refused, given.forged)
    wrong += told("Honest ones", honest_ones(given.honest, given.seed), ("fair", "taken", "not asked"), given.forged)
    print(f"\n{wrong} wrong verdicts.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
