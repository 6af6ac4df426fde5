"""Uploaded records, each kept for its uploader alone."""

from __future__ import annotations

import zlib
from datetime import timedelta
from functools import partial
from hashlib import sha256
from secrets import token_hex
from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games import caches
from games.caches import CacheOf
from games.engine.transcript import read
from games.engine.transcript_head import read_about
from games.models import UploadedRecord
from games.records.imported import Imported
from games.records.players import players_of
from games.records.validation import one_at_a_time
from infrastructure.limits import limits

if TYPE_CHECKING:
    from django.contrib.sessions.backends.base import SessionBase

LIFETIME = timedelta(days=1)
EXPIRED = _("This record was deleted after a day. Please upload it again.")
NAME_DIGITS = 16
OWNER = "brings_records_as"  # the session key of the token that owns this visitor's records

_parsed: CacheOf[Imported] = caches.uploads


def keep(session: SessionBase, match: Imported) -> str:
    """Keep a match for this visitor for a day and return its name."""
    # Not the key of the session, which changes at login.
    owner = session.setdefault(OWNER, token_hex(16))
    transcript = match.transcript().encode()
    name = sha256(transcript).hexdigest()[:NAME_DIGITS]
    UploadedRecord.objects.update_or_create(
        owner=owner, name=name, defaults={"packed": zlib.compress(transcript), "at": timezone.now()}
    )
    _parsed().put(name, 0, match)
    return name


def kept(session: SessionBase, name: str, *, address: str = "", account: int | None = None) -> Imported | None:
    """Return a match that this visitor uploaded.

    Parsing it again counts as an import, because it takes as long. Raises TooFast.
    """
    owned = UploadedRecord.objects.filter(owner=session.get(OWNER, ""), name=name, at__gt=timezone.now() - LIFETIME)
    row = owned.only("packed").first()
    if row is None:
        return None
    if entry := _parsed().get(name):
        return entry[1]
    limits.require("imports", address=address, account=account)
    with limits.place("imports", address=address, account=account), one_at_a_time():
        return _parsed().once(name, partial(_read, zlib.decompress(row.packed).decode()))


def _read(transcript: str) -> Imported:
    entries, said = read(transcript), read_about(transcript).get("players")
    return Imported.of(entries, players_of(said, len(said) if said else 0))
