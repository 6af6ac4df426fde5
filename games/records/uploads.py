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
from games.caches import ProcessCache
from games.engine.transcript import read
from games.engine.transcript_head import read_about
from games.models import UploadedRecord
from games.records.imported_match import ImportedMatch
from games.records.players import parse_players
from games.records.validation import exclusive_validation
from infrastructure.limits import limits

if TYPE_CHECKING:
    from django.contrib.sessions.backends.base import SessionBase

UPLOAD_LIFETIME = timedelta(days=1)
UPLOAD_EXPIRED = _("This record was deleted after a day. Please upload it again.")
NAME_LENGTH = 16
OWNER_SESSION_KEY = "brings_records_as"  # the session key of the token that owns this visitor's records

_parsed_uploads: ProcessCache[ImportedMatch] = caches.uploads


def store_upload(session: SessionBase, match: ImportedMatch) -> str:
    """Store a match for this visitor and return its name."""
    # The key of the session would change at login.
    owner = session.setdefault(OWNER_SESSION_KEY, token_hex(16))
    transcript = match.to_transcript().encode()
    name = sha256(transcript).hexdigest()[:NAME_LENGTH]
    UploadedRecord.objects.update_or_create(
        owner=owner, name=name, defaults={"packed": zlib.compress(transcript), "at": timezone.now()}
    )
    _parsed_uploads().put(name, 0, match)
    return name


def owner_of(session: SessionBase) -> str:
    """Return the token that owns this visitor's records, "" without records."""
    owner: str = session.get(OWNER_SESSION_KEY, "")
    return owner


def load_upload(
    session: SessionBase, name: str, *, address: str = "", account: int | None = None
) -> ImportedMatch | None:
    """Return a match that this visitor uploaded, None for other names and after a day.

    Parsing it again takes as long as an import and counts as one. Raises LimitExceeded.
    """
    oldest = timezone.now() - UPLOAD_LIFETIME
    own_uploads = UploadedRecord.objects.filter(owner=owner_of(session), name=name, at__gt=oldest)
    entry = _parsed_uploads().get_entry(name)
    if entry and own_uploads.exists():
        return entry[1]
    packed = own_uploads.values_list("packed", flat=True).first()
    if packed is None:
        return None
    limits.enforce("imports", address=address, account=account)
    with limits.hold_place("imports", address=address, account=account), exclusive_validation():
        return _parsed_uploads().get_or_load(name, partial(_parse, zlib.decompress(packed).decode()))


def _parse(transcript: str) -> ImportedMatch:
    players = read_about(transcript).get("players")
    return ImportedMatch.from_entries(read(transcript), parse_players(players, len(players or ())))
