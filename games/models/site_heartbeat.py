"""Whether the processes of the site are on time."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class SiteHeartbeat(models.Model):
    """One row: the last heartbeats of processes that serve pages or run the clock, and until when time counted."""

    web_at = models.DateTimeField(null=True)
    clock_at = models.DateTimeField(null=True)
    counted_until = models.DateTimeField()
    # When the turns of people begin after an outage: until then pages reconnect.
    resumed_at = models.DateTimeField()
    # When an operator stopped the clocks of daily matches, null while they run.
    daily_stopped_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "games_pulse"
        verbose_name = _("heartbeat of the site")
        verbose_name_plural = _("heartbeats of the site")

    def __str__(self) -> str:
        return f"{self.counted_until}"
