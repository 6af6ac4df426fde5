"""The records that visitors have brought along, each kept for whoever brought it alone."""

from __future__ import annotations

import zlib
from collections import OrderedDict
from hashlib import sha256
from secrets import token_hex
from typing import TYPE_CHECKING

from django.core.cache import caches

from games.engine.transcript import read
from games.records.imported import Imported, one_at_a_time, parted
from infrastructure.limits import limits
from infrastructure.runtime import PerProcess

if TYPE_CHECKING:
    from django.contrib.sessions.backends.base import SessionBase

KEPT_SECONDS = 24 * 3600
NAME_DIGITS = 16
OWNER = "brings_records_as"
"""The key of the session under which stands by what the records of this visitor are found."""
REMEMBERED = 40
"""So many matches are kept ready to look at."""

_opened: PerProcess[OrderedDict[bytes, Imported]] = PerProcess(OrderedDict)


def keep(session: SessionBase, transcript: str) -> str:
    """Keep a match for this visitor for a day and return its name."""
    # Not by the key of the session, which is another one after a log-in.
    session.setdefault(OWNER, token_hex(16))
    name = sha256(transcript.encode()).hexdigest()[:NAME_DIGITS]
    caches["records"].set(_place(session, name), zlib.compress(transcript.encode()), KEPT_SECONDS)
    return name


def kept(session: SessionBase, name: str, *, address: str = "", account: int | None = None) -> Imported | None:
    """Return a match that this visitor brought along.

    To read it again counts as an import, for it costs as much. Raises TooFast.
    """
    is_name = len(name) == NAME_DIGITS and OWNER in session
    found = caches["records"].get(_place(session, name)) if is_name else None
    if found is None:
        return None
    opened = _opened().get(found)
    if opened is None:
        limits.require("imports", address=address, account=account)
        with limits.place("imports", address=address, account=account), one_at_a_time():
            opened = _opened()[found] = parted(read(zlib.decompress(found).decode()))
            while len(_opened()) > REMEMBERED:
                _opened().popitem(last=False)
    return opened


def _place(session: SessionBase, name: str) -> str:
    return f"imported:{session[OWNER]}:{name}"
