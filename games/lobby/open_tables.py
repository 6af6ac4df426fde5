"""The tables in the lists of the lobby, read with four queries."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games import access
from games.broadcast.groups import match_group
from games.engine.events import Standing
from games.engine.variants import rules_for
from games.enums import Delay, Occupant, Status, Visibility
from games.lobby import fair_shares
from games.match import disclosure, record
from games.match.listed import ListedSeat, ListedTable, TableLists
from games.match.table import AgreedTerms
from games.models import Match, Seat, TournamentTable
from games.presence import online
from games.presence.people import NOBODY, PeopleByPlace
from games.services import seating
from games.spectators import delayed

MAX_LISTED = 40  # open tables listed at most, and running ones
MAX_CANDIDATES = 400  # running matches among which the listed ones are chosen, the newest
MATCH_COLUMNS = (
    *("slug", "variant", "options", "clock", "visibility", "rated", "delay", "absence", "status", "round", "to_move"),
)
SEAT_COLUMNS = ("match_id", "index", "user_id", "user__is_guest", "bot", "name", "colour", "away")


class Progress(NamedTuple):
    """How far a match is: for its players, or for spectators who see it with a delay."""

    round: int
    status: str
    standings: tuple[Standing, ...] | None
    last_event_at: datetime | None
    is_delayed: bool = False


def load_lists(
    variant: str = "",
    restricted_viewer_id: int | None = None,
    followed: frozenset[int] = frozenset(),
    own: frozenset[int] = frozenset(),
) -> TableLists:
    """Read the public tables of one variant or ("") of all, without those ``restricted_viewer_id`` may not see.

    Tables of ``followed`` people come first; the page lists the viewer's ``own`` tables apart. If there are too many,
    ``fair_shares`` chooses.
    """
    public_matches = _public_matches(variant, restricted_viewer_id, own)
    running = public_matches.filter(_visibly_running())
    if followed:
        has_followed_player = Exists(Seat.objects.filter(match=OuterRef("pk"), user__in=followed))
        running = running.order_by(has_followed_player.desc(), "-pk")
    match_ids = [
        match_id
        for tables in (public_matches.filter(status=Status.OPEN), running[:MAX_CANDIDATES])
        for match_id in fair_shares.choose_tables(fair_shares.load_candidates(tables, followed), MAX_LISTED)
    ]
    tables = _load_tables(Q(match_id__in=match_ids), None, followed)
    tables = tuple(sorted(tables, key=lambda table: not table.is_followed))
    playing = [table for table in tables if table.status != Status.OPEN]
    waiting = (table for table in tables if table.status == Status.OPEN)
    return TableLists(
        open=tuple(sorted(waiting, key=lambda table: (not table.is_followed, not table.free))),
        running=tuple(table for table in playing if not table.exhibition),
        exhibitions=tuple(table for table in playing if table.exhibition),
    )


def _public_matches(variant: str, restricted_viewer_id: int | None, own: frozenset[int]) -> QuerySet[Match]:
    """Return the matches that may be in the lists, newest first. A tournament lists its own tables."""
    in_tournament = Exists(TournamentTable.objects.filter(match=OuterRef("pk")))
    matches = Match.objects.filter(~in_tournament, visibility=Visibility.PUBLIC).exclude(_reveals_an_end())
    matches = matches.order_by("-pk")
    if own:
        matches = matches.exclude(pk__in=own)
    if restricted_viewer_id is not None:
        matches = matches.filter(access.unblocked_matches(restricted_viewer_id))
    return matches.filter(variant=variant) if variant else matches


def _visibly_running() -> Q:
    """Return the matches that are running, or over where spectators still see them running."""
    return Q(status=Status.RUNNING) | (disclosure.undisclosed_matches() & ~Q(status=Status.VOID))


def _reveals_an_end() -> Q:
    """Return the rematches of matches that spectators still see running."""
    return Q(pk__in=Match.objects.filter(disclosure.undisclosed_matches(), rematch__isnull=False).values("rematch"))


def people_with_listed_seats(people: frozenset[int]) -> frozenset[int]:
    """Return those of these people who have a seat at a table that the lists may show."""
    listed = Match.objects.filter(Q(status=Status.OPEN) | _visibly_running(), visibility=Visibility.PUBLIC)
    seats = Seat.objects.filter(user__in=people, match__in=listed)
    return frozenset(seats.values_list("user_id", flat=True))


def own_table_ids(user_id: int | None) -> frozenset[int]:
    """Return the matches of ``load_own_tables`` that the lists may show, too."""
    if user_id is None:
        return frozenset()
    seats = seating.unfinished_seats(user_id).filter(match__visibility=Visibility.PUBLIC)
    return frozenset(seats.values_list("match_id", flat=True))


def load_own_tables(user_id: int | None) -> tuple[ListedTable, ...]:
    """Read the unfinished tables that are the user's, first those where it is their turn."""
    if user_id is None:
        return ()
    tables = _load_tables(Q(match_id__in=seating.unfinished_seats(user_id).values("match_id")), user_id)
    return tuple(sorted(tables, key=lambda table: not table.awaits_viewer))


