"""The match that a person is playing, for pages elsewhere on the site."""

from __future__ import annotations

from typing import NamedTuple

from games.models import Match, Seat


class RunningMatch(NamedTuple):
    slug: str
    variant: str
    is_my_turn: bool


def running_match(user_id: int) -> RunningMatch | None:
    """Return a running match of the person, preferably one that waits for their move."""
    # ``finished_at`` keeps the index from listing everything that the person ever played.
    seats = Seat.objects.filter(user=user_id, finished_at=None, bot="", match__status=Match.Status.RUNNING)
    rows = seats.order_by("-match_id").values_list("match__slug", "match__variant", "index", "match__to_move")
    matches = [RunningMatch(slug, variant, seat == to_move) for slug, variant, seat, to_move in rows]
    return max(matches, key=lambda match: match.is_my_turn, default=None)
