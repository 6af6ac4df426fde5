"""The reports of finished matches."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class MatchReport(models.Model):
    """The report of a match, with the version of the code that computed it. Only ``games.match_reports.reports`` uses
    this table.

    ``data`` is empty while the report is computed, and stays empty if that failed: this version does not try again.
    """

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="report")
    version = models.PositiveSmallIntegerField()
    data = models.JSONField(null=True)
    # CPU time.
    seconds = models.FloatField(default=0.0)

    class Meta:
        verbose_name = _("match report")
        verbose_name_plural = _("match reports")

    def __str__(self) -> str:
        return f"{self.match_id} {self.version}"
