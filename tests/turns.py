"""When a test runs, and beside which others.

The workers of pytest-xdist get equal slices of the list, one after the other, and take from the ends of each other's
slices when they are through with their own.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, cycle, islice
from pathlib import Path

import pytest

WAITING = {"test_match.py", "test_watching.py"}
"""They take half a minute of waiting and more: one that began last would be waited for."""
WHOLE_SITE = Path(__file__).parent
"""The tests in it, and not in its folders, ask for many pages each."""
Lane = list[pytest.Item]


def arranged(items: Sequence[pytest.Item], workers: int) -> list[pytest.Item]:
    """Return the tests so that all slices begin with long ones and end with short ones.

    Half of the workers begin in the browser, where tests wait a lot, and the others with what only calculates.
    """
    in_browser = [item for item in items if item.get_closest_marker("browser")]
    others = [item for item in items if not item.get_closest_marker("browser")]
    long = [item for item in others if item.path.parent == WHOLE_SITE]
    short = iter([item for item in others if item.path.parent != WHOLE_SITE])
    lanes = site_by_site(in_browser, max(1, workers // 2))
    lanes += [[] for _ in range(workers - len(lanes))]
    for item, lane in zip(long, cycle(lanes[workers // 2 :]), strict=False):
        lane.append(item)
    for number, lane in enumerate(lanes):
        left = len(items) - sum(map(len, lanes[:number]))
        lane += islice(short, max(0, left // (workers - number) - len(lane)))
    return [*chain(*lanes), *short]


def site_by_site(items: Sequence[pytest.Item], count: int) -> list[Lane]:
    """Divide tests in the browser into lanes: those that wait for long come first, and each site is in one lane."""
    sites: dict[str, Lane] = {}
    for item in sorted(items, key=waits_little):
        sites.setdefault(site_of(item), []).append(item)
    lanes: list[Lane] = [[] for _ in range(count)]
    for group in sorted(sites.values(), key=lambda group: (waits_little(group[0]), -len(group))):
        min(lanes, key=len).extend(group)
    return lanes


def waits_little(item: pytest.Item) -> bool:
    return item.path.name not in WAITING


def site_of(item: pytest.Item) -> str:
    """Return what tests on the same site have in common."""
    mark = item.get_closest_marker("site")
    return f"{mark} {item.path.name if mark and mark.kwargs.get('alone') else ''}"


@contextmanager
def among_others(folder: Path, *, alone: bool) -> Iterator[None]:
    """Hold a place among the tests that run now; if ``alone``, when those have ended, and until then none begins."""
    with (folder / "door").open("w") as door, (folder / "room").open("w") as room:
        fcntl.flock(door, fcntl.LOCK_EX)
        fcntl.flock(room, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        fcntl.flock(door, fcntl.LOCK_UN)
        yield
