"""The events of tournaments: the only reader and writer of TournamentEvent.

``version`` is the number of events, and ``seq`` runs from 1 to it. Each process continues from the last state that it
folded.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from django.db.models import QuerySet

from games import caches
from games.caches import ProcessCache
from games.engine.notation import read_json, write_json
from games.match.moments import moment_of
from games.models import TournamentEvent
from games.tournaments.core.events import Event, Started
from games.tournaments.core.evolve import evolve, fold
from games.tournaments.core.notation import event_from_data, event_to_data
from games.tournaments.core.state import State

_states: ProcessCache[State] = caches.tournaments


def append(tournament_id: int, version: int, events: Sequence[Event]) -> int:
    """Append events after ``version`` and return the new version. Raises IntegrityError if there are some already."""
    rows = []
    for seq, event in enumerate(events, version + 1):
        kind, data = event_to_data(event)
        rows.append(
            TournamentEvent(
                tournament_id=tournament_id, seq=seq, kind=kind, data=write_json(data), at=moment_of(event.at)
            )
        )
    TournamentEvent.objects.bulk_create(rows)
    return version + len(events)


def events(tournament_id: int) -> list[Event]:
    """Read all events, in order."""
    return _events(TournamentEvent.objects.filter(tournament_id=tournament_id))


def latest_events(tournament_id: int, version: int, count: int) -> list[Event]:
    """Read the last ``count`` events up to ``version``, in order."""
    rows = TournamentEvent.objects.filter(tournament_id=tournament_id, seq__gt=version - count, seq__lte=version)
    return _events(rows)


def start_event(tournament_id: int) -> Started | None:
    """Read the start, None before it."""
    starts = _events(TournamentEvent.objects.filter(tournament_id=tournament_id, kind="started"))
    return next((event for event in starts if isinstance(event, Started)), None)


def state_of(tournament_id: int, version: int) -> State:
    """Return the state at ``version``, which is committed, from the cache or continued from there."""
    entry = _states().get_entry(tournament_id)
    rows = TournamentEvent.objects.filter(tournament_id=tournament_id, seq__lte=version)
    if entry is None or entry[0] > version:
        state = fold(_events(rows))
    elif entry[0] == version:
        return entry[1]
    else:
        state = reduce(evolve, _events(rows.filter(seq__gt=entry[0])), entry[1])
    cache_state(tournament_id, version, state)
    return state


def cache_state(tournament_id: int, version: int, state: State) -> None:
    """Cache a committed state."""
    _states().put(tournament_id, version, state)


def _events(rows: QuerySet[TournamentEvent]) -> list[Event]:
    return [event_from_data(kind, read_json(data)) for kind, data in rows.order_by("seq").values_list("kind", "data")]
