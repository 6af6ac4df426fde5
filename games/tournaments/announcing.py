"""Announcing and cancelling tournaments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from types import MappingProxyType
from typing import Any

from django.db import transaction

from accounts.models import User
from games.broadcast import announcements
from games.clubs import locks, notices
from games.engine.options import FULL, LENGTH_OPTION, ONE_ROUND
from games.engine.variants import rules_for
from games.enums import DAILY_CLOCKS, AbsencePolicy, ChatPolicy, Clock, TournamentFormat, Visibility
from games.errors import Refused
from games.fair_dealing import dealing
from games.match.moments import milliseconds
from games.models import Match, Tournament
from games.services import seating
from games.terms.terms import Terms as TableTerms
from games.tournaments import commits, record
from games.tournaments.conditions import Conditions
from games.tournaments.core import commands
from games.tournaments.core.decide import new_tournament
from games.tournaments.core.refusal import Refusal
from games.tournaments.core.terms import MAX_ROUNDS, Format, Terms
from games.words.length import MEDIAN_MINUTES, length_of

MAX_HOSTED = 2  # tournaments of one person that are not over
EARLIEST_START, LATEST_START = timedelta(minutes=5), timedelta(days=30)
ARENA_MINUTES = (30, 60)
USUAL_MINUTES = 10  # of a match that was not measured
BOARD_MINUTES = 5  # of one round
BOARD_COUNTS = (4, 8)  # boards of a duplicate tournament, each a round
MAX_PARTIES = {TournamentFormat.ARENA: 1000, TournamentFormat.SWISS: 256, TournamentFormat.DUPLICATE: 256}
FORMATS = tuple(MAX_PARTIES)
MAX_NAME = 40
CORE_FORMATS: Mapping[str, Format] = MappingProxyType(
    {TournamentFormat.ARENA: "arena", TournamentFormat.SWISS: "swiss", TournamentFormat.DUPLICATE: "duplicate"}
)


@dataclass(frozen=True, slots=True)
class Announcement:
    """The terms of a new tournament. ``minutes``: of an arena. ``club``: the id of the club to which it belongs.

    ``rounds``: of a Swiss, 0 for the usual number; the boards of a duplicate tournament, whose matches have one round.
    """

    format: str
    variant: str
    seats: int
    starts_at: datetime
    options: Mapping[str, str] = field(default_factory=dict)
    clock: str = Clock.NORMAL
    rated: bool = False
    minutes: int = 0
    rounds: int = 0
    name: str = ""
    visibility: str = Visibility.PUBLIC
    asks: bool = False
    conditions: Conditions = field(default_factory=Conditions)
    club: int | None = None

    @property
    def is_duplicate(self) -> bool:
        return self.format == TournamentFormat.DUPLICATE

    @property
    def table_options(self) -> dict[str, str]:
        one_round = rules_for(self.variant).one_round if self.is_duplicate else {}
        return {**self.options, **one_round}

    @property
    def table_terms(self) -> TableTerms:
        """The terms of each table. A bot plays for absent people, so no table waits. The chat has phrases only."""
        return TableTerms(
            self.variant,
            self.seats,
            self.table_options,
            self.clock,
            self.visibility,
            rated=self.rated,
            absence=AbsencePolicy.HOLD,
            talk=ChatPolicy.PRESET_PHRASES,
        )


@transaction.atomic
def announce_as_host(*, host: User, announcement: Announcement, now: datetime) -> Tournament:
    """Announce a tournament of a person, who does not enter by that.

    Raises Refused ``needs_account``, ``too_many_tournaments``, ``club_leader``, ``suspended``, and as ``announce``.
    """
    if host.is_guest:
        raise Refused("needs_account")
    seating.lock_person(host)
    if not EARLIEST_START <= announcement.starts_at - now <= LATEST_START or not announcement.name.strip():
        raise Refused("bad_request")
    hosted = Tournament.objects.filter(host=host, stage__in=Tournament.UNFINISHED)
    if hosted.count() >= MAX_HOSTED:
        raise Refused("too_many_tournaments")
    if announcement.club is not None:
        locks.require_leader(host.pk, announcement.club)
    row = announce(announcement, host=host, now=now)
    if row.club_id is not None and row.visibility == Visibility.PUBLIC:
        # After the commit: it locks many people, and nobody else may be locked then.
        send = partial(notices.announce_tournament, tournament_id=row.pk, now=now)
        transaction.on_commit(send, robust=True)
    return row


@transaction.atomic
def announce(
    announcement: Announcement, *, now: datetime, host: User | None = None, plan: str | None = None
) -> Tournament:
    """Announce a tournament.

    Raises Refused ``bad_request``, ``rated_is_full``, ``bots_terms``, DoesNotExist for a known plan.
    """
    _require_possible(announcement)
    columns = announcement.table_terms.columns()
    options: Mapping[str, str] = columns["options"]  # type: ignore[assignment]
    terms = _terms(announcement, options)
    try:
        event = new_tournament(terms, milliseconds(now), by="host" if host else "")
    except Refusal:
        raise Refused("bad_request") from None
    secret = dealing.new_secret() if announcement.is_duplicate else ""
    new_row = Tournament(
        plan=plan,
        host=host,
        options=options,
        people=terms.people,
        secret=secret,
        commitment=dealing.commitment(secret) if secret else "",
        **_columns(announcement),
    )
    Tournament.objects.bulk_create([new_row], ignore_conflicts=True)  # without an error in the log of PostgreSQL
    row = Tournament.objects.get(slug=new_row.slug)
    row.version = record.append(row.pk, 0, [event])
    row.save(update_fields=["version"])
    announcements.touch_lobby()
    return row


def _columns(announcement: Announcement) -> dict[str, Any]:
    return {
        "format": announcement.format,
        "name": announcement.name.strip(),
        "visibility": announcement.visibility,
        "asks": announcement.asks,
        "conditions": announcement.conditions.to_data(),
        "club_id": announcement.club,
        "variant": announcement.variant,
        "seat_count": announcement.seats,
        "clock": announcement.clock,
        "rated": announcement.rated,
        "minutes": announcement.minutes,
        "starts_at": announcement.starts_at,
        "due_at": announcement.starts_at,
    }


def _require_possible(announcement: Announcement) -> None:
    is_arena = announcement.format == TournamentFormat.ARENA
    if (
        announcement.format not in FORMATS
        or len(announcement.name.strip()) > MAX_NAME
        or announcement.clock in (*DAILY_CLOCKS, Clock.NONE)
        or (announcement.minutes not in ARENA_MINUTES if is_arena else announcement.minutes)
        or not 0 <= announcement.rounds <= (0 if is_arena else MAX_ROUNDS)
        or (announcement.is_duplicate and announcement.rounds not in BOARD_COUNTS)
    ):
        raise Refused("bad_request")
    if announcement.is_duplicate and announcement.rated:
        raise Refused("rated_is_full")
    conditions = announcement.conditions
    is_for_people = announcement.rated or announcement.is_duplicate or announcement.club is not None
    if conditions.bots and (is_for_people or conditions.needs_account):
        raise Refused("bots_terms")


def _terms(announcement: Announcement, options: Mapping[str, str]) -> Terms:
    sides = len(set(rules_for(announcement.variant).sides(announcement.seats, options)))
    return Terms(
        format=CORE_FORMATS[announcement.format],
        sides=sides,
        people=announcement.seats // sides,
        starts_at=milliseconds(announcement.starts_at),
        usual_minutes=usual_minutes(announcement.variant, options, announcement.seats),
        minutes=announcement.minutes,
        rounds=announcement.rounds,
        max_parties=MAX_PARTIES[TournamentFormat(announcement.format)],
    )


def usual_minutes(variant: str, options: Mapping[str, str], seats: int) -> int:
    """Return how long a match with these options usually takes."""
    length = length_of(options) if LENGTH_OPTION in rules_for(variant).options else FULL
    if length == ONE_ROUND:
        return BOARD_MINUTES
    return MEDIAN_MINUTES.get(variant, {}).get(length, {}).get(seats, USUAL_MINUTES)


def terms_of_tables(row: Tournament) -> TableTerms:
    """Return the terms of the tables of a tournament.

    Boards are not listed: others still play the deal. Tables of bots are in no list of people.
    """
    is_unlisted = row.format == TournamentFormat.DUPLICATE or Conditions.from_data(row.conditions).bots
    return TableTerms(
        row.variant,
        row.seat_count,
        row.options,
        row.clock,
        Visibility.LINK if is_unlisted else row.visibility,
        rated=row.rated,
        delay=Match.Delay.NONE,
        absence=AbsencePolicy.HOLD,
        talk=ChatPolicy.PRESET_PHRASES,
    )


@transaction.atomic
def cancel(*, tournament: Tournament, by: User, now: datetime) -> None:
    """Cancel a tournament before its start, as its host. Moderators do it by ``moderation.tournament_acts``.

    Raises Refused ``tournament_host``, ``tournament_stale`` after the start, ``tournament_over``.
    """
    locked = commits.lock(tournament.pk)
    if locked.row.host_id != by.pk:
        raise Refused("tournament_host")
    if locked.row.stage == Tournament.Stage.RUNNING:
        raise Refused("tournament_stale")
    locked.carry_out(commands.Cancel("host", "host"), now)
