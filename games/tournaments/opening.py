"""The entrants' part in the deals of a duplicate tournament, by commit and reveal as at tables.

A page receives the site's commitment and commits to a nonce with the entry. At the start the entrants are frozen, and
their pages open the nonces, which can no longer change. This takes at most ``NONCE_SECONDS``; nonces that have not
been opened by then are left out. The list is public from then on.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings

from games.engine.deal import nonce_commitment
from games.errors import Refused
from games.models import Entry, Tournament
from games.tournaments.commits import LockedTournament


def has_begun(row: Tournament) -> bool:
    """Return whether nonces are being opened, so that nobody may enter with another."""
    return row.stage == Tournament.Stage.ANNOUNCED and row.nonces_until is not None


def set_nonce(entry: Entry, commitment: str, nonce: str) -> None:
    """Store the commitment of an entrant, or a nonce that is open at once, as from a page without scripts."""
    entry.nonce_commitment = commitment or nonce_commitment(nonce)
    entry.nonce = "" if commitment else nonce


def commitments_of(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Return the commitments of the people of a party, () if nobody has committed."""
    commitments = tuple(entry.nonce_commitment for entry in entries)
    return commitments if any(commitments) else ()


def open_nonce(*, tournament_id: int, user_id: int, nonce: str) -> None:
    """Store an opened nonce. Raises Refused ``starting`` outside of the opening, or for another nonce."""
    entries = Entry.objects.filter(
        tournament=tournament_id,
        tournament__stage=Tournament.Stage.ANNOUNCED,
        tournament__nonces_until__isnull=False,
        user=user_id,
        status=Entry.Status.ENTERED,
        nonce_commitment=nonce_commitment(nonce),
    )
    if not nonce or not entries.update(nonce=nonce):
        raise Refused("starting")


def await_nonces(locked: LockedTournament, now: datetime) -> bool:
    """Begin or continue the opening. Return whether it still takes time."""
    row = locked.row
    sealed = row.entries.filter(status=Entry.Status.ENTERED, nonce="").exclude(nonce_commitment="")
    if not settings.NONCE_SECONDS or not sealed.exists():
        return False
    if row.nonces_until is None:
        row.nonces_until = now + timedelta(seconds=settings.NONCE_SECONDS)
        locked.touch()
    return now < row.nonces_until


def nonces_of(locked: LockedTournament) -> tuple[str, ...]:
    """Return the nonces in the order of entry, "" for a person who has opened none."""
    nonces = dict(locked.row.entries.values_list("key", "nonce"))
    return tuple(nonces[person] for entry in locked.state.entries.values() for person in entry.people)
