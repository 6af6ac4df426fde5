"""Reads the matches on a page of the history with two queries."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from games.engine.notation import standing_from_json
from games.engine.variants import rules_for
from games.match.listed import FinishedMatch, FinishedPlayer, FinishedSide
from games.match.ranking import ranking
from games.match.selectors import agreed_terms
from games.models import Match, Seat

MATCH_COLUMNS = (
    *("pk", "slug", "variant", "options", "rated", "visibility", "clock", "delay", "absence", "talk"),
    *("finished_at", "round", "status", "standing", "void_reason"),
)
PLAYER_COLUMNS = ("user_id", "user__is_guest", "bot", "name", "colour")
SEAT_COLUMNS = ("match_id", "index", *PLAYER_COLUMNS, "place", "points_gain", "outcome")


def finished_matches(match_ids: Sequence[int], person_id: int | None = None) -> list[FinishedMatch]:
    """Return matches in this order. ``own`` of a match is the player with this id."""
    matches = Match.objects.filter(pk__in=match_ids).values_list(*MATCH_COLUMNS, named=True)
    match_by_id = {match.pk: match for match in matches}
    seat_rows = Seat.objects.filter(match_id__in=match_ids).order_by("match_id", "index")
    rows = seat_rows.values_list(*SEAT_COLUMNS, named=True)
    seats = {match_id: list(group) for match_id, group in groupby(rows, key=attrgetter("match_id"))}
    return [_match(match_by_id[match_id], seats[match_id], person_id) for match_id in match_ids if match_id in seats]


def _match(match: Any, seats: list[Any], person_id: int | None) -> FinishedMatch:
    sides = _sides(match, seats)
    players = (player for side in sides for player in side.players)
    return FinishedMatch(
        match_id=match.pk,
        slug=match.slug,
        agreed=agreed_terms(match),
        finished_at=match.finished_at,
        rounds=match.round,
        status=match.status,
        sides=sides,
        void_reason=match.void_reason,
        own=next((player for player in players if person_id and player.user_id == person_id), None),
    )


def _sides(match: Any, seats: list[Any]) -> tuple[FinishedSide, ...]:
    sides = rules_for(match.variant).sides(len(seats), match.options)
    standings = standing_from_json(match.standing) if match.standing else None
    return tuple(
        FinishedSide(
            number=sides[rank.seats[0]],
            place=rank.place,
            standing=standings[sides[rank.seats[0]]] if standings else None,
            players=tuple(_player(seats[seat]) for seat in rank.seats),
        )
        for rank in ranking([seat.place for seat in seats], sides)
    )


def _player(seat: Any) -> FinishedPlayer:
    return FinishedPlayer(
        seat=seat.index,
        name=seat.name,
        colour=seat.colour,
        is_bot=bool(seat.bot) and not seat.user_id,
        is_guest=bool(seat.user__is_guest),
        user_id=seat.user_id,
        outcome=seat.outcome,
        gain=seat.points_gain,
    )
