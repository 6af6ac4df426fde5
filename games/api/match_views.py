"""Endpoints of matches: one with its record, the running ones, and the finished ones."""

from __future__ import annotations

from typing import Any

from ninja import Router

from accounts.names.rules import MAX_INPUT_LENGTH
from games.access import restricted_viewer_id, visible_match
from games.api import schemas, texts
from games.api.authentication import OPTIONAL_TOKEN, READ, ApiRequest
from games.api.match_json import match_data, own_seat, terms_data
from games.api.refusals import ERRORS
from games.engine.variants import rules_for
from games.errors import Refused
from games.history import queries
from games.history.matches import finished_matches
from games.history.queries import Cursor, MatchFilter
from games.lobby import open_tables
from games.match.listed import FinishedMatch, FinishedPlayer, FinishedSide, ListedTable
from games.records import exports
from games.records.views import find_started_match
from games.spectators import delayed
from games.words import offered_variants
from infrastructure.not_found import ExplainedNotFound

router = Router(tags=["matches"], auth=READ)


@router.get("match/{slug}", response={200: schemas.MatchOut, **ERRORS}, openapi_extra=OPTIONAL_TOKEN)
def get_match(request: ApiRequest, slug: str) -> dict[str, Any]:
    """Return a match as the caller may see it now."""
    match = visible_match(request.auth.viewer, slug)
    snapshot = delayed.snapshot_for(match.pk, request.auth.viewer.pk)
    return match_data(snapshot, own_seat(request.auth.token, snapshot.table))


@router.get("match/{slug}/record", response={200: schemas.RecordOut, **ERRORS}, openapi_extra=OPTIONAL_TOKEN)
def get_record(request: ApiRequest, slug: str) -> dict[str, Any]:
    """Return the record (docs/records.md): all of a finished match, the finished rounds of a running one."""
    match = find_started_match(request.auth.viewer, slug)
    version = exports.downloadable_version(request.auth.viewer, match)
    if not version:
        raise Refused("no_round_over")
    return exports.to_json_data(exports.read_record(match.pk, request.auth.viewer, version))


@router.get("tables", response={200: schemas.TablesOut, **ERRORS}, openapi_extra=OPTIONAL_TOKEN)
def list_tables(request: ApiRequest, variant: str = "") -> dict[str, Any]:
    """Return the public tables that are open or running, of one game or of all."""
    require_variant(variant)
    lists = open_tables.load_lists(variant, restricted_viewer_id(request.auth.viewer))
    return {
        "open": list(map(listed_table_data, lists.open)),
        "running": list(map(listed_table_data, (*lists.running, *lists.exhibitions))),
    }


@router.get("matches", response={200: schemas.HistoryOut, **ERRORS}, openapi_extra=OPTIONAL_TOKEN)
def list_matches(request: ApiRequest, variant: str = "", name: str = "", after: str = "") -> dict[str, Any]:
    """Return finished matches, newest first, of one game or of players with this name or a part of it."""
    return history_data(request, MatchFilter(variant=variant, name=name.strip()[:MAX_INPUT_LENGTH]), after)


def history_data(request: ApiRequest, filters: MatchFilter, after: str) -> dict[str, Any]:
    """Return a page of the finished matches that the caller may find."""
    require_variant(filters.variant)
    try:
        cursor = Cursor.parse(after) if after else None
    except ValueError:
        raise Refused("bad_request") from None
    page = queries.match_page(filters, request.auth.viewer, cursor)
    matches = finished_matches(page.match_ids, filters.person_id)
    return {
        "matches": list(map(finished_match_data, matches)),
        "next": str(page.next_cursor) if page.next_cursor else None,
    }


def require_variant(variant: str) -> None:
    """Raises Http404 if there is no such game; "" stands for all."""
    if variant and variant not in offered_variants():
        raise ExplainedNotFound(texts.NO_SUCH_GAME)


def listed_table_data(table: ListedTable) -> dict[str, Any]:
    rules = rules_for(table.variant)
    players = [
        {
            "name": seat.name,
            "kind": seat.kind,
            "guest": seat.is_guest,
            "score": rules.standing_text(seat.standing) if seat.standing else None,
        }
        for seat in table.seats
    ]
    return terms_data(table.agreed) | {
        "slug": table.slug,
        "status": table.status,
        "round": table.round,
        "players": players,
        "spectators": table.spectators,
        "exhibition": table.exhibition,
    }


def finished_match_data(match: FinishedMatch) -> dict[str, Any]:
    return terms_data(match.agreed) | {
        "slug": match.slug,
        "status": match.status,
        "finished_at": match.finished_at,
        "rounds": match.rounds,
        "sides": [_side_data(match.variant, side) for side in match.sides],
    }


def _side_data(variant: str, side: FinishedSide) -> dict[str, Any]:
    score = rules_for(variant).standing_text(side.standing) if side.standing else None
    return {"place": side.place, "score": score, "players": list(map(_finished_player_data, side.players))}


def _finished_player_data(player: FinishedPlayer) -> dict[str, Any]:
    return {
        "seat": player.seat,
        "name": player.name,
        "kind": "bot" if player.is_bot else "human",
        "person": player.user_id,
        "guest": player.is_guest,
        "outcome": player.outcome,
        "gain": player.gain,
    }
