"""The leaderboards, and the ratings on a person's page."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.enums import BotLevel
from games.history.plot import history_plot
from games.ratings import bots, standings
from games.ratings.skill import Skill
from games.ratings.standings import skill_of
from games.words import offered, words_of
from games.words.levels import MATCHES, above_random
from games.words.pages import RATING_PLOT

WEEK = timedelta(days=7)
LISTED = 20
"""So many changes of a rating are listed, the newest first."""
NARROWEST = 100
"""Rating points that a plot shows at least."""


@never_cache
@require_safe
def leaderboard(request: HttpRequest, variant: str) -> HttpResponse:
    """Show the best players of a game: of all time, or with ``?time=week`` those who were rated in the last week."""
    if variant not in offered():
        raise Http404(_("There is no such game."))
    week = request.GET.get("time") == "week"
    leaders = standings.leaders(variant, since=timezone.now() - WEEK if week else None)
    context = {
        "variant": variant,
        "name": words_of(variant).name,
        "games": [(key, words_of(key).name) for key in offered()],
        "week": week,
        "leaders": [(row.user, skill_of(row)) for row in leaders],
        "bots": _bots(variant),
        "matches": MATCHES,
    }
    return render(request, "ratings/leaderboard.html", context)


def _bots(variant: str) -> list[dict[str, Any]]:
    """Return a line for each level of the bots, the strongest first."""
    known = bots.ratings(variant)
    return [
        {"name": level.label, "above_random": above_random(variant, level), "rating": known.get(level)}
        for level in reversed(BotLevel)
    ]


def ratings_of(person_id: int) -> list[dict[str, Any]]:
    """Return what the page of a person shows of their ratings, a game each."""
    return [_rating(key, rows) for key, rows in standings.history(person_id).items() if key in offered()]


def _rating(key: str, rows: list[Any]) -> dict[str, Any]:
    shown = [skill_of(row).shown for row in rows]
    before = Skill(rows[0].mu_before, rows[0].sigma_before).shown
    name, low, high = words_of(key).name, min(before, *shown), max(before, *shown)
    label = RATING_PLOT % {
        "game": name,
        "last": shown[-1],
        "count": len(shown),
        "low": low,
        "high": high,
    }
    changes = zip(rows, shown, [before, *shown], strict=False)
    return {
        "key": key,
        "name": name,
        "rating": shown[-1],
        "provisional": skill_of(rows[-1]).provisional,
        "number": len(shown),
        "low": low,
        "high": high,
        "plot": SafeString(history_plot([before, *shown], label, min_span=NARROWEST)),
        "changes": [
            {"row": row, "rating": now, "change": f"{now - then:+}".replace("-", "−")} for row, now, then in changes
        ][: -LISTED - 1 : -1],
    }
