"""The spectators in all processes: each has a row for every match that is watched through its sockets.

A process writes its rows together, and only those that changed or have to be renewed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any

from django.db import transaction

from games.broadcast import announcements
from games.models import Match, SpectatorCount
from games.presence.people import NOBODY, People, people_from_json

RENEWED = timedelta(seconds=30)
GONE = timedelta(seconds=90)
"""An older row belongs to a process that was killed."""

Spectators = dict[int, People]
"""By match, without matches that nobody watches."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a process last reported about a match."""

    match_id: int
    process: str
    people: People
    at: datetime


def of_matches(match_ids: Iterable[int], now: datetime) -> Spectators:
    """Return the spectators of these matches."""
    return _merged(_rows(match_id__in=list(match_ids), at__gt=now - GONE))


def everywhere(now: datetime) -> People:
    """Return the spectators of all matches together."""
    return reduce(or_, (row.people for row in _rows(at__gt=now - GONE)), NOBODY)


def exchange(*, process: str, here: Mapping[int, People], now: datetime) -> Spectators:
    """Report what a process counts ``here``, and return the spectators of all matches in all processes.

    If nothing changed this only reads. Rows of processes that are gone are deleted.
    """
    rows = _rows()
    own = {row.match_id: row for row in rows if row.process == process}
    renewed = [
        Row(match_id, process, people, now)
        for match_id, people in here.items()
        if people.number and _is_new(own.get(match_id), people, now)
    ]
    ended = [match_id for match_id in own if not here.get(match_id, NOBODY).number]
    before, gone = _merged(rows), any(row.at <= now - GONE for row in rows)
    if not (renewed or ended or gone):
        return before
    replaced = {row.match_id for row in renewed}.union(ended)
    kept = [row for row in rows if row.at > now - GONE and (row.process != process or row.match_id not in replaced)]
    after = _merged(kept + renewed)
    changed = {pk for pk in before | after if before.get(pk, NOBODY).number != after.get(pk, NOBODY).number}
    _write(process, renewed, ended, changed, now)
    return after


def _is_new(before: Row | None, people: People, now: datetime) -> bool:
    return before is None or before.people != people or before.at <= now - RENEWED


@transaction.atomic
def _write(process: str, renewed: Sequence[Row], ended: Sequence[int], changed: set[int], now: datetime) -> None:
    """Write, and announce it to the lobby if the number of spectators of a listed match changed."""
    SpectatorCount.objects.filter(at__lte=now - GONE).delete()
    SpectatorCount.objects.filter(process=process, match_id__in=ended).delete()
    about = changed.union(row.match_id for row in renewed)
    # A match may have been deleted while people watched it.
    lists = dict(Match.objects.filter(pk__in=about).values_list("pk", "visibility"))
    SpectatorCount.objects.bulk_create(
        [_stored(row) for row in renewed if row.match_id in lists],
        update_conflicts=True,
        unique_fields=["match", "process"],
        update_fields=["watchers", "names", "at"],
    )
    if any(lists.get(match_id) == Match.Visibility.PUBLIC for match_id in changed):
        announcements.touch_lobby()


def _stored(row: Row) -> SpectatorCount:
    names = list(row.people.named)
    return SpectatorCount(
        match_id=row.match_id, process=row.process, watchers=row.people.number, names=names, at=row.at
    )


def _rows(**which: Any) -> list[Row]:
    found = SpectatorCount.objects.filter(**which).values_list("match_id", "process", "watchers", "names", "at")
    return [
        Row(match_id, process, people_from_json(names, number), at) for match_id, process, number, names, at in found
    ]


def _merged(rows: Iterable[Row]) -> Spectators:
    spectators: Spectators = {}
    for row in rows:
        spectators[row.match_id] = spectators.get(row.match_id, NOBODY) | row.people
    return spectators
