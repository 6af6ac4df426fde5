"""The strip with the running match of a player, on all other pages."""

from __future__ import annotations

from typing import Any, NamedTuple

from django import template
from django.template import Context

from games.models import Match, Seat
from games.words import words_of

register = template.Library()


class RunningMatch(NamedTuple):
    slug: str
    variant: str
    is_my_turn: bool


@register.inclusion_tag("running_match_bar.html", takes_context=True)
def running_match(context: Context) -> dict[str, Any]:
    """Show the strip. Visitors, people without a running match, and pages of matches get nothing."""
    request, user = context.get("request"), context.get("user")
    page = request and request.resolver_match and request.resolver_match.url_name
    # Some error pages are rendered before the user is known.
    if user is None or page == "match" or not user.is_authenticated:
        return {}
    match = _running_match_of(user.pk)
    return {"running": match, "game": words_of(match.variant).name} if match else {}


def _running_match_of(user_id: int) -> RunningMatch | None:
    """Return a running match of the person, preferably one that waits for their move."""
    # ``finished_at`` keeps the index from listing everything that the person ever played.
    seats = Seat.objects.filter(user=user_id, finished_at=None, bot="", match__status=Match.Status.RUNNING)
    rows = seats.order_by("-match_id").values_list("match__slug", "match__variant", "index", "match__to_move")
    matches = [RunningMatch(slug, variant, seat == to_move) for slug, variant, seat, to_move in rows]
    return max(matches, key=lambda match: match.is_my_turn, default=None)
