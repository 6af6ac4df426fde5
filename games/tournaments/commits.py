"""Changes of tournaments, under the lock of the row: decide, append, write the rows for lists, announce on commit.

All code locks a tournament before people, and people before matches. Code that has locked a person or a match sets a
mark for the clock instead (``Entry.leaving``, ``TournamentTable.recounts``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial, reduce
from types import MappingProxyType
from typing import Any

from django.db import transaction

from games.bots import boards as bot_boards
from games.broadcast import announcements
from games.errors import REFUSAL_TEXTS, Refused
from games.match.moments import milliseconds, moment_of
from games.models import Entry, Match, Tournament, TournamentTable
from games.tournaments import next_steps, notices, record
from games.tournaments.core import commands
from games.tournaments.core.decide import decide
from games.tournaments.core.events import (
    Begun,
    BoardClosed,
    Cancelled,
    Counted,
    Dropped,
    Ended,
    Entered,
    Event,
    Left,
    Paired,
    ResultChanged,
    Returned,
    SatOut,
    Started,
)
from games.tournaments.core.evolve import evolve
from games.tournaments.core.refusal import Refusal
from games.tournaments.core.standings import standings
from games.tournaments.dues import next_due

STAFF = "staff"  # the author of an event that a moderator caused

# The site's codes for refusals of the rules that have a sentence; the others mean that a page was out of date.
CODES = {"full": "tournament_full", "too_late": "too_late", "over": "tournament_over"}


class LockedTournament:
    """A tournament whose row the caller's transaction has locked."""

    def __init__(self, row: Tournament) -> None:
        self.row = row
        self.state = record.state_of(row.pk, row.version)

    def carry_out(self, command: commands.Command, now: datetime) -> tuple[Event, ...]:
        """Decide a command, and store what follows. Raises Refused."""
        try:
            events = decide(self.state, command, milliseconds(now))
        except Refusal as refusal:
            raise refused(refusal) from None
        self.store(events, now)
        return events

    def store(self, events: Sequence[Event], now: datetime) -> None:
        """Append events, write their rows, and announce the change."""
        if events:
            self.row.version = record.append(self.row.pk, self.row.version, events)
            self.state = reduce(evolve, events, self.state)
            for event in events:
                WRITE_BY_TYPE.get(type(event), _write_nothing)(self, event)
            next_steps.write(self.row.pk, self.state, events)
            self.row.parties = len(self.state.active)
            self.row.round = self.state.round
            transaction.on_commit(partial(record.cache_state, self.row.pk, self.row.version, self.state), robust=True)
        self.row.due_at = next_due(self.state, now)
        self.touch()

    def touch(self) -> None:
        """Save the row, and announce that pages have something new to show."""
        self.row.revision += 1
        self.row.save()
        announcements.touch_tournament(self.row.slug, self.row.revision)

    def entries_of(self, party: str) -> list[Entry]:
        """Return the entries of the people of a party, in their order."""
        by_key = {entry.key: entry for entry in self.row.entries.filter(party=party).select_related("user")}
        return [by_key[person] for person in self.state.entries[party].people]


def refused(refusal: Refusal) -> Refused:
    """Return the refusal of the site for one of the rules."""
    code = CODES.get(refusal.code, refusal.code)
    return Refused(code if code in REFUSAL_TEXTS else "tournament_stale")


def lock(tournament_id: int) -> LockedTournament:
    """Lock a tournament in the caller's transaction. Raises Tournament.DoesNotExist."""
    return LockedTournament(Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id))


def lock_if_free(tournament_id: int) -> LockedTournament | None:
    """Lock a tournament that no other transaction holds."""
    rows = Tournament.objects.select_for_update(no_key=True, skip_locked=True)
    row = rows.filter(pk=tournament_id).first()
    return None if row is None else LockedTournament(row)


# The rows that repeat what an event says


def _write_nothing(_locked: LockedTournament, _event: Event) -> None:
    pass


