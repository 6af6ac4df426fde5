"""What the processes of the site tell each other about who watches: a row for each match and process.

However many come and go, a process writes its rows together, and only what changed or has to be renewed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from games.broadcast import announcements
from games.models import Crowd, Match
from games.spectators.counts import NOBODY, Watchers, together

RENEWED = timedelta(seconds=30)
GONE = timedelta(seconds=90)
"""A row that is older is of a process that was killed."""

Crowds = dict[int, Watchers]
"""Who watches, by match; a match that nobody watches is not in it."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a process told last about a match."""

    match_id: int
    process: str
    watchers: Watchers
    at: datetime


def of_matches(match_ids: Iterable[int], now: datetime) -> Crowds:
    """Return who watches which of these matches."""
    return _all_together(_rows(match_id__in=list(match_ids), at__gt=now - GONE))


def exchange(*, process: str, here: Mapping[int, Watchers], now: datetime) -> Crowds:
    """Tell what a process counts ``here``, and return who watches which match in all processes.

    Where nothing changed this only reads. Rows of processes that are gone are removed.
    """
    rows = _rows()
    own = {row.match_id: row for row in rows if row.process == process}
    told = [
        Row(match_id, process, watchers, now)
        for match_id, watchers in here.items()
        if watchers.number and _is_new(own.get(match_id), watchers, now)
    ]
    ended = [match_id for match_id in own if not here.get(match_id, NOBODY).number]
    before, gone = _all_together(rows), any(row.at <= now - GONE for row in rows)
    if not (told or ended or gone):
        return before
    replaced = {row.match_id for row in told}.union(ended)
    kept = [row for row in rows if row.at > now - GONE and (row.process != process or row.match_id not in replaced)]
    after = _all_together(kept + told)
    changed = {pk for pk in before | after if before.get(pk, NOBODY).number != after.get(pk, NOBODY).number}
    _write(process, told, ended, changed, now)
    return after


def _is_new(before: Row | None, watchers: Watchers, now: datetime) -> bool:
    return before is None or before.watchers != watchers or before.at <= now - RENEWED


@transaction.atomic
def _write(process: str, told: Sequence[Row], ended: Sequence[int], changed: set[int], now: datetime) -> None:
    """Write, and let the lobby know if the number of a match in its lists is another one."""
    Crowd.objects.filter(at__lte=now - GONE).delete()
    Crowd.objects.filter(process=process, match_id__in=ended).delete()
    about = changed.union(row.match_id for row in told)
    # A match may have been cleared away under the eyes of those who watched it.
    lists = dict(Match.objects.filter(pk__in=about).values_list("pk", "visibility"))
    Crowd.objects.bulk_create(
        [_stored(row) for row in told if row.match_id in lists],
        update_conflicts=True,
        unique_fields=["match", "process"],
        update_fields=["watchers", "names", "at"],
    )
    if any(lists.get(match_id) == Match.Visibility.PUBLIC for match_id in changed):
        announcements.touch_lobby()


def _stored(row: Row) -> Crowd:
    people = list(row.watchers.people)
    return Crowd(match_id=row.match_id, process=row.process, watchers=row.watchers.number, names=people, at=row.at)


def _rows(**which: Any) -> list[Row]:
    found = Crowd.objects.filter(**which).values_list("match_id", "process", "watchers", "names", "at")
    return [Row(match_id, process, _watchers(*counted), at) for match_id, process, *counted, at in found]


def _watchers(number: int, names: list[tuple[int, str, bool]]) -> Watchers:
    # A process of the version before tells only names.
    return Watchers(tuple((user_id, name, any(guest)) for user_id, name, *guest in names), number - len(names))


def _all_together(rows: Iterable[Row]) -> Crowds:
    crowds: Crowds = {}
    for row in rows:
        crowds[row.match_id] = together(crowds.get(row.match_id, NOBODY), row.watchers)
    return crowds
