"""Commits updates of matches: writes events and rows, settles results and announces the changes.

The updates of several matches share a transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial, reduce
from typing import Self

from django.db import transaction

from games.broadcast import announcements
from games.engine.events import (
    Drew,
    Event,
    MatchEnded,
    Passed,
    Played,
    RoundDealt,
    RoundEnded,
    SeatForfeited,
    SeatHeld,
    SeatReturned,
)
from games.engine.evolve import evolve
from games.engine.state import State, replace_fields
from games.enums import Due
from games.fair_dealing import dealing
from games.match import match_rows, record, snapshots
from games.match.match_rows import MatchRow
from games.services import downtime, results, turns
from games.services.downtime import CountedTime
from games.services.turns import NextDue

MOVES = (Played, Drew, Passed)
ABSENCES = (SeatHeld, SeatReturned, SeatForfeited)
LISTED = (RoundDealt, RoundEnded, MatchEnded)  # events that change a match in the lobby


@dataclass(frozen=True, slots=True)
class MatchUpdate:
    """The update of one match: its row before, the new events, and the state after them.

    Without events only the row changes. ``due`` replaces the next due event that follows from the state.
    """

    before: MatchRow
    state: State
    events: tuple[Event, ...] = ()
    due: NextDue | None = None

    @property
    def keeps_turn(self) -> bool:
        """Return whether the turn continues: nobody has moved, and the seat to move keeps its player."""
        return all(isinstance(event, ABSENCES) and event.seat != self.before.to_move for event in self.events)

    @classmethod
    def of(cls, before: MatchRow, state: State, events: Sequence[Event], *, due: NextDue | None = None) -> Self:
        """Return the update with these events and the keys that may be revealed after them."""
        return cls.after(before, reduce(evolve, events, state), events, due=due)

    @classmethod
    def after(cls, before: MatchRow, state: State, events: Sequence[Event], *, due: NextDue | None = None) -> Self:
        """Return the same when the state after the events is known."""
        revealed = dealing.revelations(before, state, events)
        return cls(before, reduce(evolve, revealed, state), (*events, *revealed), due)


def commit(updates: Sequence[MatchUpdate], now: datetime) -> list[MatchRow]:
    """Write the updates in the caller's transaction, which has locked their rows. Return the new rows."""
    time = downtime.counted_time(now)
    after = [advanced(update, time) for update in updates]
    record.append_all((update.before.match_id, update.before.version, update.events, now) for update in updates)
    match_rows.save_rows(after)
    match_rows.save_lag_credits(zip((update.before for update in updates), after, strict=True))
    for update in updates:
        for event in update.events:
            if isinstance(event, MatchEnded):
                results.settle(update.before, event, now)
    # Registered before the announcement, so that its receivers find the new state in the caches.
    transaction.on_commit(partial(remember, list(zip(updates, after, strict=True))), robust=True)
    announcements.announce(announcements.match_announcements((row.slug, row.revision) for row in after))
    if any(isinstance(event, LISTED) for update in updates for event in update.events):
        announcements.touch_lobby()
    return after


def commit_events(row: MatchRow, decide: Callable[[State], Sequence[Event]], now: datetime) -> None:
    """Commit the events that follow from the newest state, in the caller's transaction, which has locked the row."""
    state = record.state_of(row.match_id, row.version)
    commit([MatchUpdate.of(row, state, decide(state))], now)


def commit_ready(row: MatchRow, seat: int) -> None:
    """Announce that a person is ready for the next round, in the caller's transaction, which has locked the row."""
    after = replace_fields(row, revision=row.revision + 1)
    match_rows.save_rows([after])
    transaction.on_commit(partial(snapshots.update_after_ready, row, seat), robust=True)
    announcements.announce(announcements.match_announcements([(after.slug, after.revision)]))


def remember(committed: Iterable[tuple[MatchUpdate, MatchRow]]) -> None:
    """Cache the committed states and tables for the next move and for viewers."""
    for update, row in committed:
        record.cache_state(row.match_id, row.version, update.state)
        snapshots.update_after_move(update.before, row, update.state)


def advanced(update: MatchUpdate, time: CountedTime) -> MatchRow:
    """Return the row after the update: versions, the turn, the banks, and what is due next."""
    row, state = update.before, update.state
    if update.keeps_turn:
        due_at, due_kind = update.due or (row.due_at, row.due_kind)
        version = row.version + len(update.events)
        return replace_fields(row, version=version, revision=row.revision + 1, due_at=due_at, due_kind=due_kind)
    moved = bool(update.events) and isinstance(update.events[0], (*MOVES, SeatHeld))
    if moved:
        row = turns.charged(row, time.counted)
    if any(isinstance(event, RoundDealt) for event in update.events):
        row = turns.with_new_credit(row)
    began = time.now
    due_at, due_kind = update.due or turns.next_due(row, state, began)
    if due_kind == Due.TIMEOUT and state.round.to_move is not None:
        began = time.resumed
        due_at = turns.deadline(row, state.round.to_move, began)
    return replace_fields(
        row,
        version=row.version + len(update.events),
        revision=row.revision + 1,
        deal_version=deal_version(row, update.events),
        round=state.round.number,
        to_move=state.round.to_move,
        turn_started_at=None if state.round.to_move is None else began,
        due_at=due_at,
        due_kind=due_kind,
    )


def deal_version(row: MatchRow, events: Sequence[Event]) -> int:
    """Return the version right after the last deal."""
    for seq, event in enumerate(events, row.version + 1):
        if isinstance(event, RoundDealt):
            return seq
    return row.deal_version
