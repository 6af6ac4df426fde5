"""The permissions for the parts of a decision. Without one, a moderator can only propose that part."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.models import User
from accounts.sanctions.measures import MEASURES
from games.enums import MatchCorrection

HIDE_PERMISSION = "games.hide_message"
CORRECTION_PERMISSIONS: Mapping[str, str] = {
    MatchCorrection.REMOVE: "games.empty_seat",
    MatchCorrection.SETTLE: "games.settle_match",
    MatchCorrection.STOP: "games.stop_match",
    MatchCorrection.VOID: "games.void_match",
    MatchCorrection.RATINGS: "games.take_ratings_back",
    MatchCorrection.SLOW_CHAT: HIDE_PERMISSION,
    MatchCorrection.CLOSE_CHAT: HIDE_PERMISSION,
}
MEASURE_PERMISSIONS: Mapping[str, str] = {
    kind: f"accounts.{measure.permission[0]}" for kind, measure in MEASURES.items()
}


def proposed_choices(moderator: User) -> frozenset[str]:
    """Return the measures and corrections that this moderator can only propose."""
    permissions = {**MEASURE_PERMISSIONS, **CORRECTION_PERMISSIONS}
    return frozenset(choice for choice, permission in permissions.items() if not moderator.has_perm(permission))
