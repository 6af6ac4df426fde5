"""The standing of a tournament, computed from its results alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from games.engine.ranking import ranks
from games.tournaments.core.events import BoardResult, Result
from games.tournaments.core.shares import WIN_POINTS
from games.tournaments.core.state import State

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Line:
    """A party in the standing. Equal lines share a rank.

    - ``tables``: how many it has played. ``mean``: its points for each, which decides ties in an arena.
    - ``opponents_beaten``: the points of its opponents, each times the result against them: 1, 1/2 or 0.
    - ``opponents_mean``: the mean points of its opponents. ``raw``: the sum of its raw results in sixths.
    """

    party: str
    rank: int
    points: Fraction
    tables: int
    mean: Fraction
    opponents_beaten: Fraction
    opponents_mean: Fraction
    raw: int


def standings(state: State) -> tuple[Line, ...]:
    """Return the standing, best first, equal parties in order of entry.

    Parties that left without having played are not in it.
    """
    points = party_points(state)
    results = results_of(state)
    beaten, means = opponents_of(state, points)
    lines = []
    for entry in state.entries.values():
        party, own = entry.party, results[entry.party]
        if entry.left_reason and not own:
            continue
        mean = Fraction(sum(result.points for result in own), len(own)) if own else ZERO
        raw = sum(result.raw for result in own)
        lines.append(Line(party, 0, points[party], len(own), mean, beaten[party], means[party], raw))
    return ranked(lines, is_arena=state.is_arena)


def ranked(lines: list[Line], *, is_arena: bool) -> tuple[Line, ...]:
    keys = [merit(line, is_arena=is_arena) for line in lines]
    numbers = {key: index for index, key in enumerate(sorted(set(keys), reverse=True))}
    places = ranks([(False, numbers[key]) for key in keys])
    order = sorted(range(len(lines)), key=lambda index: numbers[keys[index]])
    return tuple(replace(lines[index], rank=places[index]) for index in order)


def merit(line: Line, *, is_arena: bool) -> tuple[Fraction | int, ...]:
    """Return what lines are ordered by; more is better."""
    if is_arena:
        return line.points, line.mean
    return line.points, line.opponents_beaten, line.opponents_mean, line.raw


def party_points(state: State) -> dict[str, Fraction]:
    """Return the points of every party, also of those that left."""
    points = board_points(state)
    for entry in state.entries.values():
        points[entry.party] += entry.late_points + sum(award.points for award in entry.awards)
    for table in state.tables:
        for result in table.results:
            points[result.party] += result.points
    return points


def results_of(state: State) -> dict[str, list[Result]]:
    """Return the results of the tables at which each party played."""
    results: dict[str, list[Result]] = {party: [] for party in state.entries}
    for table in state.disclosed_tables:
        for result in table.came:
            results[result.party].append(result)
    return results


def board_points(state: State) -> dict[str, Fraction]:
    """Return the points for boards: 12 times the matchpoints, for a board cut short the mean of the party's others.

    A result that a moderator took away since the close is worth nothing, and a void table the mean of the others.
    """
    finished: dict[str, list[Fraction]] = defaultdict(list)
    unfinished: dict[str, int] = defaultdict(int)
    places = {
        (table.round, party): next((result.place for result in table.results if result.party == party), None)
        for table in state.tables
        for party in table.people
    }
    for number, results in enumerate(state.boards, 1):
        for result in results:
            place = places[number, result.party]
            if place is None or not result.out_of:
                unfinished[result.party] += 1
            else:
                finished[result.party].append(points_of_board(result) if place else ZERO)
    points = dict.fromkeys(state.entries, ZERO)
    for party, boards in finished.items():
        points[party] = sum(boards, ZERO) * (len(boards) + unfinished[party]) / len(boards)
    return points


def points_of_board(result: BoardResult) -> Fraction:
    return Fraction(WIN_POINTS * result.score, result.out_of)


def opponents_of(state: State, points: Mapping[str, Fraction]) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Return the points of the opponents of each party times the result against them, and their mean.

    Only opponents that came count.
    """
    beaten: dict[str, Fraction] = dict.fromkeys(state.entries, ZERO)
    totals: dict[str, list[Fraction]] = {party: [] for party in state.entries}
    for table in state.disclosed_tables:
        for own in table.came:
            for other in table.came:
                if other.party != own.party:
                    halves = 2 * (own.place < other.place) + (own.place == other.place)
                    beaten[own.party] += points[other.party] * halves / 2
                    totals[own.party].append(points[other.party])
    return beaten, {party: sum(rows, ZERO) / len(rows) if rows else ZERO for party, rows in totals.items()}
