"""The lines of streams: a match, and the tables of a person, as JSON."""

from __future__ import annotations

from typing import Any

from games.engine.view_json import view_to_data
from games.lobby.invitations import invitations_to_accept
from games.match.moments import moment_of
from games.match.snapshots import Snapshot
from games.match.table import Person, Table
from games.models import Match, Seat

Data = dict[str, Any]  # a JSON object


def match_line(snapshot: Snapshot, user_id: int | None) -> Data:
    """Return a match as this person may see it. ``snapshot`` has the delay for spectators already."""
    table = snapshot.table
    seat = table.seat_of(user_id)
    view = snapshot.view(seat)
    return {
        "match": table.slug,
        "version": table.version,
        "status": table.status,
        "variant": table.variant,
        "options": dict(table.agreed.options),
        "seat": seat,
        "players": list(map(player_data, table.people)),
        "clock": clock_data(table),
        "view": None if view is None else view_to_data(view),
    }


def player_data(person: Person) -> Data:
    return {
        "seat": person.seat,
        "name": person.name,
        "kind": person.kind,
        "bot": person.bot,
        "ready": person.ready,
        "away": person.away,
        "state": person.state,
    }


def clock_data(table: Table) -> Data:
    """Return the clock; ``deadline`` is when the time of the seat to move is up, or the next round is dealt."""
    deadline = table.timer.deadline_ms
    return {
        "move_ms": table.timer.move_ms,
        "banks_ms": [person.bank_ms for person in table.people],
        "deadline": None if deadline is None else moment_of(deadline).isoformat(timespec="milliseconds"),
    }


def events_line(user_id: int) -> Data:
    """Return the unfinished matches in which this person sits, and the invitations that they can accept."""
    seats = Seat.objects.filter(user=user_id, match__status__in=Match.UNFINISHED).order_by("match_id")
    rows = seats.values_list("match__slug", "match__variant", "match__status", "index")
    invitations = invitations_to_accept(user_id)
    return {
        "matches": [
            {"match": slug, "variant": variant, "status": status, "seat": seat} for slug, variant, status, seat in rows
        ],
        "invitations": [
            {"match": row.match.slug, "variant": row.match.variant, "from": str(row.inviter)} for row in invitations
        ],
    }
