"""Decide commands: each returns the events that follow from it, or raises ``Refusal``.

Every command raises ``over`` once the tournament is over or cancelled, except ``ChangeResult``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from games.engine.deal import nonce_commitment
from games.tournaments.core import commands
from games.tournaments.core.duplicate import entropy
from games.tournaments.core.events import (
    ABSENT,
    LEFT_REASONS,
    NEW_BOTS,
    Announced,
    Begun,
    Cancelled,
    Ended,
    Entered,
    Event,
    Left,
    Paired,
    Returned,
    SatOut,
    Started,
)
from games.tournaments.core.evolve import evolve
from games.tournaments.core.refusal import Refusal
from games.tournaments.core.results import change_result, close_board, count_table, drop_table
from games.tournaments.core.shares import HALF_POINTS
from games.tournaments.core.state import Entry, State
from games.tournaments.core.tables import after_tables, removals, require_table
from games.tournaments.core.terms import Terms, round_count


def new_tournament(terms: Terms, now: int, *, by: str = "") -> Announced:
    """Announce a tournament. Raises ``bad_request`` for terms that no tournament can have."""
    is_arena = terms.format == "arena"
    if terms.sides not in (2, 3, 4) or terms.people not in (1, 2) or terms.sides * terms.people > 4:
        raise Refusal("bad_request")
    if terms.usual_minutes < 1 or terms.max_parties < terms.min_parties or terms.rounds < 0:
        raise Refusal("bad_request")
    if is_arena != (terms.minutes > 0) or (is_arena and (terms.rounds or terms.minutes <= terms.usual_minutes)):
        raise Refusal("bad_request")
    return Announced(terms, now, by)


def decide(state: State, command: commands.Command, now: int) -> tuple[Event, ...]:
    """Return the events of a command. Raises ``Refusal``; () if a table of an arena cannot sit any more.

    >>> from games.tournaments.core.evolve import fold
    >>> state = fold([new_tournament(Terms("swiss", sides=2, starts_at=1000, usual_minutes=5), 0)])
    >>> decide(state, commands.Enter("anna", ("anna",)), 10)
    (Entered(party='anna', people=('anna',), at=10, by='anna', missed=0, points=0, commitments=()),)
    """
    if state.is_finished and not isinstance(command, commands.ChangeResult):
        raise Refusal("over")
    return DECIDE_BY_TYPE[type(command)](state, command, now)


# Entrants


def _enter(state: State, command: commands.Enter, now: int) -> tuple[Event, ...]:
    people = command.people
    if len(set(people)) != state.terms.people or len(people) != state.terms.people or not command.party:
        raise Refusal("bad_request")
    if len(command.commitments) not in (0, len(people)):
        raise Refusal("bad_request")
    entered = {person for entry in state.entries.values() for person in entry.people}
    if command.party in state.entries or entered & set(people):
        raise Refusal("already_entered")
    if len(state.active) >= state.terms.max_parties:
        raise Refusal("full")
    if not may_enter(state, now):
        raise Refusal("too_late")
    points = HALF_POINTS if state.round else 0
    return (Entered(command.party, people, now, command.party, state.round, points, command.commitments),)


def may_enter(state: State, now: int) -> bool:
    """Return True before the start, and in an arena until the last table can begin, else until half is paired."""
    if state.stage == "announced":
        return True
    return now < state.terms.last_begin if state.is_arena else 2 * state.round < state.rounds


def _leave(state: State, command: commands.Leave, now: int) -> tuple[Event, ...]:
    _require_entry(state, command.party)
    if command.reason not in LEFT_REASONS:
        raise Refusal("bad_request")
    return (Left(command.party, command.reason, now, command.by or command.party),)


def _sit_out(state: State, command: commands.SitOut, now: int) -> tuple[Event, ...]:
    if _require_entry(state, command.party).sits_out:
        raise Refusal("bad_request")
    return (SatOut(command.party, now, command.party),)


def _return(state: State, command: commands.Return, now: int) -> tuple[Event, ...]:
    if not _require_entry(state, command.party).sits_out:
        raise Refusal("bad_request")
    return (Returned(command.party, now, command.party),)


def _require_entry(state: State, party: str) -> Entry:
    entry = state.entries.get(party)
    if entry is None or entry.left_reason:
        raise Refusal("not_entered")
    return entry


# Rounds and tables


def _start(state: State, command: commands.Start, now: int) -> tuple[Event, ...]:
    if state.stage != "announced":
        raise Refusal("bad_request")
    if now < state.terms.starts_at:
        raise Refusal("too_early")
    present = sum(entry.party in command.present for entry in state.active)
    if present < state.terms.min_parties:
        return (Cancelled("few", now),)
    rounds = 0 if state.is_arena else state.terms.rounds or round_count(present, state.terms.sides)
    nonces = _require_nonces(state, command.nonces)
    return (Started(rounds, now, "", nonces, entropy(nonces) if state.is_duplicate else ""),)


def _require_nonces(state: State, nonces: tuple[str, ...]) -> tuple[str, ...]:
    """Return the nonces if each is "" or fits what its person committed to."""
    commitments = [
        commitment for entry in state.entries.values() for commitment in entry.commitments or ("",) * len(entry.people)
    ]
    nonces = nonces or ("",) * len(commitments)
    if len(nonces) != len(commitments):
        raise Refusal("bad_request")
    for nonce, commitment in zip(nonces, commitments, strict=True):
        if nonce and nonce_commitment(nonce) != commitment:
            raise Refusal("bad_request")
    return nonces


def _pair(state: State, command: commands.Pair, now: int) -> tuple[Event, ...]:
    if state.stage != "running" or any(len(table) != state.terms.sides for table in command.tables):
        raise Refusal("bad_request")
    if state.is_arena:
        return _pair_arena(state, command, now)
    if state.round_stage != "pairing" or command.round != state.round + 1:
        raise Refusal("stale")
    seated = [party for table in command.tables for party in table if party]
    names = [*seated, *(award.party for award in command.awards)]
    if sorted(names) != sorted(entry.party for entry in state.active):
        raise Refusal("stale")
    paired = Paired(command.round, len(state.tables), command.tables, command.awards, command.seed, now)
    after = evolve(state, paired)
    missing = [award.party for award in command.awards if award.reason == ABSENT]
    return (paired, *removals(after, missing, now), *after_tables(after, now))


def _pair_arena(state: State, command: commands.Pair, now: int) -> tuple[Event, ...]:
    free = state.free_parties
    tables = []
    for table in command.tables if now <= state.terms.last_begin else ():
        people = {party for party in table if party}
        if people <= free:
            tables.append(table)
            free -= people
    return (Paired(0, len(state.tables), tuple(tables), (), command.seed, now),) if tables else ()


def _begin(state: State, command: commands.Begin, now: int) -> tuple[Event, ...]:
    table = require_table(state, command.table)
    if table.begun_at:
        raise Refusal("begun")
    if not table.is_pending:
        raise Refusal("counted")
    return (Begun(command.table, command.match, now),)


# The end


def _end(state: State, command: commands.End, now: int) -> tuple[Event, ...]:
    if state.stage != "running" or state.is_board_open or any(table.is_pending for table in state.current_tables):
        raise Refusal("too_early")
    if state.is_arena and now >= state.terms.ends_at:
        return (Ended("finished", now),)
    if len(state.active) < 2 and not state.is_arena:
        return (Ended("deserted", now),)
    if command.has_new_bots and not state.is_arena:
        return (Ended(NEW_BOTS, now),)
    raise Refusal("too_early")


def _cancel(state: State, command: commands.Cancel, now: int) -> tuple[Event, ...]:
    return (Cancelled(command.reason, now, command.by),)


DECIDE_BY_TYPE: Mapping[type[commands.Command], Callable[[State, Any, int], tuple[Event, ...]]] = MappingProxyType(
    {
        commands.Enter: _enter,
        commands.Leave: _leave,
        commands.SitOut: _sit_out,
        commands.Return: _return,
        commands.Start: _start,
        commands.Pair: _pair,
        commands.Begin: _begin,
        commands.Count: count_table,
        commands.Drop: drop_table,
        commands.CloseBoard: close_board,
        commands.ChangeResult: change_result,
        commands.End: _end,
        commands.Cancel: _cancel,
    }
)
