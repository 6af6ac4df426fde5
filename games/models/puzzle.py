"""Puzzles, the days they are shown on, and who has solved them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Puzzle(models.Model):
    """A position to solve, numbered within its game; ``games.puzzles.puzzle_to_data`` makes ``data``.

    ``tried`` counts the people and sessions that tried it, ``solved_first`` those that solved it at the first try.
    """

    variant = models.CharField(max_length=20)
    number = models.PositiveIntegerField()
    data = models.JSONField()
    tried = models.PositiveIntegerField(default=0)
    solved_first = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("puzzle")
        verbose_name_plural = _("puzzles")
        constraints = [models.UniqueConstraint(fields=["variant", "number"], name="puzzle_number")]

    def __str__(self) -> str:
        return f"{self.variant} {self.number}"


class PuzzleDay(models.Model):
    """The puzzle of one game on one UTC day. A puzzle that is reused gets another day and keeps its earlier ones."""

    variant = models.CharField(max_length=20)
    day = models.DateField()
    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="days")

    class Meta:
        verbose_name = _("puzzle of the day")
        verbose_name_plural = _("puzzles of the day")
        constraints = [models.UniqueConstraint(fields=["variant", "day"], name="one_puzzle_per_day")]

    def __str__(self) -> str:
        return f"{self.variant} {self.day}"


class PuzzleAttempt(models.Model):
    """How often a person tried a puzzle, and when they solved it (None if they have not).

    The attempt is at the puzzle of a day or, outside its days, at a ``puzzle``.
    """

    puzzle_day = models.ForeignKey(PuzzleDay, on_delete=models.CASCADE, related_name="attempts", null=True, blank=True)
    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="attempts", null=True, blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_attempts")
    tries = models.PositiveIntegerField(default=0)
    solved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("puzzle attempt")
        verbose_name_plural = _("puzzle attempts")
        constraints = [
            models.UniqueConstraint(fields=["puzzle_day", "user"], name="one_attempt_per_day"),
            models.UniqueConstraint(fields=["puzzle", "user"], name="one_attempt_outside_days"),
            models.CheckConstraint(
                condition=models.Q(puzzle_day=None) ^ models.Q(puzzle=None), name="attempt_of_day_or_puzzle"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.puzzle_day or self.puzzle}"
