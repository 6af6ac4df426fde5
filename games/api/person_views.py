"""Endpoints of people: their public results and ratings, the leaderboards, and the ladder of bots."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone
from ninja import Router

from games.access import visible_person
from games.api import schemas
from games.api.authentication import OPTIONAL_TOKEN, READ, ApiRequest
from games.api.match_views import history_data, require_variant
from games.api.refusals import ERRORS
from games.history import queries
from games.history.queries import MatchFilter, Tally
from games.history.views import visible_points
from games.ratings import bot_ladder, disclosed_ratings
from games.ratings.bot_ladder import LadderLine
from games.ratings.disclosed_ratings import skill_after
from games.ratings.views import LEADERBOARD_WEEK

router = Router(tags=["people"], auth=READ)


@router.get("person/{key:person_id}", response={200: schemas.PersonOut, **ERRORS}, openapi_extra=OPTIONAL_TOKEN)
def get_person(request: ApiRequest, person_id: int) -> dict[str, Any]:
    """Return the results and ratings of a person who has played in public."""
    tallies = queries.tally_by_variant(person_id, request.auth.viewer)
    person = visible_person(request.auth.viewer, person_id, has_matches=bool(tallies))
    points, ratings = visible_points(person, request.auth.viewer), latest_ratings(person.pk)
    games = [_game_data(variant, tallies[variant], points, ratings) for variant in sorted(tallies)]
    return {"id": person.pk, "name": str(person), "guest": person.is_guest, "games": games}


@router.get(
    "person/{key:person_id}/matches", response={200: schemas.HistoryOut, **ERRORS}, openapi_extra=OPTIONAL_TOKEN
)
def list_matches_of_person(request: ApiRequest, person_id: int, variant: str = "", after: str = "") -> dict[str, Any]:
    """Return the finished matches of a person that the caller may find, newest first."""
    visible_person(request.auth.viewer, person_id)
    return history_data(request, MatchFilter(variant=variant, person_id=person_id), after)


@router.get("leaderboard/{variant}", response={200: schemas.LeaderboardOut, **ERRORS}, openapi_extra=OPTIONAL_TOKEN)
def get_leaderboard(request: ApiRequest, variant: str, *, week: bool = False) -> dict[str, Any]:
    """Return the 50 best players of a game, or the best of those who played in the last week."""
    require_variant(variant)
    since: timedelta | None = LEADERBOARD_WEEK if week else None
    rows = disclosed_ratings.leaders(variant, since=timezone.now() - since if since else None)
    leaders = [
        {"place": place, "person": row.user_id, "name": str(row.user), "rating": skill_after(row).rating}
        for place, row in enumerate(rows, 1)
    ]
    return {"variant": variant, "leaders": leaders}


@router.get("leaderboard/{variant}/bots", response={200: schemas.BotLadderOut, **ERRORS}, openapi_extra=OPTIONAL_TOKEN)
def get_bot_ladder(request: ApiRequest, variant: str) -> dict[str, Any]:
    """Return how strong the bots are by their matches against each other, the strongest first."""
    require_variant(variant)
    ladder = bot_ladder.load_ladder(variant)
    levels = [{"level": level, "rating": rating} for level, rating in ladder.levels.items()]
    return {
        "variant": variant,
        "bots": list(map(_ladder_data, (*ladder.anchored, *ladder.unanchored))),
        "levels": levels,
    }


def latest_ratings(person_id: int) -> dict[str, dict[str, Any]]:
    """Return the disclosed ratings of a person by game."""
    skills = {key: skill_after(rows[-1]) for key, rows in disclosed_ratings.rating_history(person_id).items()}
    return {key: {"rating": skill.rating, "provisional": skill.is_provisional} for key, skill in skills.items()}


def _game_data(
    variant: str, tally: Tally, points: dict[str, int], ratings: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    fields = {"variant": variant, "points": points.get(variant), "rating": ratings.get(variant)}
    return tally._asdict() | fields


def _ladder_data(line: LadderLine) -> dict[str, Any]:
    bot, (rating, matches) = line
    return {
        "bot": bot.pk,
        "name": str(bot),
        "owner": bot.bot_owner_id,
        "owner_name": str(bot.bot_owner),
        "rating": round(rating.points),
        "spread": round(rating.spread),
        "matches": matches,
        "anchored": rating.is_anchored,
    }
