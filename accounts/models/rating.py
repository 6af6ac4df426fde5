"""Rating points, by the rulebook of Kozel."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Rating(models.Model):
    """Rating points a user has collected in one variant."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings")
    variant = models.CharField(max_length=20)
    points = models.IntegerField(default=0)
    matches = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [models.UniqueConstraint(fields=["user", "variant"], name="one_rating_per_variant")]

    def __str__(self) -> str:
        return f"{self.user} {self.variant} {self.points}"
