"""The spectators of matches, as counted by each process."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class SpectatorCount(models.Model):
    """The spectators of a match whose sockets are in one process, as it last reported.

    A row that has not been renewed for a while belongs to a process that is gone, and no longer counts.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="spectator_counts")
    process = models.CharField(max_length=32)
    watchers = models.PositiveIntegerField()
    names = models.JSONField(default=list)
    at = models.DateTimeField()

    class Meta:
        db_table = "games_crowd"
        verbose_name = _("spectator count")
        verbose_name_plural = _("spectator counts")
        constraints = [models.UniqueConstraint(fields=["match", "process"], name="one_crowd_per_process")]

    def __str__(self) -> str:
        return f"{self.match}: {self.watchers}"
