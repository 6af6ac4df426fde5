"""The tables of tournaments: the site seats their people and starts the matches, as nobody's request does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction

from accounts import selectors
from games.bots.boards import OPPONENT_LEVEL
from games.broadcast import announcements
from games.engine.variants import rules_for
from games.errors import Refused
from games.fair_dealing import nonces
from games.models import Entry, Match, Seat, Tournament
from games.services import play, seating
from games.services.boards import create_board_table
from games.tournaments import boards, commits
from games.tournaments.announcing import terms_of_tables
from games.tournaments.commits import LockedTournament
from games.tournaments.core import commands
from games.tournaments.core.state import Table

MIN_PARTIES = 2  # a party whose opponents cannot sit down has beaten them, but on a board the field is the opponent


@transaction.atomic
def begin_table(*, tournament_id: int, number: int, now: datetime) -> bool:
    """Seat the people of a pairing and start their match. Return False if somebody else did, or does so now.

    Bots take the seats of people who were suspended or deleted since the pairing. Such a party did not come.
    """
    locked = commits.lock_if_free(tournament_id)
    if locked is None or number not in range(len(locked.state.tables)):
        return False
    table = locked.state.tables[number]
    if table.begun_at or not table.is_pending:
        return False
    able = _lock_able_parties({party: locked.entries_of(party) for party in table.people})
    if len(able) < (1 if locked.state.is_duplicate else MIN_PARTIES):
        locked.carry_out(commands.Count(number, dict.fromkeys(able, 1)), now)
        return True
    match = _create_table(locked, table)
    seats = seating.seats_of(match)
    for index, entry in _seat_plan(locked.row, table, able).items():
        _take(seats, index, entry)
    seating.fill_with_bots(seats, OPPONENT_LEVEL)
    if match.source:
        play.start_match(match=match)
    else:
        nonces.begin_start(match, seats)
    locked.carry_out(commands.Begin(number, match.slug), now)
    announcements.lead_to_table([seat.user_id for seat in seats if seat.user_id], match.slug)
    return True


def _create_table(locked: LockedTournament, table: Table) -> Match:
    """Create the empty table of a pairing. On a board it has the deal of its round, and no nonces of its own."""
    terms = terms_of_tables(locked.row)
    if not locked.state.is_duplicate:
        return seating.create_table(host=None, terms=terms)
    board = boards.board_of(locked.row, locked.state, table.round)
    return create_board_table(host=None, terms=terms, board=board)


def tables_to_begin(locked: LockedTournament, limit: int) -> list[int]:
    """Return the first tables that were paired and have not begun."""
    waiting = [table.number for table in locked.state.current_tables if table.is_pending and not table.begun_at]
    return waiting[:limit]


def _lock_able_parties(parties: Mapping[str, Sequence[Entry]]) -> dict[str, Sequence[Entry]]:
    """Lock the people of a table, and return the parties all of whose people may play.

    All are locked in one order: another tournament may seat the same people at the same time.
    """
    ids = sorted({entry.user_id for entries in parties.values() for entry in entries if entry.user_id})
    able = {user_id for user_id in ids if selectors.lock_person(user_id) and not selectors.active_suspension(user_id)}
    return {
        party: entries
        for party, entries in parties.items()
        if entries and all(entry.user_id in able for entry in entries)
    }


def _seat_plan(row: Tournament, table: Table, people: Mapping[str, Sequence[Entry]]) -> dict[int, Entry]:
    """Return the entry for each seat: partners sit in the seats of their side."""
    sides = rules_for(row.variant).sides(row.seat_count, row.options)
    plan: dict[int, Entry] = {}
    for side, party in enumerate(table.parties):
        seats = [index for index, seat_side in enumerate(sides) if seat_side == side]
        plan |= dict(zip(seats, people.get(party, ()), strict=False))
    return plan


def _take(seats: Sequence[Seat], index: int, entry: Entry) -> None:
    """Seat a person. Somebody who took a name like another's since the entry has a bot instead."""
    if entry.user is None:
        return
    try:
        with transaction.atomic():
            seating.take_seat(seats, entry.user, index=index, ready=True, mark=entry.address)
    except Refused:
        return
