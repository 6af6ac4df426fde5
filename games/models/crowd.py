"""Who watches a match, as each process of the site counts."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class Crowd(models.Model):
    """The spectators of a match whose sockets one process of the site holds, as that process last told.

    A row that was not renewed for a while is of a process that is gone, and counts no more.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="crowds")
    process = models.CharField(max_length=32)
    watchers = models.PositiveIntegerField()
    names = models.JSONField(default=list)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("crowd")
        verbose_name_plural = _("crowds")
        constraints = [models.UniqueConstraint(fields=["match", "process"], name="one_crowd_per_process")]

    def __str__(self) -> str:
        return f"{self.match}: {self.watchers}"
