"""The players' part of the shuffle, by commit and reveal, and the start of a match, during which it happens.

At an open table a player's page receives the site's commitment and then commits to a nonce by its SHA-256. At the
start the seats are frozen. Connected players who have not committed may still do so; then all open their nonces, which
can no longer change, and the match starts as soon as all have. This takes at most ``NONCE_SECONDS``; nonces that have
not been opened by then are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games.broadcast import announcements
from games.engine.deal import nonce_commitment
from games.enums import Due
from games.errors import Refused
from games.lobby import invitations
from games.models import Match, Seat
from games.presence import leases
from games.services import play, seating
from games.site_switches import require_new_matches

COMMIT_SHARE = 0.6  # of ``NONCE_SECONDS``: a page may have to load first; revealing takes one message each way


@transaction.atomic
def submit_nonce(*, match_id: int, user_id: int, commitment: str = "", nonce: str = "") -> None:
    """Store the commitment of a user's nonce, or the nonce itself.

    A page without scripts sends the nonce before the start, which commits to it and opens it at once. During the start
    only players who have committed to a nonce can send it. It can be replaced until the start begins. Raises Refused
    ``bad_request``, ``not_open``, ``not_seated``, ``starting``.
    """
    table = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    if table.status != Match.Status.OPEN:
        raise Refused("not_open")
    seats = seating.seats_of(table)
    seat = seating.seat_of(seats, user_id)
    before = seat.nonce_commitment, seat.nonce
    if table.due_kind == Match.Due.REVEAL:
        _reveal_nonce(seat, nonce)
    else:
        _set_commitment(table, seat, commitment, nonce)
    if before == (seat.nonce_commitment, seat.nonce):
        return
    seat.save(update_fields=["nonce_commitment", "nonce"])
    announcements.touch_table(table.pk)
    _continue_start(table, seats)


def begin_start(table: Match, seats: Sequence[Seat]) -> Match:
    """Begin the start of a full table, which the caller has locked.

    The match is running when this returns, unless a nonce is awaited. Raises Refused ``empty_seats``,
    ``matches_paused``.
    """
    if any(map(seating.is_free, seats)):
        raise Refused("empty_seats")
    require_new_matches()
    invitations.update_invitation_notices(table)
    announcements.touch_lobby()
    if _is_commitment_missing(seats):
        return _begin_phase(table, Match.Due.COMMIT)
    return _begin_reveal_phase(table, seats)


@transaction.atomic
def end_commit_phase(*, match_id: int) -> None:
    """Stop waiting for commitments (``Due.COMMIT``)."""
    table = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    if table.status == Match.Status.OPEN and table.due_kind == Match.Due.COMMIT:
        _begin_reveal_phase(table, seating.seats_of(table))


@transaction.atomic
def end_reveal_phase(*, match_id: int) -> None:
    """Start without the nonces that have not been opened (``Due.REVEAL``)."""
    table = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    if table.status == Match.Status.OPEN and table.due_kind == Match.Due.REVEAL:
        play.start_match(match=table)


def delete_nonces(seats: Sequence[Seat]) -> None:
    """Delete the nonces of a cancelled start: some are open already, and other players may come."""
    for seat in seats:
        seat.nonce_commitment = seat.nonce = ""
        seat.save(update_fields=["nonce_commitment", "nonce"])


def _set_commitment(table: Match, seat: Seat, commitment: str, nonce: str) -> None:
    if seat.nonce_commitment and table.due_kind == Match.Due.COMMIT:
        raise Refused("starting")
    if not commitment and not nonce:
        raise Refused("bad_request")
    seat.nonce_commitment = commitment or nonce_commitment(nonce)
    seat.nonce = "" if commitment else nonce


def _reveal_nonce(seat: Seat, nonce: str) -> None:
    if not nonce or nonce_commitment(nonce) != seat.nonce_commitment:
        raise Refused("starting")
    seat.nonce = nonce


def _continue_start(table: Match, seats: Sequence[Seat]) -> None:
    """Continue the start once no commitment or nonce is awaited."""
    if table.due_kind == Match.Due.COMMIT and not _is_commitment_missing(seats):
        _begin_reveal_phase(table, seats)
    elif table.due_kind == Match.Due.REVEAL and not _is_nonce_missing(seats):
        play.start_match(match=table)


def _begin_reveal_phase(table: Match, seats: Sequence[Seat]) -> Match:
    return _begin_phase(table, Match.Due.REVEAL) if _is_nonce_missing(seats) else play.start_match(match=table)


def _begin_phase(table: Match, kind: Due) -> Match:
    share = COMMIT_SHARE if kind == Match.Due.COMMIT else 1 - COMMIT_SHARE
    table.due_kind = kind
    table.due_at = timezone.now() + timedelta(seconds=settings.NONCE_SECONDS) * share
    table.save(update_fields=["due_kind", "due_at"])
    announcements.touch_table(table.pk)
    return table


def _is_commitment_missing(seats: Sequence[Seat]) -> bool:
    """Return whether a connected player has not committed."""
    now = timezone.now()
    return bool(settings.NONCE_SECONDS) and any(
        seat.user_id and not seat.nonce_commitment and leases.is_connected(seat, now) for seat in seats
    )


def _is_nonce_missing(seats: Sequence[Seat]) -> bool:
    """Return whether a player has committed to a nonce and not opened it."""
    return bool(settings.NONCE_SECONDS) and any(seat.nonce_commitment and not seat.nonce for seat in seats)
