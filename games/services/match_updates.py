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

MOVE_EVENTS = (Played, Drew, Passed)
ABSENCE_EVENTS = (SeatHeld, SeatReturned, SeatForfeited)
LOBBY_EVENTS = (RoundDealt, RoundEnded, MatchEnded)  # events that change a match in the lobby


@dataclass(frozen=True, slots=True)
class MatchUpdate:
    """The update of one match: its row before, the new events, and the state after them.

    Without events only the row changes. ``due`` replaces the next due event that follows from the state.
    """

    old_row: MatchRow
    state: State
    events: tuple[Event, ...] = ()
    due: NextDue | None = None

    @property
    def keeps_turn(self) -> bool:
        """Return whether the turn continues: nobody has moved, and the seat to move keeps its player."""
        return all(isinstance(event, ABSENCE_EVENTS) and event.seat != self.old_row.to_move for event in self.events)

    @classmethod
    def from_events(
        cls, old_row: MatchRow, state: State, events: Sequence[Event], *, due: NextDue | None = None
    ) -> Self:
        """Return the update with these events, and with the keys that may be revealed after them."""
        return cls.from_state_after(old_row, reduce(evolve, events, state), events, due=due)

    @classmethod
    def from_state_after(
        cls, old_row: MatchRow, state: State, events: Sequence[Event], *, due: NextDue | None = None
    ) -> Self:
        """Do the same as ``from_events`` with the known state after the events."""
        revealed = dealing.reveal_events(old_row, state, events)
        return cls(old_row, reduce(evolve, revealed, state), (*events, *revealed), due)


def commit_updates(updates: Sequence[MatchUpdate], now: datetime) -> list[MatchRow]:
    """Write the updates in the caller's transaction, which has locked their rows. Return the new rows."""
    counted_time = downtime.counted_time(now)
    new_rows = [row_after(update, counted_time) for update in updates]
    record.append_all((update.old_row.match_id, update.old_row.version, update.events, now) for update in updates)
    match_rows.save_rows(new_rows)
    match_rows.save_lag_credits(zip((update.old_row for update in updates), new_rows, strict=True))
    for update in updates:
        for event in update.events:
            if isinstance(event, MatchEnded):
                results.write_results(update.old_row, event, now)
    # Registered before the announcement, so that its receivers find the new state in the caches.
    transaction.on_commit(partial(cache_updates, list(zip(updates, new_rows, strict=True))), robust=True)
    announcements.announce(announcements.match_announcements((row.slug, row.revision) for row in new_rows))
    if any(isinstance(event, LOBBY_EVENTS) for update in updates for event in update.events):
        announcements.touch_lobby()
    return new_rows


def commit_events(row: MatchRow, decide: Callable[[State], Sequence[Event]], now: datetime) -> None:
    """Commit the events that follow from the newest state, in the caller's transaction, which has locked the row."""
    state = record.state_of(row.match_id, row.version)
    commit_updates([MatchUpdate.from_events(row, state, decide(state))], now)


def commit_readiness(row: MatchRow, seat: int) -> None:
    """Announce that a person is ready for the next round, in the caller's transaction, which has locked the row."""
    new_row = replace_fields(row, revision=row.revision + 1)
    match_rows.save_rows([new_row])
    transaction.on_commit(partial(snapshots.update_snapshot_after_ready, row, seat), robust=True)
    announcements.announce(announcements.match_announcements([(new_row.slug, new_row.revision)]))


def cache_updates(committed: Iterable[tuple[MatchUpdate, MatchRow]]) -> None:
    """Cache the committed states and tables for the next move and for viewers."""
    for update, row in committed:
        record.cache_state(row.match_id, row.version, update.state)
        snapshots.update_snapshot_after_move(update.old_row, row, update.state)


def row_after(update: MatchUpdate, counted_time: CountedTime) -> MatchRow:
    """Return the row after the update: versions, the turn, the banks, and what is due next."""
    row, state = update.old_row, update.state
    if update.keeps_turn:
        due_at, due_kind = update.due or (row.due_at, row.due_kind)
        version = row.version + len(update.events)
        return replace_fields(row, version=version, revision=row.revision + 1, due_at=due_at, due_kind=due_kind)
    has_moved = bool(update.events) and isinstance(update.events[0], (*MOVE_EVENTS, SeatHeld))
    if has_moved:
        row = turns.charge_bank(row, counted_time.counted_until)
    if any(isinstance(event, RoundDealt) for event in update.events):
        row = turns.reset_lag_credit(row)
    started_at = counted_time.now
    due_at, due_kind = update.due or turns.next_due(row, state, started_at)
    if due_kind == Due.TIMEOUT and state.round.to_move is not None:
        started_at = counted_time.resumed_at
        due_at = turns.turn_deadline(row, state.round.to_move, started_at)
    return replace_fields(
        row,
        version=row.version + len(update.events),
        revision=row.revision + 1,
        deal_version=deal_version(row, update.events),
        round=state.round.number,
        to_move=state.round.to_move,
        turn_started_at=None if state.round.to_move is None else started_at,
        due_at=due_at,
        due_kind=due_kind,
    )


def deal_version(row: MatchRow, events: Sequence[Event]) -> int:
    """Return the version right after the last deal."""
    for seq, event in enumerate(events, row.version + 1):
        if isinstance(event, RoundDealt):
            return seq
    return row.deal_version