def _write_entry(locked: LockedTournament, event: Entered) -> None:
    locked.row.entries.filter(key__in=event.people).update(
        party=event.party,
        status=Entry.Status.ENTERED,
        leaving="",
        partner=None,
        waits_since=moment_of(event.at),
    )


def _write_departure(locked: LockedTournament, event: Left) -> None:
    locked.row.entries.filter(party=event.party).update(
        status=Entry.Status.GONE, leaving=event.reason, waits_since=None, address=""
    )


def _write_wait(locked: LockedTournament, event: SatOut | Returned) -> None:
    since = moment_of(event.at) if isinstance(event, Returned) else None
    locked.row.entries.filter(party=event.party).update(waits_since=since)


def _write_start(locked: LockedTournament, event: Started) -> None:
    locked.row.stage, locked.row.rounds = Tournament.Stage.RUNNING.value, event.rounds
    locked.row.entries.filter(status=Entry.Status.ENTERED).update(waits_since=moment_of(event.at))
    announcements.touch_lobby()


def _write_pairing(locked: LockedTournament, event: Paired) -> None:
    if locked.state.is_duplicate and event.round == 1:
        locked.row.bots_version = bot_boards.BOTS_VERSION
    TournamentTable.objects.bulk_create(
        TournamentTable(
            tournament_id=locked.row.pk, number=event.first + index, round=event.round, parties=list(parties)
        )
        for index, parties in enumerate(event.tables)
    )
    seated = {party for parties in event.tables for party in parties if party}
    locked.row.entries.filter(party__in=seated).update(waits_since=None)


def _write_begin(locked: LockedTournament, event: Begun) -> None:
    match = Match.objects.only("pk").get(slug=event.match)
    locked.row.tables.filter(number=event.table).update(match=match, stage=TournamentTable.Stage.PLAYING)


def _write_table_end(locked: LockedTournament, event: Counted | Dropped) -> None:
    locked.row.tables.filter(number=event.table).update(stage=TournamentTable.Stage.OVER)
    people = locked.state.tables[event.table].people
    locked.row.entries.filter(party__in=people, status=Entry.Status.ENTERED).update(waits_since=moment_of(event.at))


def _write_board_end(locked: LockedTournament, event: BoardClosed) -> None:
    locked.row.tables.filter(round=event.round).update(stage=TournamentTable.Stage.OVER)


def _write_changed_result(locked: LockedTournament, event: ResultChanged) -> None:
    if locked.state.stage == "over":
        _write_ranks(locked)


def _write_end(locked: LockedTournament, event: Ended | Cancelled) -> None:
    locked.row.stage, locked.row.finished_at = locked.state.stage, moment_of(event.at)
    locked.row.entries.exclude(address="").update(address="")
    locked.row.entries.exclude(waits_since=None).update(waits_since=None)
    if isinstance(event, Ended):
        _write_ranks(locked)
    elif event.reason != STAFF:  # moderators give a reason of their own
        notices.send_cancellation(locked.row, event.reason)
    announcements.touch_lobby()


def _write_ranks(locked: LockedTournament) -> None:
    ranks = {line.party: line.rank for line in standings(locked.state)}
    entries = list(locked.row.entries.only("pk", "party", "rank"))
    for entry in entries:
        entry.rank = ranks.get(entry.party)
    Entry.objects.bulk_update(entries, ["rank"])


WRITE_BY_TYPE: Mapping[type[Event], Callable[[LockedTournament, Any], None]] = MappingProxyType(
    {
        Entered: _write_entry,
        Left: _write_departure,
        SatOut: _write_wait,
        Returned: _write_wait,
        Started: _write_start,
        Paired: _write_pairing,
        Begun: _write_begin,
        Counted: _write_table_end,
        Dropped: _write_table_end,
        BoardClosed: _write_board_end,
        ResultChanged: _write_changed_result,
        Ended: _write_end,
        Cancelled: _write_end,
    }
)
