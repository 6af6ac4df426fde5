"""The puzzle of a day: the first that no day has had yet; if there is none, the one whose day is longest ago."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import F, Max

from games.models import Puzzle, PuzzleAttempt
from games.puzzles import Puzzle as Position
from games.puzzles import first, to_data

DAY = timedelta(days=1)


def of_day(variant: str, now: datetime) -> Puzzle | None:
    """Return the puzzle of today, None if a game has none at all."""
    today = now.astimezone(UTC).date()
    known = Puzzle.objects.filter(variant=variant)
    if (chosen := known.filter(day=today).first()) is not None:
        return chosen
    if not known.exists():
        add(variant, first(variant))
    following = known.order_by(F("day").asc(nulls_first=True), "number").first()
    if following is not None:
        try:
            with transaction.atomic():
                known.filter(pk=following.pk).update(day=today)
        except IntegrityError:  # somebody else has asked for it at the same moment
            return known.get(day=today)
        following.day = today
    return following


def shown(variant: str) -> Iterator[Puzzle]:
    """Yield the puzzles that have had their day, the newest first."""
    yield from Puzzle.objects.filter(variant=variant, day__isnull=False).order_by("-day").defer("data").iterator()


def tried(puzzle: Puzzle, user_id: int, *, solved: bool, now: datetime) -> PuzzleAttempt:
    """Count a try of a person; what is solved stays as it is."""
    with transaction.atomic():
        attempt, _new = PuzzleAttempt.objects.select_for_update().get_or_create(puzzle=puzzle, user_id=user_id)
        if attempt.solved_at is None:
            attempt.tries += 1
            attempt.solved_at = now if solved else None
            attempt.save(update_fields=["tries", "solved_at"])
    return attempt


def streak(variant: str, user_id: int, now: datetime) -> int:
    """Return on how many days in a row, up to today or yesterday, a person has solved the puzzle of the day."""
    rows = PuzzleAttempt.objects.filter(user=user_id, puzzle__variant=variant, solved_at__isnull=False)
    days = {
        day
        for day, solved_at in rows.values_list("puzzle__day", "solved_at")
        if solved_at and day == solved_at.astimezone(UTC).date()
    }
    today = now.astimezone(UTC).date()
    return _in_a_row(days, today if today in days else today - DAY)


def add(variant: str, positions: Iterable[Position]) -> int:
    """Add puzzles that wait for their day, but for positions that are there already. Return how many were new."""
    known = list(Puzzle.objects.filter(variant=variant).values_list("data", flat=True))
    new = [data for position in positions if (data := to_data(position)) not in known]
    last = Puzzle.objects.filter(variant=variant).aggregate(last=Max("number"))["last"] or 0
    Puzzle.objects.bulk_create(
        Puzzle(variant=variant, number=number, data=data) for number, data in enumerate(new, last + 1)
    )
    return len(new)


def _in_a_row(days: set[date], last: date) -> int:
    number = 0
    while last - number * DAY in days:
        number += 1
    return number
