"""The leaderboards, and the ratings on a person's page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from games.enums import BotLevel
from games.history.plot import history_plot
from games.lobby.quick_play import last_played_variant
from games.ratings import bot_ladder, bot_ratings, disclosed_ratings
from games.ratings.bot_ladder import LadderLine
from games.ratings.disclosed_ratings import skill_after
from games.ratings.skill import Skill
from games.words import offered_variants, words_of
from games.words.levels import MIN_MEASURED_MATCHES, rating_points_above_random
from games.words.page_labels import RATING_PLOT
from infrastructure.not_found import ExplainedNotFound

LEADERBOARD_WEEK = timedelta(days=7)
MAX_LISTED_CHANGES = 20  # per game, newest first
MIN_PLOT_SPAN = 100  # rating points


@require_safe
def leaderboard(request: HttpRequest, variant: str = "") -> HttpResponse:
    """Show the best players of a game, or with ``?time=week`` the best of those rated in the last week.

    Without a game, it is the one that the viewer played last.
    """
    variant = variant or last_played_variant(request.user.pk)
    games = _games_context(variant)
    week, rating_by_level = request.GET.get("time") == "week", bot_ratings.ratings_of_bots(variant)
    leaders = disclosed_ratings.leaders(variant, since=timezone.now() - LEADERBOARD_WEEK if week else None)
    context = games | {
        "week": week,
        "leaders": [(row.user, skill_after(row)) for row in leaders],
        "bots": [
            {
                "name": level.label,
                "above_random": rating_points_above_random(variant, level),
                "rating": rating_by_level.get(level),
            }
            for level in reversed(BotLevel)
        ],
        "matches": MIN_MEASURED_MATCHES,
    }
    return render(request, "ratings/leaderboard.html", context)


class LadderRow(NamedTuple):
    """A bot on the page of the ladder with its place, or a level, which has none."""

    points: float
    name: str
    place: int = 0
    spread: float = 0
    matches: int = 0
    bot: User | None = None


@require_safe
def bot_ladder_page(request: HttpRequest, variant: str) -> HttpResponse:
    """Show how strong the bots of people are in a game, among the levels of the site's bots."""
    games = _games_context(variant)
    ladder = bot_ladder.load_ladder(variant)
    levels = [LadderRow(ladder.levels[level], str(level.label)) for level in BotLevel]
    rows = sorted([*_ladder_rows(ladder.anchored), *levels], key=lambda row: -row.points)
    context = games | {"rows": rows, "other_rows": _ladder_rows(ladder.unanchored)}
    return render(request, "ratings/bot_ladder.html", context)


def _ladder_rows(lines: Sequence[LadderLine]) -> list[LadderRow]:
    return [
        LadderRow(strength.rating.points, str(bot), place, round(strength.rating.spread), strength.matches, bot)
        for place, (bot, strength) in enumerate(lines, 1)
    ]


def _games_context(variant: str) -> dict[str, Any]:
    """Return the game of a page with links to those of other games. Raises Http404."""
    if variant not in offered_variants():
        raise ExplainedNotFound(_("There is no such game."))
    games = [(key, words_of(key).name) for key in offered_variants()]
    return {"variant": variant, "name": words_of(variant).name, "games": games}


def ratings_of_person(person_id: int) -> list[dict[str, Any]]:
    """Return a person's ratings by game, for the person's page."""
    changes_by_game = disclosed_ratings.rating_history(person_id)
    return [_rating_context(key, rows) for key, rows in changes_by_game.items() if key in offered_variants()]


def _rating_context(key: str, rows: list[Any]) -> dict[str, Any]:
    ratings = [skill_after(row).rating for row in rows]
    ratings_with_initial = [Skill(rows[0].mu_before, rows[0].sigma_before).rating, *ratings]
    name, current, count = words_of(key).name, ratings[-1], len(ratings)
    lowest_rating, highest_rating = min(ratings_with_initial), max(ratings_with_initial)
    plot_label = RATING_PLOT % {
        "game": name,
        "last": current,
        "count": count,
        "low": lowest_rating,
        "high": highest_rating,
    }
    return {
        "key": key,
        "name": name,
        "rating": current,
        "provisional": skill_after(rows[-1]).is_provisional,
        "number": count,
        "low": lowest_rating,
        "high": highest_rating,
        "plot": SafeString(history_plot(ratings_with_initial, plot_label, min_span=MIN_PLOT_SPAN)),
        "changes": [
            {"row": row, "rating": rating, "change": f"{rating - rating_before:+}".replace("-", "−")}
            for row, rating, rating_before in zip(rows, ratings, ratings_with_initial, strict=False)
        ][: -MAX_LISTED_CHANGES - 1 : -1],
    }
