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

COMMIT_SHARE = 0.6  # of that time; a page may have to load first, while opening takes one message each way


@transaction.atomic
def give(*, match_id: int, user_id: int, commitment: str = "", nonce: str = "") -> None:
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
        _open(seat, nonce)
    else:
        _commit(table, seat, commitment, nonce)
    if before == (seat.nonce_commitment, seat.nonce):
        return
    seat.save(update_fields=["nonce_commitment", "nonce"])
    announcements.touch_table(table.pk)
    _proceed(table, seats)


def begin(table: Match, seats: Sequence[Seat]) -> Match:
    """Begin the start of a full table, which the caller has locked. Raises Refused ``empty_seats``.

    The match is running when this returns, unless a nonce is awaited.
    """
    if any(map(seating.is_free, seats)):
        raise Refused("empty_seats")
    invitations.changed(table)
    announcements.touch_lobby()
    return _wait(table, Match.Due.COMMIT) if _awaits_commitment(seats) else _await_nonces(table, seats)


@transaction.atomic
def commit_due(*, match_id: int) -> None:
    """Stop waiting for commitments (``Due.COMMIT``)."""
    table = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    if table.status == Match.Status.OPEN and table.due_kind == Match.Due.COMMIT:
        _await_nonces(table, seating.seats_of(table))


@transaction.atomic
def reveal_due(*, match_id: int) -> None:
    """Start without the nonces that have not been opened (``Due.REVEAL``)."""
    table = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    if table.status == Match.Status.OPEN and table.due_kind == Match.Due.REVEAL:
        play.start_match(match=table)


def forget(seats: Sequence[Seat]) -> None:
    """Delete the nonces of a cancelled start: some are open already, and other players may come."""
    for seat in seats:
        seat.nonce_commitment = seat.nonce = ""
        seat.save(update_fields=["nonce_commitment", "nonce"])


def _commit(table: Match, seat: Seat, commitment: str, nonce: str) -> None:
    if seat.nonce_commitment and table.due_kind == Match.Due.COMMIT:
        raise Refused("starting")
    if not commitment and not nonce:
        raise Refused("bad_request")
    seat.nonce_commitment = commitment or nonce_commitment(nonce)
    seat.nonce = "" if commitment else nonce


def _open(seat: Seat, nonce: str) -> None:
    if not nonce or nonce_commitment(nonce) != seat.nonce_commitment:
        raise Refused("starting")
    seat.nonce = nonce


def _proceed(table: Match, seats: Sequence[Seat]) -> None:
    """Continue the start once no commitment or nonce is awaited."""
    if table.due_kind == Match.Due.COMMIT and not _awaits_commitment(seats):
        _await_nonces(table, seats)
    elif table.due_kind == Match.Due.REVEAL and not _awaits_nonce(seats):
        play.start_match(match=table)


def _await_nonces(table: Match, seats: Sequence[Seat]) -> Match:
    return _wait(table, Match.Due.REVEAL) if _awaits_nonce(seats) else play.start_match(match=table)


def _wait(table: Match, kind: Due) -> Match:
    share = COMMIT_SHARE if kind == Match.Due.COMMIT else 1 - COMMIT_SHARE
    table.due_kind = kind
    table.due_at = timezone.now() + timedelta(seconds=settings.NONCE_SECONDS) * share
    table.save(update_fields=["due_kind", "due_at"])
    announcements.touch_table(table.pk)
    return table


def _awaits_commitment(seats: Sequence[Seat]) -> bool:
    """Return whether a connected player has not committed."""
    now = timezone.now()
    return bool(settings.NONCE_SECONDS) and any(
        seat.user_id and not seat.nonce_commitment and leases.is_connected(seat, now) for seat in seats
    )


def _awaits_nonce(seats: Sequence[Seat]) -> bool:
    """Return whether a player has committed to a nonce and not opened it."""
    return bool(settings.NONCE_SECONDS) and any(seat.nonce_commitment and not seat.nonce for seat in seats)
