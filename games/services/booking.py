"""Writing down what happened: the events, the row of the match, what follows at once, and the announcement.

Takes the changes of any number of matches, so that several moves are one transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial, reduce

from django.db import transaction

from games.broadcast import announcements
from games.engine.events import Drew, Event, MatchEnded, Passed, Played, RoundDealt, RoundEnded
from games.engine.evolve import evolve
from games.engine.state import State
from games.match import match_rows, record, snapshots
from games.match.match_rows import MatchRow
from games.models import Match
from games.services import dealing, results, timekeeping, turns
from games.services.timekeeping import Moment

MOVES = (Played, Drew, Passed)
LISTED = (RoundDealt, RoundEnded, MatchEnded)
"""What the lists of the lobby show of a match that runs."""


@dataclass(frozen=True, slots=True)
class Change:
    """One match: its row as it was read, the new events, and the state after them (no events: only the row moves)."""

    before: MatchRow
    state: State
    events: tuple[Event, ...] = ()


def change(before: MatchRow, state: State, events: Sequence[Event]) -> Change:
    """Return the change that these events, and what they reveal, make of this state."""
    state = reduce(evolve, events, state)
    revealed = dealing.revelations(before, state, events)
    return Change(before, reduce(evolve, revealed, state), (*events, *revealed))


def book(changes: Sequence[Change], now: datetime) -> list[MatchRow]:
    """Write the changes within the caller's transaction, in which their rows are locked. Return the new rows."""
    moment = timekeeping.moment(now)
    after = [advanced(each, moment) for each in changes]
    record.append_all((each.before.match_id, each.before.version, each.events, now) for each in changes)
    match_rows.save(after)
    for each in changes:
        for event in each.events:
            if isinstance(event, MatchEnded):
                results.settle(each.before, event, now)
    # Registered before the announcement: whoever hears it finds the new state in the caches.
    transaction.on_commit(partial(remember, list(zip(changes, after, strict=True))))
    announcements.announce(announcements.match_changed((row.slug, row.revision) for row in after))
    if any(isinstance(event, LISTED) for each in changes for event in each.events):
        announcements.touch_lobby()
    return after


def remember(booked: Iterable[tuple[Change, MatchRow]]) -> None:
    """Keep the committed states and tables for the next move and for whoever looks."""
    for each, row in booked:
        record.remember(row.match_id, row.version, each.state)
        snapshots.advance(each.before, row, each.state)


def advanced(each: Change, moment: Moment) -> MatchRow:
    """Return the row after the change: versions, the turn, the banks, and what is due next."""
    row, state = each.before, each.state
    moved = bool(each.events) and isinstance(each.events[0], MOVES)
    banks = turns.banks_after(row, moment.counted) if moved else row.banks
    # Who only changes places with a bot, goes on with the same turn.
    began = row.turn_started_at if not each.events and row.turn_started_at else moment.now
    due_at, due_kind = turns.next_due(row, state, banks, began)
    if due_kind == Match.Due.TIMEOUT and began == moment.now:
        began = moment.resumed
        due_at, due_kind = turns.next_due(row, state, banks, began)
    return replace(
        row,
        version=row.version + len(each.events),
        revision=row.revision + 1,
        deal_version=deal_version(row, each.events),
        round=state.round.number,
        to_move=state.round.to_move,
        turn_started_at=None if state.round.to_move is None else began,
        banks=banks,
        due_at=due_at,
        due_kind=due_kind,
    )


def deal_version(row: MatchRow, events: Sequence[Event]) -> int:
    """Return the number of the event of the last deal."""
    for seq, event in enumerate(events, row.version + 1):
        if isinstance(event, RoundDealt):
            return seq
    return row.deal_version
