"""The endpoint of today: the puzzle and the daily boards of each game."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils import timezone
from ninja import Router

from games.api import schemas
from games.api.authentication import OPTIONAL_TOKEN, READ, ApiRequest
from games.api.refusals import ERRORS
from games.models import BoardDay, PuzzleDay
from games.puzzles import daily, pool
from games.tournaments.core.duplicate import DAILY_BOARDS
from games.words import offered_variants

router = Router(tags=["today"], auth=READ)


@router.get("today", response={200: schemas.TodayOut, **ERRORS}, openapi_extra=OPTIONAL_TOKEN)
def get_today(request: ApiRequest) -> dict[str, Any]:
    """Return the puzzles of today, and the daily boards of today and of the next days that are announced (UTC)."""
    now = timezone.now()
    puzzles = [daily.puzzle_of_day(variant, now) for variant in offered_variants()]
    boards = BoardDay.objects.filter(date__gte=now.date()).order_by("date", "variant")
    return {
        "puzzles": [_puzzle_data(puzzle) for puzzle in puzzles if puzzle is not None],
        "boards": list(map(_board_day_data, boards)),
    }


def _puzzle_data(row: PuzzleDay) -> dict[str, Any]:
    return {
        "variant": row.variant,
        "day": row.day,
        "number": row.puzzle.number,
        "difficulty": pool.difficulty(row.puzzle),
        "address": reverse("puzzle", args=[row.variant, str(row.day)]),
    }


def _board_day_data(day: BoardDay) -> dict[str, Any]:
    return {
        "variant": day.variant,
        "date": day.date,
        "commitment": day.commitment,
        "boards": DAILY_BOARDS,
        "opened_at": day.opened_at,
        "closed_at": day.closed_at,
    }
