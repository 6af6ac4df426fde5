"""The record of a match: the only reader and writer of MatchEvent.

``version`` is the number of events, and ``seq`` runs from 1 to it. A state takes as long in the twentieth round as in
the first: it is folded from the start of the match, the ends of rounds, the absences and the events since the last
deal, and each process continues from the last state that it folded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial, reduce
from itertools import pairwise
from typing import Any

from django.db import connection
from django.db.models import F, Max, Min, Q, QuerySet

from games import caches
from games.caches import ProcessCache
from games.engine.events import Drew, Event, MatchEnded, MatchStarted, Passed, Played, Standing
from games.engine.evolve import evolve, fold
from games.engine.notation import event_from_json, event_to_json, standing_from_json
from games.engine.state import State
from games.match.match_rows import database_time
from games.match.table import MatchSummary
from games.models import Match, MatchEvent

INSERT_EVENT = "INSERT INTO games_matchevent (match_id, seq, kind, data, at) VALUES (%s, %s, %s, %s, %s)"
ROUND_ENDED = "round_ended"
ROUND_DEALT = "round_dealt"
KEY_REVEALED = "key_revealed"
MATCH_ENDED = "match_ended"
MOVE_KINDS = ("played", "drew", "passed")
# The events that a fold needs from the rounds before the last deal.
LASTING_KINDS = (ROUND_ENDED, "seat_held", "seat_returned", "seat_forfeited")
MINUTE = timedelta(minutes=1)

_states: ProcessCache[State] = caches.states
_start_events: ProcessCache[MatchStarted] = caches.start_events


class RecordTooShort(Exception):
    """The record does not reach the requested version."""


def append(match_id: int, version: int, events: Sequence[Event], at: datetime) -> int:
    """Append events after ``version`` and return the new version. Raises IntegrityError if there are some already."""
    append_all([(match_id, version, events, at)])
    return version + len(events)


def append_all(entries: Iterable[tuple[int, int, Sequence[Event], datetime]]) -> None:
    """Append the events of several matches, each after its version, with one statement."""
    rows = [
        (match_id, seq, *event_to_json(event), database_time(at))
        for match_id, version, events, at in entries
        for seq, event in enumerate(events, version + 1)
    ]
    with connection.cursor() as cursor:
        cursor.executemany(INSERT_EVENT, rows)


def backdate_events(match_id: int, moments: Iterable[datetime]) -> None:
    """Set the times of the events of a match, in order, for sample matches that are created at once."""
    for seq, at in enumerate(moments, 1):
        MatchEvent.objects.filter(match_id=match_id, seq=seq).update(at=at)


def read_events(match_id: int, version: int | None = None, *, after: int = 0) -> list[tuple[int, Event, datetime]]:
    """Read the events after one version up to another (default: all), in order."""
    events = MatchEvent.objects.filter(match_id=match_id, seq__gt=after)
    if version is not None:
        events = events.filter(seq__lte=version)
    rows = events.order_by("seq").values_list("seq", "kind", "data", "at")
    return [(seq, event_from_json(kind, data), at) for seq, kind, data, at in rows]


def events(match_id: int) -> list[Event]:
    """Read all events, in order. Raises BadRecord."""
    return _events(MatchEvent.objects.filter(match_id=match_id))


def start_event(match_id: int) -> MatchStarted:
    """Return how the match began. Raises RecordTooShort."""
    return _start_events().get_or_load(match_id, partial(_started, match_id))


def _started(match_id: int) -> MatchStarted:
    for event in _events(MatchEvent.objects.filter(match_id=match_id, seq=1)):
        if isinstance(event, MatchStarted):
            return event
    raise RecordTooShort(match_id)


def load_state(match_id: int, version: int | None = None) -> State:
    """Fold the record up to a version (default: all), bypassing the caches. Raises RecordTooShort if it is empty."""
    events_so_far = MatchEvent.objects.filter(match_id=match_id)
    if version is not None:
        events_so_far = events_so_far.filter(seq__lte=version)
    deal = events_so_far.filter(kind=ROUND_DEALT).order_by("-seq").values_list("seq", flat=True).first() or 1
    events = _events(events_so_far.filter(Q(seq=1) | Q(kind__in=LASTING_KINDS) | Q(seq__gte=deal)))
    if not events:
        raise RecordTooShort(match_id)
    return fold(events)


def state_of(match_id: int, version: int) -> State:
    """Return the newest state, which is at ``version``, from the cache or continued from there."""
    entry = _states().get_entry(match_id)
    if entry is None or entry[0] > version:
        state = load_state(match_id, version)
    elif entry[0] == version:
        return entry[1]
    else:
        missed = MatchEvent.objects.filter(match_id=match_id, seq__gt=entry[0], seq__lte=version)
        state = reduce(evolve, _events(missed), entry[1])
    cache_state(match_id, version, state)
    return state


def version_at(match_id: int, moment: datetime) -> int:
    """Return how many events there were at a moment."""
    return MatchEvent.objects.filter(match_id=match_id, at__lte=moment).aggregate(last=Max("seq"))["last"] or 0


def first_event_time_after(match_id: int, moment: datetime) -> datetime | None:
    """Return when the first event after a moment was written."""
    later = MatchEvent.objects.filter(match_id=match_id, at__gt=moment)
    first: datetime | None = later.aggregate(first=Min("at"))["first"]
    return first


def last_event_time_until(match_id: int, moment: datetime) -> datetime | None:
    """Return when the last event up to a moment was written."""
    earlier = MatchEvent.objects.filter(match_id=match_id, at__lte=moment)
    last: datetime | None = earlier.aggregate(last=Max("at"))["last"]
    return last


def newest_event_times(match_ids: Iterable[int]) -> dict[int, datetime]:
    """Return when the newest event of each match was written."""
    newest = MatchEvent.objects.filter(match_id__in=match_ids, seq=F("match__version"))
    return dict(newest.values_list("match_id", "at"))


def version_of_last_round_end(match_id: int, version: int) -> int:
    """Return the last version up to this one at which a round was over and its key revealed, 0 if there is none."""
    rows = MatchEvent.objects.filter(match_id=match_id, seq__lte=version)
    ended = rows.filter(kind=MATCH_ENDED).aggregate(first=Min("seq"))["first"]
    keys = rows.filter(kind=KEY_REVEALED, seq__lt=ended or version + 1)
    return keys.aggregate(last=Max("seq"))["last"] or 0


def matches_with_key(matches: QuerySet[Match]) -> QuerySet[MatchEvent, Any]:
    """Return the keys of those of the matches that revealed the key of a round."""
    return MatchEvent.objects.filter(kind=KEY_REVEALED, match__in=matches).values("match")


def matches_with_secret(matches: QuerySet[Match]) -> QuerySet[MatchEvent, Any]:
    """Return the keys of those of the matches that revealed their secret."""
    return MatchEvent.objects.filter(kind="secret_revealed", match__in=matches).values("match")


def last_deals(match_id: int, count: int) -> list[datetime]:
    """Return when the last rounds were dealt, the newest first."""
    deals = MatchEvent.objects.filter(match_id=match_id, kind=ROUND_DEALT).order_by("-seq")
    return list(deals.values_list("at", flat=True)[:count])


def summary(match_id: int) -> MatchSummary:
    """Summarize a finished match."""
    entries = read_events(match_id)
    moves = [event for _seq, event, _at in entries if isinstance(event, Played | Drew | Passed)]
    scored = [(event.points.total, -place, event.seat) for place, event in enumerate(moves) if event.points.total > 0]
    points, _first, seat = max(scored, default=(0, 0, 0))
    return MatchSummary(
        duration_minutes=max(1, round((entries[-1][2] - entries[0][2]) / MINUTE)),
        drawn=sum(isinstance(event, Drew) for event in moves),
        best=(seat, points) if scored else None,
    )


def time_used(match_ids: Collection[int]) -> dict[int, dict[int, timedelta]]:
    """Return the time that each seat took for its moves, by match, without moves that a bot made for a person."""
    rows = MatchEvent.objects.filter(match_id__in=match_ids).order_by("match_id", "seq")
    times: dict[int, dict[int, timedelta]] = {match_id: defaultdict(timedelta) for match_id in match_ids}
    columns = rows.values_list("match_id", "at", "kind", "data")
    for (previous_row_match_id, turn_started_at, *_rest), (match_id, at, kind, data) in pairwise(columns):
        if match_id == previous_row_match_id and kind in MOVE_KINDS:
            move = event_from_json(kind, data)
            if isinstance(move, Played | Drew | Passed) and move.by != "bot":
                times[match_id][move.seat] += at - turn_started_at
    return times


def standings(match_ids: Iterable[int]) -> dict[int, tuple[Standing, ...]]:
    """Read the scores after the last finished round of each match that was dealt."""
    newest = MatchEvent.objects.filter(match_id__in=match_ids, seq__gte=F("match__deal_version"))
    rows = newest.filter(kind__in=(ROUND_DEALT, ROUND_ENDED)).order_by("seq").values_list("match_id", "data")
    return {match_id: standing_from_json(data) for match_id, data in dict(rows).items()}


def lasting_events(match_ids: Iterable[int]) -> dict[int, list[Event]]:
    """Read the ends of rounds and the absences of several matches, in order."""
    rows = MatchEvent.objects.filter(match_id__in=match_ids, kind__in=LASTING_KINDS).order_by("match_id", "seq")
    events: dict[int, list[Event]] = {}
    for match_id, kind, data in rows.values_list("match_id", "kind", "data"):
        events.setdefault(match_id, []).append(event_from_json(kind, data))
    return events


def load_match_ends(match_ids: Iterable[int]) -> dict[int, MatchEnded]:
    """Read the end of each match that was dealt and is over."""
    newest = MatchEvent.objects.filter(match_id__in=match_ids, seq__gte=F("match__deal_version"), kind=MATCH_ENDED)
    rows = newest.order_by("seq").values_list("match_id", "kind", "data")
    events = ((match_id, event_from_json(kind, data)) for match_id, kind, data in rows)
    return {match_id: event for match_id, event in events if isinstance(event, MatchEnded)}


def cache_state(match_id: int, version: int, state: State) -> None:
    """Cache a committed state for the next move."""
    _states().put(match_id, version, state)


def _events(rows: QuerySet[MatchEvent]) -> list[Event]:
    return [event_from_json(kind, data) for kind, data in rows.order_by("seq").values_list("kind", "data")]
