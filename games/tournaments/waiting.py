"""Parties that the site has seen: those that a round pairs, and those that wait for a table of an arena."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from itertools import combinations, groupby
from operator import itemgetter

from django.db.models import Q, QuerySet

from accounts import traces
from games.enums import DAILY_CLOCKS
from games.match.moments import milliseconds
from games.models import Entry, Match, Seat, Tournament
from games.tournaments.core.seating import Pair, pair_of
from games.tournaments.core.state import State

CHECK_IN = timedelta(minutes=2)  # before the start
SEEN_FOR_ROUND = timedelta(seconds=60)
SEEN_FOR_ARENA = timedelta(seconds=45)  # the wait of a person who returns later begins again


def present_parties(row: Tournament, state: State, since: datetime) -> set[str]:
    """Return the parties all of whose people the site has seen since then."""
    return _whole_parties(state, {entry.key for entry in _seen_entries(row, state, since)})


def waiting_parties(row: Tournament, state: State, now: datetime) -> dict[str, int]:
    """Return since when each party waits: seen, free, and at no other table that is played."""
    free_parties = state.free_parties
    free = {person for party in free_parties for person in state.entries[party].people}
    seen = _seen_entries(row, state, now - SEEN_FOR_ARENA).values_list("key", "user_id", "waits_since")
    entries = [entry for entry in seen if entry[0] in free]
    busy = _people_at_tables({user_id for _key, user_id, _since in entries if user_id})
    since = {key: milliseconds(waits or now) for key, user_id, waits in entries if user_id not in busy}
    return {
        party: max(since[person] for person in state.entries[party].people)
        for party in _whole_parties(state, since.keys()) & free_parties
    }


def pairs_apart(row: Tournament, parties: Collection[str]) -> tuple[Pair, ...]:
    """Return the pairs of parties with people who share addresses or devices, or with bots of one owner."""
    entries = row.entries.filter(party__in=parties, user__isnull=False)
    party_of = dict(entries.values_list("user_id", "party"))
    groups = [{party_of[user_id] for user_id in people} for people in traces.group_people(list(party_of))]
    bots = entries.filter(user__bot_owner__isnull=False).order_by("user__bot_owner")
    rows = bots.values_list("user__bot_owner", "party")
    groups += [{party for _owner, party in own} for _owner, own in groupby(rows, key=itemgetter(0))]
    return tuple({pair_of(*pair) for group in groups for pair in combinations(sorted(group), 2)})


def _seen_entries(row: Tournament, state: State, since: datetime) -> QuerySet[Entry]:
    """Return the entries of people with an open page of the tournament, or of their last table."""
    at_tables = Seat.objects.filter(
        match__slug__in=_last_matches(state), last_seen__gt=since, left_at=None, user__isnull=False
    )
    seen = Q(seen_at__gt=since) | Q(user__in=list(at_tables.values_list("user_id", flat=True)))
    return row.entries.filter(seen, status=Entry.Status.ENTERED, leaving="")


def _last_matches(state: State) -> set[str]:
    """Return the match of the last table of each party."""
    last = {party: table.match for table in state.tables for party in table.people}
    return set(last.values()) - {""}


def _whole_parties(state: State, people: Collection[str]) -> set[str]:
    return {entry.party for entry in state.active if all(person in people for person in entry.people)}


def _people_at_tables(people: Collection[int]) -> set[int]:
    """Return those of these people who play. Daily matches keep nobody."""
    seats = Seat.objects.filter(user__in=people, match__status__in=Match.UNFINISHED)
    seats = seats.exclude(state=Seat.State.FORFEITED).exclude(match__clock__in=DAILY_CLOCKS)
    return set(seats.values_list("user_id", flat=True))
