"""The months whose open data the site has made."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class OpenDataMonth(models.Model):
    """The files of a month (``games.open_data``), as ``FileInfo`` describes each.

    Until ``leased_until`` a process makes them; after ``made_at`` they are complete.
    """

    month = models.DateField(unique=True)
    files = models.JSONField(default=list)
    made_at = models.DateTimeField(null=True)
    leased_until = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("month of open data")
        verbose_name_plural = _("months of open data")
        ordering = ("-month",)

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}"
