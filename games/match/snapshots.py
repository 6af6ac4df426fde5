"""Snapshots of matches: the public table and the state at one revision, cached in this process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from games import caches
from games.caches import ProcessCache
from games.engine.events import MatchEnded
from games.engine.state import State, replace_fields
from games.engine.variants import rules_for
from games.engine.view import View, view_for, view_of_seat
from games.match import record, selectors
from games.match.match_rows import MatchRow
from games.match.table import Person, Table
from games.models import Match

# The stages of a match: as it is played, as spectators see it with a delay, and when all of it is public.
LIVE, DELAYED, PUBLIC = range(3)


@dataclass(frozen=True)
class Snapshot:
    """A match at one revision. The state is None before the start, and never leaves the process.

    ``delayed`` marks a match as its spectators see it with a delay, with revisions of its own. With ``open_hands``,
    and in exhibitions, they see the tiles of all seats.
    """

    table: Table
    state: State | None
    delayed: bool = False
    open_hands: bool = False

    @cached_property
    def stage_and_revision(self) -> tuple[int, int]:
        """The stage and the revision. Of two snapshots for the same viewer, the greater pair is newer."""
        stage = DELAYED if self.delayed else LIVE if self.table.public_at is None else PUBLIC
        return stage, self.table.revision

    def has_position_of(self, other: Snapshot) -> bool:
        """Return whether the match continues and nobody has moved between the two."""
        is_running = self.state is not None and self.state.match_over is None
        return is_running and self.state is other.state and self.open_hands == other.open_hands

    @cached_property
    def public(self) -> View | None:
        """The view of everybody, computed once for all audiences."""
        if self.state is None:
            return None
        open_hands = self.open_hands or self.table.is_exhibition
        view = view_for(rules_for(self.table.variant), self.state, None, open_hands=open_hands)
        return with_void_end(view, self.table)

    def view(self, seat: int | None) -> View | None:
        """Return the view of a seat, or of spectators (None)."""
        if self.state is None or self.public is None or seat is None:
            return self.public
        return view_of_seat(self.public, self.state, seat)


def with_void_end(view: View, table: Table) -> View:
    """Return the view with the end replaced if a moderator declared the match void: nobody has won or gained then."""
    if table.status != Match.Status.VOID or view.match_over is None:
        return view
    return replace(view, match_over=MatchEnded("void", None, "", (), (), ()))


_snapshots: ProcessCache[Snapshot] = caches.snapshots


def cached_snapshot(match_id: int, revision: int) -> Snapshot | None:
    """Return the cached match if it has at least this revision."""
    entry = _snapshots().get_entry(match_id)
    return entry[1] if entry is not None and entry[0] >= revision else None


def current_snapshot(match_id: int) -> Snapshot:
    """Return the match as it is now. Raises Match.DoesNotExist."""
    revision = Match.objects.values_list("revision", flat=True).get(pk=match_id)
    entry = _snapshots().get_entry(match_id)
    if entry is not None and entry[0] == revision:
        return entry[1]
    table = selectors.read_table(match_id)
    state = record.state_of(match_id, table.version) if table.version else None
    if state is not None and state.match_over:
        summary = entry[1].table.summary if entry is not None else None
        table = replace(table, summary=summary or record.summary(match_id))
        table = replace(table, rated=selectors.rated_seats(match_id)) if table.agreed.rated else table
    snapshot = Snapshot(table, state)
    _snapshots().put(match_id, table.revision, snapshot)
    return snapshot


def update_snapshot_after_move(before: MatchRow, after: MatchRow, state: State) -> None:
    """Update the cached snapshot after a move or a deal. After larger changes it is read again."""
    snapshot = _cached_at(before)
    if snapshot is None or after.version == before.version or state.match_over:
        return
    people = snapshot.table.people
    if [person.state for person in people] != [holder.state for holder in after.holders]:
        return
    if after.round > before.round:
        if not before.round:
            return  # the match starts
        people = tuple(replace(person, ready=False, vote="") for person in people)
    _snapshots().put(after.match_id, after.revision, Snapshot(_table_after_move(snapshot.table, people, after), state))


def update_snapshot_after_ready(before: MatchRow, seat: int) -> None:
    """Update the cached snapshot after a player became ready, which is the next revision."""
    snapshot = _cached_at(before)
    if snapshot is not None:
        people = snapshot.table.people
        people = tuple(replace(person, ready=person.ready or person.seat == seat) for person in people)
        table = replace(snapshot.table, people=people, revision=before.revision + 1)
        _snapshots().put(before.match_id, table.revision, replace(snapshot, table=table))


def _cached_at(row: MatchRow) -> Snapshot | None:
    """Return the cached snapshot of a row."""
    entry = _snapshots().get_entry(row.match_id)
    return entry[1] if entry is not None and entry[0] == row.revision else None


def _table_after_move(table: Table, people: tuple[Person, ...], after: MatchRow) -> Table:
    clocks = [(bank, holder.lag_ms) for bank, holder in zip(after.banks, after.holders, strict=True)]
    if [(person.bank_ms, person.lag_ms) for person in people] != clocks:
        people = tuple(
            replace(person, bank_ms=bank, lag_ms=lag) for person, (bank, lag) in zip(people, clocks, strict=True)
        )
    return replace_fields(
        table,
        version=after.version,
        revision=after.revision,
        round=after.round,
        people=people,
        timer=selectors.timer_of(after),
    )
