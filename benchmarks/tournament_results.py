"""Checks of the file of a tournament's events: how it was played, and that everything was counted once."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from typing import Any, NamedTuple

from games.tournaments.core.evolve import fold
from games.tournaments.core.notation import event_from_data
from games.tournaments.core.state import State
from tests.programs import ROOT

ROW_PATTERN = re.compile(
    r'<tr[^>]*>\s*<td class="number">(\d*)</td>\s*<th scope="row"><bdi[^>]*>(.*?)</bdi></th>\s*'
    r'<td class="number">([\d.]+)</td>'
)


class Place(NamedTuple):
    rank: int
    name: str
    points: float


def recomputed_standing(file: Mapping[str, Any]) -> list[Place]:
    """Compute the standing from the events alone, as anybody can."""
    command = [sys.executable, "-m", "games.tournaments.core"]
    output = subprocess.run(
        command, input=json.dumps(file), cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    lines = (line.split("\t") for line in output.splitlines())
    return [Place(int(rank), name, float(points)) for rank, name, points in lines]


def places_on_page(page: str) -> list[Place]:
    """Return the lines of the standing that a page has."""
    return [Place(int(rank or 0), unescape(name), float(points)) for rank, name, points in ROW_PATTERN.findall(page)]


def state_of_file(file: Mapping[str, Any]) -> State:
    return fold(event_from_data(event["kind"], event["data"]) for event in file["events"])


def counting_problems(file: Mapping[str, Any]) -> Iterator[str]:
    """Yield tables that have not begun once and were not counted, or dropped, once."""
    numbers: dict[str, Counter[int]] = defaultdict(Counter)
    for event in file["events"]:
        if event["kind"] in ("begun", "counted", "dropped"):
            numbers[event["kind"]][event["data"]["table"]] += 1
    for table in state_of_file(file).tables:
        ends = numbers["counted"][table.number] + numbers["dropped"][table.number]
        if ends != 1:
            yield f"table {table.number} was counted {ends} times"
        if numbers["begun"][table.number] != 1:
            yield f"table {table.number} has begun {numbers['begun'][table.number]} times"
    matches = Counter(event["data"]["match"] for event in file["events"] if event["kind"] == "begun")
    yield from (f"match {match} belongs to {count} tables" for match, count in matches.items() if count > 1)


def waits(state: State, started_at: int) -> list[float]:
    """Return the seconds from the end of a person's table, or the start, to the begin of the next one."""
    free_since = dict.fromkeys(state.entries, started_at)
    seconds = []
    for table in state.tables:
        for party in table.people:
            if table.begun_at:
                seconds.append((table.begun_at - free_since[party]) / 1000)
            free_since[party] = table.over_at
    return sorted(seconds)


def percentile(values: Sequence[float], share: float) -> float:
    return values[math.ceil(share * len(values)) - 1] if values else math.nan


def started_at(file: Mapping[str, Any]) -> int:
    return int(next(event["data"]["at"] for event in file["events"] if event["kind"] == "started"))


def print_tournament(name: str, file: Mapping[str, Any]) -> None:
    """Print how many tables there were, how long they took, and how long people waited for them."""
    state = state_of_file(file)
    seconds = waits(state, started_at(file))
    lengths = sorted((table.over_at - table.begun_at) / 1000 for table in state.tables if table.begun_at)
    no_shows = sum(not result.place for table in state.tables for result in table.results)
    departures = Counter(entry.left_reason for entry in state.entries.values() if entry.left_reason)
    awards = Counter(award.reason for entry in state.entries.values() for award in entry.awards)
    dropped = sum(table.is_dropped for table in state.tables)
    print(
        f"{name}: {len(state.entries)} people, {state.round} rounds, {len(state.tables)} tables ({dropped} dropped), "
        f"{percentile(lengths, 0.5):.0f} s each; wait for a table p50 {percentile(seconds, 0.5):.1f} s, "
        f"p90 {percentile(seconds, 0.9):.1f} s, max {percentile(seconds, 1):.1f} s; {no_shows} people did not come, "
        f"left: {dict(departures)}, without a table: {dict(awards)}",
        flush=True,
    )
