"""Puzzles, and who has solved them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Puzzle(models.Model):
    """A position to solve, numbered within its game; ``data`` is that of ``games.puzzles.to_data``.

    ``day`` is the day whose puzzle it is, in UTC; None as long as it waits for one. Only shown puzzles are found.
    """

    variant = models.CharField(max_length=20)
    number = models.PositiveIntegerField()
    day = models.DateField(null=True, blank=True)
    data = models.JSONField()

    class Meta:
        verbose_name = _("puzzle")
        verbose_name_plural = _("puzzles")
        constraints = [
            models.UniqueConstraint(fields=["variant", "number"], name="puzzle_number"),
            models.UniqueConstraint(fields=["variant", "day"], name="puzzle_of_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.variant} {self.number}"


class PuzzleAttempt(models.Model):
    """How often a person tried a puzzle, and when it was solved, None if it is not."""

    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="attempts")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_attempts")
    tries = models.PositiveIntegerField(default=0)
    solved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("puzzle attempt")
        verbose_name_plural = _("puzzle attempts")
        constraints = [models.UniqueConstraint(fields=["puzzle", "user"], name="one_attempt")]

    def __str__(self) -> str:
        return f"{self.user}: {self.puzzle}"
