"""Counting tables: the clock looks at their matches, which know nothing of tournaments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction

from games.engine.events import Drew, Passed, Played, Standing
from games.engine.notation import standing_from_json
from games.engine.ranking import ranks
from games.engine.rules import Rules
from games.engine.variants import rules_for
from games.errors import Refused
from games.match import record as match_record
from games.match.moments import milliseconds
from games.match.record import RecordTooShort
from games.models import Match, Seat, Tournament, TournamentTable
from games.services import play
from games.tournaments import boards, commits, record
from games.tournaments.commits import STAFF, LockedTournament
from games.tournaments.core import commands
from games.tournaments.core.progress import overdue_tables
from games.tournaments.core.shares import raw_results
from games.tournaments.core.state import State, Table

COUNT_BATCH = 50  # tables in a transaction


class TableResult(NamedTuple):
    """The places of the parties that came, and their raw results in sixths."""

    places: dict[str, int]
    raws: dict[str, int]


def count_ended_tables(locked: LockedTournament, now: datetime) -> None:
    """Count the tables whose match is over."""
    rows = locked.row.tables.filter(stage=TournamentTable.Stage.PLAYING).exclude(match__status__in=Match.UNFINISHED)
    for row in rows.select_related("match").order_by("number")[:COUNT_BATCH]:
        if (missing := missing_on_unfinished_board(row)) is not None:
            locked.carry_out(commands.Drop(row.number, missing), now)
            continue
        places, raws = result_of(row)
        locked.carry_out(commands.Count(row.number, places, raws), now)
        if _is_void(row):
            locked.carry_out(commands.ChangeResult(row.number, {}, STAFF), now)


@transaction.atomic
def recount(*, tournament_id: int, now: datetime) -> None:
    """Change the results of matches that a moderator has declared void, or valid again, since they were counted."""
    locked = commits.lock(tournament_id)
    for row in locked.row.tables.filter(recounts=True).select_related("match"):
        row.recounts = False
        row.save(update_fields=["recounts"])
        with suppress(Refused):  # the tournament was cancelled
            is_void = _is_void(row) or missing_on_unfinished_board(row) is not None
            result = TableResult({}, {}) if is_void else result_of(row)
            locked.carry_out(commands.ChangeResult(row.number, result.places, STAFF, result.raws), now)


def stop_overdue_matches(row: Tournament, now: datetime) -> None:
    """Stop the tables of a round that must not go on, outside of the lock. The next pass counts them.

    In an arena a match goes on, and counts no more (``drop_overdue_tables``).
    """
    state = record.state_of(row.pk, row.version)
    for table in () if state.is_arena else overdue(row, state, now):
        match = Match.objects.filter(slug=table.match).first()
        if match is not None:
            with suppress(Refused):  # it has ended meanwhile
                play.stop_match(match_id=match.pk)


def drop_overdue_tables(locked: LockedTournament, now: datetime) -> None:
    """Drop the tables of an arena that take too long, and those that were paired and must not begin."""
    for table in overdue(locked.row, locked.state, now):
        if locked.state.is_arena or not table.begun_at:
            with suppress(Refused):  # an outage since its start, which does not count
                locked.carry_out(commands.Drop(table.number), now)


def overdue(row: Tournament, state: State, now: datetime) -> Sequence[Table]:
    """Return the tables that have taken too long, without the time of outages. New bots end all tables of a board."""
    if boards.has_older_bots(row):
        return [table for table in state.current_tables if table.is_pending]
    return overdue_tables(state, milliseconds(now - timedelta(milliseconds=row.lost_ms)))


def result_of(row: TournamentTable) -> TableResult:
    """Return the result of a table whose match is over.

    A match that was stopped counts by the standing after its last whole round, one without a round as a tie. On a
    board, a party that was not there at the end has no result.
    """
    match = row.match
    if match is None:
        return TableResult({party: 1 for party in row.parties if party}, {})
    rules, seats = rules_for(match.variant), list(match.seats.order_by("index"))
    sides = rules.sides(len(seats), match.options)
    standing = standing_from_json(match.standing) if match.standing else (Standing(),) * (max(sides) + 1)
    places = [seat.place or 0 for seat in seats]
    is_finished = all(places)
    if not is_finished:
        places = _places_by_standing(rules, standing, sides)
    missing = _seats_without_person(seats) if match.source else _seats_without_own_move(match, seats)
    came = {side for seat, side in enumerate(sides) if seat not in missing}
    by_side = {side: min(place for place, own in zip(places, sides, strict=True) if own == side) for side in came}
    raws = raw_results([side.points for side in standing], is_low_better=rules.are_points_bad)
    parties = {side: party for side, party in enumerate(row.parties) if party and side in came}
    return TableResult(
        {party: by_side[side] for side, party in parties.items()},
        {party: raws[side] for side, party in parties.items() if is_finished},
    )


def missing_on_unfinished_board(row: TournamentTable) -> tuple[str, ...] | None:
    """Return the parties that were not there at the end of a board that was not played to its end, else None.

    The others have no result to compare: the mean of their other boards counts.
    """
    match = row.match
    if match is None or not match.source or match.status == Match.Status.VOID:
        return None
    end = match_record.state_of(match.pk, match.version).match_over
    if end is not None and end.reason == "finished":
        return None
    sides = rules_for(match.variant).sides(match.seat_count, match.options)
    missing = _seats_without_person(match.seats.all())
    came = {side for seat, side in enumerate(sides) if seat not in missing}
    return tuple(party for side, party in enumerate(row.parties) if party and side not in came)


def _seats_without_person(seats: Iterable[Seat]) -> set[int]:
    """Return the seats whose person had left, or had a bot, at the end."""
    departures = (Seat.Outcome.LEFT, Seat.Outcome.TIMEOUT)
    return {seat.index for seat in seats if seat.bot or seat.outcome in departures}


def _places_by_standing(rules: Rules, standing: Sequence[Standing], sides: Sequence[int]) -> list[int]:
    by_side = ranks([(False, -rules.merit(side)) for side in standing])
    return [by_side[side] for side in sides]


def _seats_without_own_move(match: Match, seats: Sequence[Seat]) -> set[int]:
    """Return the seats with a bot at the end whose person has made no move: nobody came."""
    with_bots = {seat.index for seat in seats if seat.bot}
    if not with_bots:
        return set()
    try:
        bots = set(match_record.start_event(match.pk).bots)
    except RecordTooShort:
        return with_bots
    moves = (event for _seq, event, _at in match_record.read_events(match.pk))
    moved = {event.seat for event in moves if isinstance(event, Played | Drew | Passed) and not event.by}
    return {seat for seat in with_bots if seat in bots or seat not in moved}


def _is_void(row: TournamentTable) -> bool:
    return row.match is None or row.match.status == Match.Status.VOID
