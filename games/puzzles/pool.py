"""Puzzles without end: all puzzles of a game or of all games, and how difficult they are.

The difficulty of a puzzle is the share of its solvers who found the move at the first try, with a prior. A rating of
puzzles and solvers would need many more results than a site of this size has, and a stored rating of every person.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from random import Random

from django.db.models import F, Q
from django.utils.translation import gettext as _

from games.models import Puzzle
from games.puzzles import daily
from games.words import offered_variants
from infrastructure.not_found import ExplainedNotFound

PRIOR_TRIED, PRIOR_SOLVED = 6, 3  # imagined results of every puzzle: one of two people solves it at the first try
MIN_TRIED = 10  # people who have tried a puzzle before its difficulty is shown
MIN_EASY_SHARE, MAX_HARD_SHARE = 0.65, 0.35  # of people who solve it at the first try
SHARE_STEP = 0.1  # the next puzzle is this much harder after a solution at the first try, or easier after a mistake
CHOICES = 10  # puzzles nearest to the wanted difficulty, of which one is picked


def solved_share(puzzle: Puzzle) -> float:
    """Return the estimated share of people who solve a puzzle at the first try.

    >>> solved_share(Puzzle()), solved_share(Puzzle(tried=14, solved_first=2))
    (0.5, 0.25)
    """
    return (puzzle.solved_first + PRIOR_SOLVED) / (puzzle.tried + PRIOR_TRIED)


def difficulty(puzzle: Puzzle) -> str:
    """Return ``easy``, ``medium`` or ``hard``, "" if too few people have tried the puzzle."""
    if puzzle.tried < MIN_TRIED:
        return ""
    share = solved_share(puzzle)
    return "easy" if share > MIN_EASY_SHARE else "hard" if share < MAX_HARD_SHARE else "medium"


def count_first_try(puzzle_id: int, *, solved: bool) -> None:
    """Count the first attempt of a person or session at a puzzle."""
    Puzzle.objects.filter(pk=puzzle_id).update(tried=F("tried") + 1, solved_first=F("solved_first") + int(solved))


def tried_by(user_id: int) -> Q:
    """Select the puzzles that a person has tried, on a day or outside their days."""
    return Q(attempts__user=user_id) | Q(days__attempts__user=user_id)


def solved_by(user_id: int) -> Q:
    """Select the puzzles that a person has solved."""
    return Q(attempts__user=user_id, attempts__solved_at__isnull=False) | Q(
        days__attempts__user=user_id, days__attempts__solved_at__isnull=False
    )


def wanted_share(last: Puzzle | None, *, solved: bool) -> float:
    """Return the solved share of the next puzzle for somebody who solved the last one at the first try, or did not."""
    if last is None:
        return PRIOR_SOLVED / PRIOR_TRIED
    return solved_share(last) + (-SHARE_STEP if solved else SHARE_STEP)


def find_puzzle(variant: str, number: int) -> Puzzle:
    """Return a puzzle by its number. Raises Http404."""
    row = Puzzle.objects.filter(variant=variant, number=number).first()
    if row is None or variant not in offered_variants():
        raise ExplainedNotFound(_("There is no such puzzle."))
    return row


def pick_puzzle(
    variants: Iterable[str], solved: Collection[int], share: float, now: datetime, chance: Random, *, after: int = 0
) -> Puzzle | None:
    """Return a puzzle with about this solved share, None if the games have no puzzles.

    Puzzles of today, solved ones and the one ``after`` which this one comes are picked only if there are no others.
    """
    todays = {day.puzzle_id for variant in variants if (day := daily.puzzle_of_day(variant, now))}
    puzzles = list(Puzzle.objects.filter(variant__in=variants).defer("data"))
    for excluded in ({*solved, *todays, after}, {*solved, after}, {after}, ()):
        if candidates := [puzzle for puzzle in puzzles if puzzle.pk not in excluded]:
            chance.shuffle(candidates)
            candidates.sort(key=lambda puzzle: abs(solved_share(puzzle) - share))
            return chance.choice(candidates[:CHOICES])
    return None
