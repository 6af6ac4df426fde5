"""The reports of matches that are over."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class MatchReport(models.Model):
    """The report of a match, by a version of what makes reports. Only ``games.match_reports.reports`` uses this table.

    ``data`` is empty while it is being made, and stays so where that failed: nobody tries again with this version.
    """

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="report")
    version = models.PositiveSmallIntegerField()
    data = models.JSONField(null=True)
    # Of processor time.
    seconds = models.FloatField(default=0.0)

    class Meta:
        verbose_name = _("match report")
        verbose_name_plural = _("match reports")

    def __str__(self) -> str:
        return f"{self.match_id} {self.version}"
