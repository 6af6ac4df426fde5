"""The events of the records."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class MatchEvent(models.Model):
    """An event of a match. Only ``games.match.record`` reads and writes this table."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    data = models.TextField()
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints = [models.UniqueConstraint(fields=["match", "seq"], name="one_event_per_seq")]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"
