"""The result of a match in its record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.engine.events import Event, MatchEnded, RoundEnded
from games.engine.replay import start_event
from games.engine.variants import rules_for


def result_data(events: Sequence[Event], match_end: MatchEnded) -> dict[str, Any]:
    """Return the reason of the end, and the places and points of the seats, if there are any."""
    data: dict[str, Any] = {"reason": match_end.reason}
    if match_end.places:
        data["places"] = list(match_end.places)
    start = start_event(events)
    rounds = [event for event in events if isinstance(event, RoundEnded)]
    if rounds:
        sides = rules_for(start.variant).sides(start.seats, dict(start.options))
        data["points"] = [rounds[-1].standing[side].points for side in sides]
    return data
