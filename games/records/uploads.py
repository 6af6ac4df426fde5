"""Stores uploaded records for a day, for their uploaders only."""

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


def store(session: SessionBase, match: Imported) -> str:
    """Store a match for this visitor and return its name."""
    # The key of the session would change at login.
    owner = session.setdefault(OWNER, token_hex(16))
    transcript = match.transcript().encode()
    name = sha256(transcript).hexdigest()[:NAME_DIGITS]
    UploadedRecord.objects.update_or_create(
        owner=owner, name=name, defaults={"packed": zlib.compress(transcript), "at": timezone.now()}
    )
    _parsed().put(name, 0, match)
    return name


def load(session: SessionBase, name: str, *, address: str = "", account: int | None = None) -> Imported | None:
    """Return a match that this visitor uploaded, None for other names and after a day.

    Parsing it again takes as long as an import and counts as one. Raises TooFast.
    """
    owned = UploadedRecord.objects.filter(owner=session.get(OWNER, ""), name=name, at__gt=timezone.now() - LIFETIME)
    entry = _parsed().get(name)
    if entry and owned.exists():
        return entry[1]
    packed = owned.values_list("packed", flat=True).first()
    if packed is None:
        return None
    limits.require("imports", address=address, account=account)
    with limits.place("imports", address=address, account=account), one_at_a_time():
        return _parsed().once(name, partial(_parse, zlib.decompress(packed).decode()))


def _parse(transcript: str) -> Imported:
    players = read_about(transcript).get("players")
    return Imported.of(read(transcript), players_of(players, len(players or ())))
