"""The events of a tournament as a file, from which anybody can compute its standing."""

from __future__ import annotations

import json
from datetime import UTC
from typing import Any

from games.enums import TournamentFormat
from games.match.moments import moment_of
from games.models import Entry, Tournament
from games.tournaments import record, selectors
from games.tournaments.core.events import LEFT, Entered, Event, Left
from games.tournaments.core.notation import event_to_data
from games.tournaments.core.standings import standings


def is_available(row: Tournament) -> bool:
    """Return True unless results are still secret: those of boards are until the clock has revealed the set."""
    return row.format != TournamentFormat.DUPLICATE or (row.stage not in Tournament.UNFINISHED and row.due_at is None)


def file_data(row: Tournament) -> dict[str, Any]:
    """Return the terms, the people, the events and the standing of a tournament, as JSON data."""
    events = [_public(event) for event in record.events(row.pk)]
    return {
        "tournament": row.slug,
        "name": row.name,
        "format": row.format,
        "game": row.variant,
        "options": row.options,
        "seats": row.seat_count,
        "clock": row.clock,
        "rated": row.rated,
        "stage": row.stage,
        "people": _names(row, events),
        "events": [_event_data(event) for event in events],
        "standing": [
            {"rank": line.rank, "party": line.party, "points": str(line.points)}
            for line in standings(selectors.load_state(row))
        ],
    }


def file_text(row: Tournament) -> str:
    return json.dumps(file_data(row), indent=1, ensure_ascii=False)


def _public(event: Event) -> Event:
    """Return an event without the reason why the site has taken somebody out."""
    return Left(event.party, LEFT, event.at) if isinstance(event, Left) else event


def _event_data(event: Event) -> dict[str, Any]:
    kind, data = event_to_data(event)
    time = moment_of(event.at).astimezone(UTC).isoformat(timespec="seconds")
    return {"time": time, "kind": kind, "data": data}


def _names(row: Tournament, events: list[Event]) -> dict[str, str]:
    """Return the names of those who have entered, by the key that events have for them. Deleted people have none."""
    keys = {person for event in events if isinstance(event, Entered) for person in event.people}
    entries = Entry.objects.filter(tournament=row, key__in=keys).order_by("pk")
    return dict(entries.values_list("key", "name"))
