"""What this process knows of each match: its public table and its state at one revision, read once.

The cache is bounded. Every entry has its revision, so the worst that can happen is an old entry for a socket that will
be told of the newer one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from games import caches
from games.caches import CacheOf
from games.engine.events import MatchEnded
from games.engine.state import State, changed
from games.engine.variants import rules_for
from games.engine.view import View, view_for, view_of_seat
from games.match import record, selectors
from games.match.match_rows import MatchRow
from games.match.table import Person, Table
from games.models import Match

LIVE, DELAYED, PUBLIC = range(3)
"""The stages of a match: as it is played, as spectators see it with a delay, and when all of it is public."""


@dataclass(frozen=True)
class Snapshot:
    """A match at one revision. The state is None before the start, and never leaves the process.

    ``delayed``: as spectators see a match with a delay, which has revisions of its own. ``open_hands``: they see the
    tiles of all seats.
    """

    table: Table
    state: State | None
    delayed: bool = False
    open_hands: bool = False

    @cached_property
    def number(self) -> tuple[int, int]:
        """Return the stage and the revision: for one viewer, the higher number is newer."""
        stage = DELAYED if self.delayed else LIVE if self.table.public_at is None else PUBLIC
        return stage, self.table.revision

    def has_position_of(self, other: Snapshot) -> bool:
        """Return whether the match goes on and nobody has moved between the two."""
        goes_on = self.state is not None and self.state.match_over is None
        return goes_on and self.state is other.state and self.open_hands == other.open_hands

    @cached_property
    def public(self) -> View | None:
        """What everybody may see of the game, worked out once for all audiences."""
        if self.state is None:
            return None
        view = view_for(rules_for(self.table.variant), self.state, None, open_hands=self.open_hands)
        return as_decided(view, self.table)

    def view(self, seat: int | None) -> View | None:
        """Return what this audience may see of the game."""
        if self.state is None or self.public is None or seat is None:
            return self.public
        return view_of_seat(self.public, self.state, seat)


def as_decided(view: View, table: Table) -> View:
    """Return the view of a match without its end where a moderator declared it void: nobody has won or gained then."""
    if table.status != Match.Status.VOID or view.match_over is None:
        return view
    return replace(view, match_over=MatchEnded("void", None, "", (), (), ()))


_snapshots: CacheOf[Snapshot] = caches.snapshots


def known(match_id: int, revision: int) -> Snapshot | None:
    """Return the match at this revision or a newer one if this process has it, without the database."""
    entry = _snapshots().get(match_id)
    return entry[1] if entry is not None and entry[0] >= revision else None


def current(match_id: int) -> Snapshot:
    """Return the match as it is now. Raises Match.DoesNotExist."""
    revision = Match.objects.values_list("revision", flat=True).get(pk=match_id)
    entry = _snapshots().get(match_id)
    if entry is not None and entry[0] == revision:
        return entry[1]
    table = selectors.table(match_id)
    state = record.state_of(match_id, table.version) if table.version else None
    if state is not None and state.match_over:
        table = replace(table, facts=entry[1].table.facts if entry is not None else None)
        table = table if table.facts else replace(table, facts=record.facts(match_id))
        table = replace(table, rated=selectors.rated_seats(match_id)) if table.agreed.rated else table
    snapshot = Snapshot(table, state)
    _snapshots().put(match_id, table.revision, snapshot)
    return snapshot


def advance(before: MatchRow, after: MatchRow, state: State) -> None:
    """Update the cached snapshot after a move or a deal. Anything that changes more than they do is read again."""
    known = _at(before)
    if known is None or after.version == before.version or state.match_over:
        return
    people = known.table.people
    if [person.state for person in people] != [holder.state for holder in after.holders]:
        return
    if after.round > before.round:
        if not before.round:
            return  # the match starts
        people = tuple(replace(person, ready=False, vote="") for person in people)
    _snapshots().put(after.match_id, after.revision, Snapshot(_moved(known.table, people, after), state))


def advance_ready(before: MatchRow, seat: int) -> None:
    """Update the cached snapshot after the person in a seat has said to be ready, which is the next revision."""
    known = _at(before)
    if known is not None:
        people = tuple(replace(each, ready=each.ready or each.seat == seat) for each in known.table.people)
        table = replace(known.table, people=people, revision=before.revision + 1)
        _snapshots().put(before.match_id, table.revision, replace(known, table=table))


def _at(row: MatchRow) -> Snapshot | None:
    """Return the snapshot of a row if this process has it."""
    entry = _snapshots().get(row.match_id)
    return entry[1] if entry is not None and entry[0] == row.revision else None


def _moved(table: Table, people: tuple[Person, ...], after: MatchRow) -> Table:
    clocks = [(bank, holder.lag_ms) for bank, holder in zip(after.banks, after.holders, strict=True)]
    if [(person.bank_ms, person.lag_ms) for person in people] != clocks:
        people = tuple(
            replace(person, bank_ms=bank, lag_ms=lag) for person, (bank, lag) in zip(people, clocks, strict=True)
        )
    return changed(
        table,
        version=after.version,
        revision=after.revision,
        round=after.round,
        people=people,
        timer=selectors.timer(after),
    )
