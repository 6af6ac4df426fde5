"""The puzzle of the day: an unused one, or the one whose last day is longest ago."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import structlog
from django.db import IntegrityError, transaction
from django.db.models import F, Max, QuerySet

from games.models import Puzzle, PuzzleAttempt, PuzzleDay
from games.puzzles import Puzzle as NewPuzzle
from games.puzzles import first_puzzles, puzzle_to_data
from games.words import offered_variants

ONE_DAY = timedelta(days=1)
# A puzzle solved this soon after its day counts for its day: its page was probably opened before midnight.
LATE_SOLUTION_GRACE = timedelta(hours=1)
MIN_UNUSED_PUZZLES = 7  # with fewer, a warning is logged

log = structlog.get_logger()


def puzzle_of_day(variant: str, now: datetime) -> PuzzleDay | None:
    """Return today's puzzle of a game, choosing it if this is the first request of the day.

    Return None if the game has no puzzles.
    """
    today = now.astimezone(UTC).date()
    stored_days = PuzzleDay.objects.select_related("puzzle")
    if (row := stored_days.filter(variant=variant, day=today).first()) is not None:
        return row
    puzzle = _next_puzzle(variant)
    if puzzle is None:
        return None
    try:
        with transaction.atomic():
            return PuzzleDay.objects.create(variant=variant, day=today, puzzle=puzzle)
    except IntegrityError:  # a simultaneous request has just chosen it
        return stored_days.get(variant=variant, day=today)


def find_puzzle_day(variant: str, day: str, now: datetime) -> PuzzleDay | None:
    """Return the puzzle of a game on a day written as ``2026-01-31``, None if there was none."""
    if variant in offered_variants():
        puzzle_of_day(variant, now)  # chooses the puzzle if this is the first request of the day
    with suppress(ValueError):
        row = PuzzleDay.objects.select_related("puzzle").filter(variant=variant, day=date.fromisoformat(day)).first()
        if row is not None and str(row.day) == day:  # ``fromisoformat`` also reads other spellings
            return row
    return None


def puzzle_days(variant: str) -> QuerySet[PuzzleDay]:
    """Return the days of a game on which there was a puzzle, newest first."""
    return PuzzleDay.objects.filter(variant=variant).order_by("-day")


def end_of_day(day: date) -> datetime:
    """Return the end of a puzzle day: the next midnight in UTC."""
    return datetime.combine(day + ONE_DAY, time.min, tzinfo=UTC)


def count_attempt(puzzle: PuzzleDay | Puzzle, user_id: int, *, solved: bool, now: datetime) -> PuzzleAttempt:
    """Count an attempt at the puzzle of a day, or outside its days. Attempts after the solution change nothing."""
    puzzle_or_day: dict[str, Any] = {"puzzle_day" if isinstance(puzzle, PuzzleDay) else "puzzle": puzzle}
    with transaction.atomic():
        attempt, _new = PuzzleAttempt.objects.select_for_update(no_key=True).get_or_create(
            **puzzle_or_day, user_id=user_id
        )
        if attempt.solved_at is None:
            attempt.tries += 1
            attempt.solved_at = now if solved else None
            attempt.save(update_fields=["tries", "solved_at"])
    return attempt


def streak(variant: str, user_id: int, now: datetime) -> int:
    """Return the number of consecutive days, up to today or yesterday, whose puzzle the person solved in time."""
    attempts = PuzzleAttempt.objects.filter(user=user_id, puzzle_day__variant=variant, solved_at__isnull=False)
    solved_in_time = {
        day
        for day, solved_at in attempts.values_list("puzzle_day__day", "solved_at")
        if solved_at and solved_at < end_of_day(day) + LATE_SOLUTION_GRACE
    }
    today = now.astimezone(UTC).date()
    return _count_consecutive(solved_in_time, today if today in solved_in_time else today - ONE_DAY)


def add_puzzles(variant: str, puzzles: Iterable[NewPuzzle]) -> int:
    """Add new puzzles to the unused ones, skipping those already stored. Return the number added."""
    stored = list(Puzzle.objects.filter(variant=variant).values_list("data", flat=True))
    new = [data for puzzle in puzzles if (data := puzzle_to_data(puzzle)) not in stored]
    last = Puzzle.objects.filter(variant=variant).aggregate(last=Max("number"))["last"] or 0
    Puzzle.objects.bulk_create(
        Puzzle(variant=variant, number=number, data=data) for number, data in enumerate(new, last + 1)
    )
    return len(new)


def _next_puzzle(variant: str) -> Puzzle | None:
    puzzles = Puzzle.objects.filter(variant=variant)
    if not puzzles.exists():
        add_puzzles(variant, first_puzzles(variant))
    unused = puzzles.filter(days=None).count()
    if unused < MIN_UNUSED_PUZZLES:
        log.warning("few_unused_puzzles", variant=variant, unused=unused)
    by_last_day = puzzles.annotate(last_day=Max("days__day"))
    return by_last_day.order_by(F("last_day").asc(nulls_first=True), "number").first()


def _count_consecutive(days: set[date], last: date) -> int:
    count = 0
    while last - count * ONE_DAY in days:
        count += 1
    return count
