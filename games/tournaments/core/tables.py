"""Tables of a tournament: looking one up, absences, and the events that follow when tables end."""

from __future__ import annotations

from collections.abc import Iterable

from games.tournaments.core.events import ABSENT, Ended, Event, Left, RoundOver
from games.tournaments.core.refusal import Refusal
from games.tournaments.core.state import State, Table

MAX_ABSENCES = 2  # the second removes a party


def require_table(state: State, number: int) -> Table:
    """Return a table. Raises ``Refusal`` ``bad_request``."""
    if number not in range(len(state.tables)):
        raise Refusal("bad_request")
    return state.tables[number]


def absences(state: State, party: str) -> int:
    """Return how often a party was not there: at the pairing, or at its table."""
    awards = state.entries[party].count(ABSENT)
    if state.is_duplicate:  # there place 0 is also a party that left before the end
        return awards
    results = [result for table in state.tables for result in table.results if result.party == party]
    return awards + sum(not result.place for result in results)


def removals(state: State, parties: Iterable[str], now: int) -> list[Left]:
    """Return the departure of those who have now been absent too often."""
    often = (party for party in parties if absences(state, party) >= MAX_ABSENCES)
    return [Left(party, ABSENT, now) for party in often if not state.entries[party].left_reason]


def after_tables(state: State, now: int) -> tuple[Event, ...]:
    """Return the end of the round, and of the tournament, if all tables are over."""
    if any(table.is_pending for table in state.current_tables):
        return ()
    if state.is_arena:
        return (Ended("finished", now),) if now >= state.terms.ends_at else ()
    if state.is_board_open:
        return ()
    ended = (Ended("finished", now),) if state.round == state.rounds else ()
    return (RoundOver(state.round, now), *ended)
