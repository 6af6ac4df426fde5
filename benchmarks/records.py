"""The records of a server, and the moves in them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from games.engine.events import Drew, Event, Played
from games.engine.evolve import fold
from games.engine.notation import event_from_json
from tests.server import Server

DRAW, PASS = "draw", "pass"
READ_RECORDS_CODE = """
import json
from games.models import MatchEvent
rows = MatchEvent.objects.order_by("match_id", "seq")
print(json.dumps([list(row) for row in rows.values_list("match__slug", "seq", "kind", "data")]))
"""


def read_records(server: Server, prepare: str = "") -> dict[str, list[Event]]:
    """Return the record of every match, none with a gap. ``prepare`` is code that runs before."""
    by_match: dict[str, list[Event]] = {}
    for slug, seq, kind, data in json.loads(
        server.manage("shell", "-c", prepare + READ_RECORDS_CODE).splitlines()[-1]
    ):
        by_match.setdefault(slug, []).append(event_from_json(kind, data))
        assert len(by_match[slug]) == seq
    return by_match


def move_after(record: Sequence[Event], version: int) -> str:
    """Return the move that followed a version, as its player sent it, "" without one."""
    if version >= len(record):
        return ""
    event = record[version]
    if isinstance(event, Played):
        return fold(record[:version]).round.layout.text(event.tile, event.place)
    return DRAW if isinstance(event, Drew) else PASS
