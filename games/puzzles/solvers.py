"""The puzzles that a visitor has tried and solved.

They are stored in the session, and for guests and accounts also in the database.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.http import HttpRequest

from games.models import Puzzle, PuzzleDay
from games.puzzles import daily, pool

SESSION_KEY = "puzzles"  # session key of ``tried`` and ``solved`` ids, and the ``last`` id with its result
MAX_REMEMBERED = 1000  # ids in each list


def record_attempt(
    request: HttpRequest, puzzle: Puzzle, day: PuzzleDay | None, *, solved: bool, now: datetime
) -> None:
    """Record an attempt of a visitor; only the first one at a puzzle counts for its difficulty."""
    history, user_id = _history(request), request.user.pk
    is_first = puzzle.pk not in history.get("tried", [])
    if user_id:
        is_first = is_first and not Puzzle.objects.filter(pool.tried_by(user_id), pk=puzzle.pk).exists()
        daily.count_attempt(day or puzzle, user_id, solved=solved, now=now)
    if is_first:
        pool.count_first_try(puzzle.pk, solved=solved)
    request.session[SESSION_KEY] = {
        "tried": _with_id(history.get("tried", []), puzzle.pk),
        "solved": _with_id(history.get("solved", []), puzzle.pk) if solved else history.get("solved", []),
        "last": [puzzle.pk, solved] if is_first else history.get("last"),
    }


def solved_puzzles(request: HttpRequest) -> set[int]:
    """Return the ids of the puzzles that a visitor has solved."""
    solved = set(_history(request).get("solved", []))
    if request.user.pk:
        solved.update(Puzzle.objects.filter(pool.solved_by(request.user.pk)).values_list("pk", flat=True))
    return solved


def wanted_share(request: HttpRequest) -> float:
    """Return the difficulty of the next puzzle, by the last one that the visitor tried."""
    last_id, solved = _history(request).get("last") or (0, False)
    return pool.wanted_share(Puzzle.objects.filter(pk=last_id).first(), solved=solved)


def _history(request: HttpRequest) -> Mapping[str, Any]:
    history: Mapping[str, Any] = request.session.get(SESSION_KEY, {})
    return history


def _with_id(ids: Collection[int], new: int) -> list[int]:
    return [*(puzzle_id for puzzle_id in ids if puzzle_id != new), new][-MAX_REMEMBERED:]