def _load_tables(
    seat_filter: Q, user_id: int | None, followed: frozenset[int] = frozenset()
) -> tuple[ListedTable, ...]:
    """Read these tables as the user, who plays there, sees them, or (None) as spectators do."""
    seats = Seat.objects.filter(seat_filter).order_by("-match_id", "index")
    rows = seats.values_list(*SEAT_COLUMNS, *(f"match__{column}" for column in MATCH_COLUMNS), named=True)
    tables = {match_id: list(table) for match_id, table in groupby(rows, key=attrgetter("match_id"))}
    now, standings, event_times = timezone.now(), record.standings(tables), record.newest_event_times(tables)
    people = online.people_by_place(now)
    listed = []
    for match_id, seat_rows in tables.items():
        match = seat_rows[0]
        progress = Progress(
            match.match__round, match.match__status, standings.get(match_id), event_times.get(match_id)
        )
        if user_id is None and match.match__delay != Delay.NONE and match.match__status != Status.OPEN:
            progress = _progress_for_spectators(match_id, progress, now)
        listed.append(_listed_table(seat_rows, progress, _spectator_count(seat_rows, people), user_id, followed))
    return tuple(listed)


def _progress_for_spectators(match_id: int, progress: Progress, now: datetime) -> Progress:
    """Return how far spectators see a match that has a delay."""
    snapshot = delayed.snapshot_for(match_id, None)
    if not snapshot.delayed:
        return progress
    return Progress(
        snapshot.table.round,
        Status.RUNNING,
        snapshot.state.standing if snapshot.state else None,
        delayed.last_event_at(snapshot.table, now),
        is_delayed=True,
    )


def _spectator_count(seats: list[Any], people: PeopleByPlace) -> int:
    return people.get(match_group(seats[0].match__slug), NOBODY).number


def _listed_table(
    seats: list[Any], progress: Progress, spectators: int, user_id: int | None, followed: frozenset[int]
) -> ListedTable:
    """Return a table; ``seats`` are its rows, each with the columns of the match."""
    match = seats[0]
    sides = rules_for(match.match__variant).sides(len(seats), match.match__options)
    scores = [progress.standings[side] if progress.standings else None for side in sides]
    listed_seats = tuple(
        _listed_seat(seat, score, is_delayed=progress.is_delayed, is_followed=seat.user_id in followed)
        for seat, score in zip(seats, scores, strict=True)
    )
    to_move = None if progress.is_delayed else match.match__to_move
    return ListedTable(
        match_id=match.match_id,
        slug=match.match__slug,
        agreed=_agreed_terms(match),
        status=progress.status,
        round=progress.round,
        seats=listed_seats,
        spectators=spectators,
        exhibition=not any(seat.user_id for seat in seats),
        awaits_viewer=user_id is not None and any(_is_turn_of(user_id, seat) for seat in seats),
        last_event_at=progress.last_event_at,
        waits_for_absent=to_move is not None and listed_seats[to_move].is_away,
    )


def _is_turn_of(user_id: int, seat: Any) -> bool:
    is_running = seat.match__status == Status.RUNNING
    return is_running and seat.user_id == user_id and seat.index == seat.match__to_move and not seat.bot


def _agreed_terms(match: Any) -> AgreedTerms:
    return AgreedTerms(
        variant=match.match__variant,
        options=tuple(sorted(match.match__options.items())),
        rated=match.match__rated,
        visibility=match.match__visibility,
        clock=match.match__clock,
        delay=match.match__delay,
        absence=match.match__absence,
    )


def _listed_seat(seat: Any, standing: Standing | None, *, is_delayed: bool, is_followed: bool) -> ListedSeat:
    """Return a seat. In a match with a delay, somebody who left is still shown."""
    is_human = bool(seat.user_id and (is_delayed or not seat.bot))
    kind = Occupant.HUMAN if is_human else Occupant.BOT if seat.bot else Occupant.EMPTY
    return ListedSeat(
        seat.name,
        seat.colour,
        kind,
        is_guest=is_human and bool(seat.user__is_guest),
        standing=standing,
        is_followed=is_human and is_followed,
        is_away=is_human and seat.away and not is_delayed,
    )
