"""The statistics of deals."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class DealStatistics(models.Model):
    """The counts by ``manage.py deal_statistics`` in the deals of public matches, a table for each kind of deal."""

    made_at = models.DateTimeField(auto_now_add=True)
    data = models.JSONField()

    class Meta:
        verbose_name = _("deal statistics")
        verbose_name_plural = _("deal statistics")
        get_latest_by = "made_at"

    def __str__(self) -> str:
        return str(self.made_at)
