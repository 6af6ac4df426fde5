"""The results of closed boards, compared with the field: all results of a board in one seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from games.bots.levels import LEVELS
from games.daily_boards.content import BoardComparison, BoardResult
from games.engine.variants import rules_for
from games.models import Tournament
from games.tournaments import selectors
from games.tournaments.content import FieldLine, SeatField
from games.tournaments.core.matchpoints import share_of_field
from games.tournaments.core.shares import SIXTHS
from games.tournaments.core.state import State, Table


class PartyResult(NamedTuple):
    """The result of a party on a board. ``raw`` is None for one that did not play to the end."""

    party: str
    match: str
    raw: int | None
    share: Fraction


def comparisons(row: Tournament, party: str) -> tuple[BoardComparison, ...]:
    """Return the closed boards that a party has played, the last first, compared with the field in its seat."""
    state = selectors.load_state(row)
    played = list(_boards_of(state, party))
    best = {number: _best(results) for number, _side, results in played}
    names = _names(row, {party, *(result.party for result in best.values() if result is not None)})
    seats = _first_seats(row)
    boards = []
    for number, side, results in played:
        own = next(result for result in results if result.party == party)
        best_result, levels = best[number], _levels(state, number, side)
        field = [*_raws(results), *levels]
        boards.append(
            BoardComparison(
                number,
                Fraction(sum(field), SIXTHS * len(field)),
                tuple((level, Fraction(raw, SIXTHS)) for level, raw in zip(LEVELS, levels, strict=False)),
                own=_board_result(own, names, seats[side], is_viewer=True),
                best=_board_result(best_result, names, seats[side]) if best_result is not None else None,
            )
        )
    return tuple(boards)


def fields_of_board(row: Tournament, number: int) -> tuple[SeatField, ...]:
    """Return the results on a closed board for each side, best first."""
    state, seats = selectors.load_state(row), _first_seats(row)
    people = selectors.people_by_party(row)
    fields = []
    for side in range(state.terms.sides):
        results, levels = results_in_seat(state, number, side), _levels(state, number, side)
        lines = [
            FieldLine(
                tuple(person.name for person in people.get(result.party, ())),
                result.match,
                _points(result.raw),
                result.share,
            )
            for result in results
        ]
        field = [*_raws(results), *levels]
        bots = [
            FieldLine((), "", _points(raw), share_of_field(raw, field), level)
            for level, raw in zip(LEVELS, levels, strict=False)
        ]
        order = sorted([*lines, *bots], key=lambda line: (line.points is None, -(line.points or 0)))
        fields.append(SeatField(side + 1, seats[side], tuple(order)))
    return tuple(fields)


def results_in_seat(state: State, number: int, side: int) -> list[PartyResult]:
    """Return the results of the parties that had the same tiles on a closed board."""
    shares = {result.party: Fraction(result.score, result.out_of or 1) for result in state.boards[number - 1]}
    return [
        PartyResult(party, table.match, _raw(table, party), shares.get(party, Fraction(0)))
        for table in state.tables
        if table.round == number and table.match and (party := table.parties[side])
    ]


def _boards_of(state: State, party: str) -> Iterator[tuple[int, int, list[PartyResult]]]:
    """Yield the number, the side and the results there of each closed board of a party, the last first."""
    for table in reversed(state.disclosed_tables):
        if party in table.parties and table.match:
            side = table.parties.index(party)
            yield table.round, side, results_in_seat(state, table.round, side)


def _raw(table: Table, party: str) -> int | None:
    return next((result.raw for result in table.came if result.party == party), None)


def _raws(results: Sequence[PartyResult]) -> list[int]:
    return [result.raw for result in results if result.raw is not None]


def _levels(state: State, number: int, side: int) -> Sequence[int]:
    return state.levels[number - 1][side]


def _best(results: Sequence[PartyResult]) -> PartyResult | None:
    return max((result for result in results if result.raw is not None), key=lambda result: result.share, default=None)


def _points(raw: int | None) -> Fraction | None:
    return None if raw is None else Fraction(raw, SIXTHS)


def _board_result(result: PartyResult, names: dict[str, str], seat: int, *, is_viewer: bool = False) -> BoardResult:
    return BoardResult(
        names.get(result.party, ""), result.match, seat, _points(result.raw), result.share, is_viewer=is_viewer
    )


def _names(row: Tournament, parties: set[str]) -> dict[str, str]:
    people = selectors.people_by_party(row, parties)
    return {party: " + ".join(person.name for person in people[party]) for party in people}


def _first_seats(row: Tournament) -> list[int]:
    """Return the first seat of each side."""
    sides = rules_for(row.variant).sides(row.seat_count, row.options)
    return [sides.index(side) for side in sorted(set(sides))]
