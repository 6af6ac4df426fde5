"""The players' part of the shuffle, by commit and reveal, and the short time at the start in which it happens.

A player at an open table is first shown the site's commitment and then commits to a nonce, of which the site keeps the
SHA-256. At the start the seats are frozen. Players who are there and have not committed may still do so; then all open
their nonces, which can no longer change, and the match starts as soon as all have. Nobody waits for longer than
``NONCE_SECONDS``: the nonce of a player who has not opened it by then is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

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

COMMIT_SHARE = 0.6
"""The part of that time for committing, since a page may have to be loaded; opening takes one message each way."""


@transaction.atomic
def give(*, match_id: int, user_id: int, commitment: str = "", nonce: str = "") -> None:
    """Take the commitment of a user's nonce, or the nonce itself.

    Before the start a page without a script sends the nonce, which commits to it and opens it at once. During the
    start it is taken from players who have committed to it.

    It may be replaced until the start begins. Raises Refused ``bad_request``, ``not_open``, ``not_seated``,
    ``starting``.
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
    announcements.touch(table.pk)
    _go_on(table, seats)


def begin(table: Match, seats: Sequence[Seat]) -> Match:
    """Begin the start of a table whose seats are all taken; the caller has locked it. Raises Refused ``empty_seats``.

    If nobody has to be waited for, the match is running when this returns.
    """
    if any(map(seating.is_free, seats)):
        raise Refused("empty_seats")
    invitations.changed(table)
    announcements.touch_lobby()
    return _wait(table, Match.Due.COMMIT) if _uncommitted(seats, timezone.now()) else _ask_to_open(table, seats)


@transaction.atomic
def commit_due(*, match_id: int) -> None:
    """Wait no longer for those who have not committed (``Due.COMMIT``)."""
    table = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    if table.status == Match.Status.OPEN and table.due_kind == Match.Due.COMMIT:
        _ask_to_open(table, seating.seats_of(table))


@transaction.atomic
def reveal_due(*, match_id: int) -> None:
    """Start without the nonces of those who have not opened them (``Due.REVEAL``)."""
    table = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    if table.status == Match.Status.OPEN and table.due_kind == Match.Due.REVEAL:
        play.start_match(match=table)


def forget(seats: Sequence[Seat]) -> None:
    """Forget the nonces of a cancelled start: some are open already, and other players may come."""
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


def _go_on(table: Match, seats: Sequence[Seat]) -> None:
    """Take the next step of the start as soon as nobody is waited for."""
    if table.due_kind == Match.Due.COMMIT and not _uncommitted(seats, timezone.now()):
        _ask_to_open(table, seats)
    elif table.due_kind == Match.Due.REVEAL and not _unopened(seats):
        play.start_match(match=table)


def _ask_to_open(table: Match, seats: Sequence[Seat]) -> Match:
    return _wait(table, Match.Due.REVEAL) if _unopened(seats) else play.start_match(match=table)


def _wait(table: Match, kind: Due) -> Match:
    share = COMMIT_SHARE if kind == Match.Due.COMMIT else 1 - COMMIT_SHARE
    table.due_kind = kind
    table.due_at = timezone.now() + timedelta(seconds=settings.NONCE_SECONDS) * share
    table.save(update_fields=["due_kind", "due_at"])
    announcements.touch(table.pk)
    return table


def _uncommitted(seats: Sequence[Seat], now: datetime) -> bool:
    """Return whether somebody with an open page may still commit."""
    return bool(settings.NONCE_SECONDS) and any(
        seat.user_id and not seat.nonce_commitment and leases.is_connected(seat, now) for seat in seats
    )


def _unopened(seats: Sequence[Seat]) -> bool:
    """Return whether somebody has committed and may still open."""
    return bool(settings.NONCE_SECONDS) and any(seat.nonce_commitment and not seat.nonce for seat in seats)
