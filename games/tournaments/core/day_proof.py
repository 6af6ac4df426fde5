"""Verify the proof of daily boards, as static/js/day_proof.js does. docs/fair-dealing.md specifies it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.engine.deal import commitment
from games.engine.events import MatchStarted
from games.engine.notation import BadRecord, import_match
from games.engine.proof import verify
from games.tournaments.core.daily import set_name
from games.tournaments.core.duplicate import DAILY_BOARDS, entropy, set_count


def verify_day(proof: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each error in the proof of a closed day; [] if nobody could choose the deals."""
    errors = list(_day_differences(proof))
    for place, data in enumerate(proof["boards"], 1):
        try:
            events = import_match(data)
        except BadRecord as error:
            errors.append(f"Record {place}: {error}")
            continue
        if not _is_of_day(events, proof):
            errors.append(f"Record {place}: it is not of these boards.")
        errors.extend(f"Record {place}: {error}" for error in verify(events))
    return errors


def _day_differences(proof: Mapping[str, Any]) -> Iterator[str]:
    nonces: Sequence[str] = proof["nonces"]
    if commitment(proof["secret"]) != proof["commitment"]:
        yield "The secret is not the one committed to."
    if entropy(nonces) != proof["entropy"]:
        yield "The entropy is not that of the nonces."
    count = set_count(proof["ranked_entrants"])
    names = [set_name(proof["variant"], proof["date"], number) for number in range(1, count + 1)]
    if proof["sets"] != names or proof["set"] not in names or not 0 <= proof["ranked_entrants"] <= len(nonces):
        yield "The sets do not follow from the entrants."


def _is_of_day(events: Sequence[object], proof: Mapping[str, Any]) -> bool:
    start = events[0] if events else None
    if not isinstance(start, MatchStarted):
        return False
    fields = (start.variant, start.commitment, start.entropy, start.source)
    own_fields = tuple(proof[name] for name in ("variant", "commitment", "entropy", "set"))
    return fields == own_fields and start.first <= DAILY_BOARDS
