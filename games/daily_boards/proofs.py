"""The proof of daily boards: what is needed to check that nobody could choose their deals (docs/fair-dealing.md)."""

from __future__ import annotations

from typing import Any

from games.engine.notation import export_match
from games.match import record
from games.models import BoardDay, Match
from games.services import board_days


def proof_of_day(day: BoardDay, number: int) -> dict[str, Any]:
    """Return the commitment of a day. Once it is closed, add all that its deals follow from, and those of one set.

    The record of the first match on each board is enough: everybody can check the others by themselves.
    """
    proof: dict[str, Any] = {"format": 1, "kind": "daily_boards", "variant": day.variant, "date": str(day.date)}
    proof |= {"commitment": day.commitment, "announced_at": day.created_at.isoformat(timespec="seconds")}
    if day.closed_at is None:
        return proof
    sources = board_days.sources_of(day)
    source = sources[number - 1]
    matches = Match.objects.filter(source=source).exclude(status=Match.Status.VOID).order_by("-board", "-pk")
    first_matches = dict(matches.values_list("board", "pk"))
    return proof | {
        "secret": day.secret,
        "entropy": day.entropy,
        "nonces": day.nonces,
        "ranked_entrants": day.ranked_entrants,
        "sets": sources,
        "set": source,
        "boards": [_record(match_id) for _board, match_id in sorted(first_matches.items())],
    }


def _record(match_id: int) -> dict[str, Any]:
    """Return the record of a match without names and times."""
    return export_match((seq, event, "") for seq, event, _at in record.read_events(match_id))
