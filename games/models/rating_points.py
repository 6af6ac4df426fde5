"""Rating points, by the rulebook of Kozel."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class RatingPoints(models.Model):
    """The sum of a user's rating points in one variant."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="points")
    variant = models.CharField(max_length=20)
    points = models.IntegerField(default=0)
    matches = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = verbose_name_plural = _("rating points")
        constraints = [models.UniqueConstraint(fields=["user", "variant"], name="one_count_of_points_per_variant")]

    def __str__(self) -> str:
        return f"{self.user} {self.variant} {self.points}"
