"""Chooses the tables that the lobby lists if there are too many: nobody can fill the list with their own tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet

from accounts.models import Trace
from games.models import Match, Seat

MAX_PER_HOST = 2


class Candidate(NamedTuple):
    """A table that may be listed. ``address`` is the mark of the network address that its host came from last."""

    match_id: int
    host: int | None
    is_guest: bool | None
    address: str | None
    is_followed: bool
    host_is_present: bool


def load_candidates(tables: QuerySet[Match], followed: frozenset[int]) -> list[Candidate]:
    """Read these tables; ``followed`` are the people whom the viewer follows."""
    seats = Seat.objects.filter(match=OuterRef("pk"))
    addresses = Trace.objects.filter(user=OuterRef("host"), kind=Trace.Kind.ADDRESS).order_by("-seen_at")
    follows_a_player = Q(Exists(seats.filter(user__in=followed))) if followed else Q(pk__in=())
    rows = tables.annotate(
        address=addresses.values("mark")[:1],
        is_followed=ExpressionWrapper(follows_a_player, output_field=BooleanField()),
        host_is_present=Exists(seats.filter(user=OuterRef("host"), away=False)),
    )
    columns = ("pk", "host", "host__is_guest", "address", "is_followed", "host_is_present")
    return [Candidate(*row) for row in rows.values_list(*columns)]


def choose_tables(tables: Iterable[Candidate], limit: int) -> list[int]:
    """Return the ids of at most ``limit`` tables: those of followed people, then each address in turn.

    Every address gets its first table listed before any address its second. Within an address accounts come before
    guests, then hosts who are there, then the newest tables. Of each host at most ``MAX_PER_HOST`` are listed.
    """
    hosts: Counter[int | None] = Counter()
    tables_by_source: Counter[str] = Counter()
    ranked = []
    for table in sorted(tables, key=_rank):
        hosts[table.host] += 1
        if table.host is not None and hosts[table.host] > MAX_PER_HOST:
            continue
        source = table.address or f"host {table.host or table.match_id}"
        tables_by_source[source] += 1
        ranked.append((not table.is_followed, tables_by_source[source], *_rank(table)))
    return [-negative_id for *_rest, negative_id in sorted(ranked)[:limit]]


def _rank(table: Candidate) -> tuple[bool, bool, bool, int]:
    return not table.is_followed, bool(table.is_guest), not table.host_is_present, -table.match_id
