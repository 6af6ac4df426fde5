"""The conduct ledger: absences that affected others, and matches played to the end."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import enums
from games.models.match import Match


class EffectiveManager(models.Manager["ConductMark"]):
    """Leaves out the lines that were taken back."""

    def get_queryset(self) -> models.QuerySet[ConductMark]:
        return super().get_queryset().filter(taken_back=False)


class ConductMark(models.Model):
    """A line of a person's conduct ledger, with the points that it added, or (negative) removed.

    Rows are only added; ``games.conduct.balance`` computes today's total. The lines of a match that was declared void
    are ``taken_back``: ``all_objects`` contains them, ``objects`` does not.
    """

    Kind = enums.ConductKind

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="conduct_marks")
    kind = models.CharField(max_length=9, choices=Kind)
    points = models.SmallIntegerField()
    at = models.DateTimeField()
    match = models.ForeignKey(Match, null=True, on_delete=models.SET_NULL, related_name="conduct_marks")
    taken_back = models.BooleanField(default=False)

    objects = EffectiveManager()
    all_objects = models.Manager()  # noqa: DJ012 (a manager, too)

    class Meta:
        verbose_name = _("conduct mark")
        verbose_name_plural = _("conduct marks")
        indexes = [models.Index(fields=["user", "at", "id"], name="conduct_of_user")]

    def __str__(self) -> str:
        return f"{self.kind} {self.points:+}"
