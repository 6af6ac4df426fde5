"""Matches and the tables of a bot as JSON, alike in responses and on streams."""

from __future__ import annotations

from typing import Any

from accounts.models import ApiToken
from games.engine.view_json import view_to_data
from games.lobby.invitations import invitations_to_accept
from games.match.snapshots import Snapshot
from games.match.table import AgreedTerms, Person, Table
from games.models import Match, Seat

Data = dict[str, Any]  # a JSON object


def match_data(snapshot: Snapshot, seat: int | None) -> Data:
    """Return a match as a seat may see it, or a spectator (None), whose delay ``snapshot`` has already."""
    table, view = snapshot.table, snapshot.view(seat)
    return terms_data(table.agreed) | {
        "slug": table.slug,
        "status": table.status,
        "version": table.version,
        "round": table.round,
        "commitment": table.commitment,
        "start": _start_data(table),
        "move_ms": table.timer.move_ms,
        "deadline_ms": table.timer.deadline_ms,
        "players": list(map(_player_data, table.people)),
        "seat": seat,
        "view": None if view is None else view_to_data(view),
    }


def _start_data(table: Table) -> Data | None:
    """Return the stage of the start and the commitments of the players' nonces, None if no start is in progress."""
    if not table.is_starting:
        return None
    commitments = [person.nonce_commitment for person in table.people]
    return {"stage": table.timer.due_kind, "nonce_commitments": commitments}


def own_seat(token: ApiToken | None, table: Table) -> int | None:
    """Return the seat whose hand a program may read: that of a bot. People read theirs on the site only."""
    if token is None or ApiToken.Scope.BOT_PLAY not in token.scopes:
        return None
    return table.seat_of(token.user_id)


def terms_data(agreed: AgreedTerms) -> Data:
    return {
        "variant": agreed.variant,
        "options": dict(agreed.options),
        "rated": agreed.rated,
        "visibility": agreed.visibility,
        "clock": agreed.clock,
        "delay": agreed.delay,
    }


def _player_data(person: Person) -> Data:
    return {
        "seat": person.seat,
        "name": person.name,
        "kind": person.kind,
        "person": person.user_id,
        "guest": person.guest,
        "level": person.bot,
        "ready": person.ready,
        "away": person.away,
        "state": person.state,
        "bank_ms": person.bank_ms,
    }


def events_data(user_id: int) -> Data:
    """Return the unfinished matches in which this person sits, and the invitations that they can accept."""
    seats = Seat.objects.filter(user=user_id, match__status__in=Match.UNFINISHED).order_by("match_id")
    rows = seats.values_list("match__slug", "match__variant", "match__status", "index")
    invitations = invitations_to_accept(user_id)
    return {
        "matches": [
            {"slug": slug, "variant": variant, "status": status, "seat": seat} for slug, variant, status, seat in rows
        ],
        "invitations": [
            {"slug": row.match.slug, "variant": row.match.variant, "from": str(row.inviter)} for row in invitations
        ],
    }
