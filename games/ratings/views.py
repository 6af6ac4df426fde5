"""The leaderboards, and the ratings on a person's page."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
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
MAX_LISTED = 20  # changes of a rating, the newest ones
MIN_PLOT_SPAN = 100  # rating points


@require_safe
def leaderboard(request: HttpRequest, variant: str) -> HttpResponse:
    """Show the best players of a game, or with ``?time=week`` the best of those rated in the last week."""
    if variant not in offered():
        raise Http404(_("There is no such game."))
    week, bot_ratings = request.GET.get("time") == "week", bots.ratings(variant)
    leaders = standings.leaders(variant, since=timezone.now() - WEEK if week else None)
    context = {
        "variant": variant,
        "name": words_of(variant).name,
        "games": [(key, words_of(key).name) for key in offered()],
        "week": week,
        "leaders": [(row.user, skill_of(row)) for row in leaders],
        "bots": [
            {"name": level.label, "above_random": above_random(variant, level), "rating": bot_ratings.get(level)}
            for level in reversed(BotLevel)
        ],
        "matches": MATCHES,
    }
    return render(request, "ratings/leaderboard.html", context)


def ratings_of(person_id: int) -> list[dict[str, Any]]:
    """Return a person's ratings for their page, game by game."""
    return [_rating(key, rows) for key, rows in standings.history(person_id).items() if key in offered()]


def _rating(key: str, rows: list[Any]) -> dict[str, Any]:
    ratings = [skill_of(row).shown for row in rows]
    history = [Skill(rows[0].mu_before, rows[0].sigma_before).shown, *ratings]
    name, last, count, low, high = words_of(key).name, ratings[-1], len(ratings), min(history), max(history)
    label = RATING_PLOT % {"game": name, "last": last, "count": count, "low": low, "high": high}
    return {
        "key": key,
        "name": name,
        "rating": last,
        "provisional": skill_of(rows[-1]).provisional,
        "number": count,
        "low": low,
        "high": high,
        "plot": SafeString(history_plot(history, label, min_span=MIN_PLOT_SPAN)),
        "changes": [
            {"row": row, "rating": after, "change": f"{after - before:+}".replace("-", "−")}
            for row, after, before in zip(rows, ratings, history, strict=False)
        ][: -MAX_LISTED - 1 : -1],
    }
