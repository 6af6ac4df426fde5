"""Whether the processes of the site are on time."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Pulse(models.Model):
    """One row: when a process that serves and one that runs the clock last said so, and up to when time counted."""

    web_at = models.DateTimeField(null=True)
    clock_at = models.DateTimeField(null=True)
    counted_until = models.DateTimeField()
    # From when on, after time had stood still, the turns of people begin: until then pages come back.
    resumed_at = models.DateTimeField()

    class Meta:
        verbose_name = _("pulse")
        verbose_name_plural = _("pulses")

    def __str__(self) -> str:
        return f"{self.counted_until}"
