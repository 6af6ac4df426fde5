"""Uploaded records, each kept for its uploader alone."""

from __future__ import annotations

import zlib
from collections import OrderedDict
from hashlib import sha256
from secrets import token_hex
from typing import TYPE_CHECKING

from django.core.cache import caches

from games.caches import PARSED_UPLOADS
from games.engine.transcript import read
from games.engine.transcript_head import read_about
from games.records.imported import Imported
from games.records.players import players_of
from games.records.validation import one_at_a_time
from infrastructure.limits import limits
from infrastructure.runtime import PerProcess

if TYPE_CHECKING:
    from django.contrib.sessions.backends.base import SessionBase

KEPT_SECONDS = 24 * 3600
NAME_DIGITS = 16
OWNER = "brings_records_as"
"""The session key for the name under which this visitor's records are stored."""

_opened: PerProcess[OrderedDict[bytes, Imported]] = PerProcess(OrderedDict)


def keep(session: SessionBase, transcript: str) -> str:
    """Keep a match for this visitor for a day and return its name."""
    # Not the key of the session, which changes at login.
    session.setdefault(OWNER, token_hex(16))
    name = sha256(transcript.encode()).hexdigest()[:NAME_DIGITS]
    caches["records"].set(_place(session, name), zlib.compress(transcript.encode()), KEPT_SECONDS)
    return name


def kept(session: SessionBase, name: str, *, address: str = "", account: int | None = None) -> Imported | None:
    """Return a match that this visitor uploaded.

    Parsing it again counts as an import, because it takes as long. Raises TooFast.
    """
    is_name = len(name) == NAME_DIGITS and OWNER in session
    packed = caches["records"].get(_place(session, name)) if is_name else None
    if packed is None:
        return None
    opened = _opened().get(packed)
    if opened is None:
        limits.require("imports", address=address, account=account)
        with limits.place("imports", address=address, account=account), one_at_a_time():
            opened = _opened()[packed] = _read(zlib.decompress(packed).decode())
            while len(_opened()) > PARSED_UPLOADS:
                _opened().popitem(last=False)
    return opened


def _read(transcript: str) -> Imported:
    entries, said = read(transcript), read_about(transcript).get("players")
    return Imported.of(entries, players_of(said, len(said) if said else 0))


def _place(session: SessionBase, name: str) -> str:
    return f"imported:{session[OWNER]}:{name}"
