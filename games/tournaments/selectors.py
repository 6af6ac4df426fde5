"""Tournaments as their pages show them: lists, entrants, the standing and the tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import QuerySet

from games.models import Entry, Tournament, TournamentTable
from games.tournaments import record
from games.tournaments.core.standings import Line, standings
from games.tournaments.core.state import State
from games.tournaments.core.terms import Terms

RECENT = timedelta(days=7)
MAX_LISTED = 50
MAX_HOSTED_LISTED = 25


class TournamentLists(NamedTuple):
    """Public tournaments: those that run, those that come, the next first, and those that are over, latest first."""

    running: tuple[Tournament, ...]
    upcoming: tuple[Tournament, ...]
    finished: tuple[Tournament, ...]


class Person(NamedTuple):
    """A person of a party. ``user_id`` is None for somebody whose account was deleted."""

    user_id: int | None
    name: str


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A line of the standing with the people of the party. ``reason``: why it has left, "" while it plays."""

    line: Line
    people: tuple[Person, ...]
    reason: str
    sits_out: bool


def load_lists(now: datetime) -> TournamentLists:
    rows = Tournament.objects.filter(visibility=Tournament.Visibility.PUBLIC).select_related("host", "club")
    stages = Tournament.Stage
    return TournamentLists(
        tuple(rows.filter(stage=stages.RUNNING).order_by("starts_at", "pk")[:MAX_LISTED]),
        tuple(rows.filter(stage=stages.ANNOUNCED).order_by("starts_at", "pk")[:MAX_LISTED]),
        tuple(rows.filter(stage=stages.OVER, starts_at__gt=now - RECENT).order_by("-starts_at", "-pk")[:MAX_LISTED]),
    )


def tournament_with_slug(slug: str) -> Tournament | None:
    """Return a tournament. Anybody who knows its address may see it, as at tables."""
    return Tournament.objects.filter(slug=slug).select_related("host", "club").first()


def hosted_tournaments(user_id: int) -> QuerySet[Tournament]:
    """Return the newest tournaments of a host."""
    return Tournament.objects.filter(host=user_id).select_related("host", "club").order_by("-pk")[:MAX_HOSTED_LISTED]


def load_state(row: Tournament) -> State:
    return record.state_of(row.pk, row.version)


def load_terms(row: Tournament) -> Terms:
    return load_state(row).terms


def standing_rows(row: Tournament) -> tuple[StandingRow, ...]:
    """Return the whole standing, best first."""
    state, people = load_state(row), people_by_party(row)
    return tuple(
        StandingRow(
            line,
            people.get(line.party, ()),
            state.entries[line.party].left_reason,
            state.entries[line.party].sits_out,
        )
        for line in standings(state)
    )


def people_by_party(row: Tournament, parties: Iterable[str] | None = None) -> dict[str, tuple[Person, ...]]:
    """Return the people of these parties, or of all, in the order of their entries."""
    entries = row.entries.order_by("pk")
    if parties is not None:
        entries = entries.filter(party__in=set(parties))
    by_party: dict[str, tuple[Person, ...]] = {}
    for party, user_id, name in entries.values_list("party", "user_id", "name"):
        by_party[party] = (*by_party.get(party, ()), Person(user_id, name))
    return by_party


def pending_entries(row: Tournament) -> QuerySet[Entry]:
    """Return the entries that wait for the host."""
    return row.entries.filter(status=Entry.Status.ASKED, leaving="").order_by("pk")


def partner_seekers(row: Tournament) -> QuerySet[Entry]:
    """Return the people who seek a partner."""
    return row.entries.filter(status=Entry.Status.SEEKING, leaving="").order_by("pk")


def current_tables(row: Tournament) -> QuerySet[TournamentTable]:
    """Return the tables of the round, in an arena all that are played."""
    tables = row.tables.select_related("match").order_by("number")
    if load_state(row).is_arena:
        return tables.exclude(stage=TournamentTable.Stage.OVER)
    return tables.filter(round=row.round)


def tournament_of_match(match_id: int) -> Tournament | None:
    """Return the tournament of a match, None for other matches."""
    return Tournament.objects.filter(tables__match=match_id).first()
