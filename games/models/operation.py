"""The switches of operators for the whole site, and the processes of the site."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class SiteSwitches(models.Model):
    """One row, which every process reads once a second (``games.site_switches``)."""

    banner = models.CharField(max_length=200, blank=True, default="")
    matches_paused = models.BooleanField(default=False)
    clocks_stopped = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("operation of the site")
        verbose_name_plural = _("operation of the site")
        permissions = [("operate_site", "Can operate the site")]

    def __str__(self) -> str:
        return self.banner or "-"


class ServerProcess(models.Model):
    """A process that serves pages or runs the clock. It renews its row; an old row belongs to one that was killed.

    ``figures`` are those of ``games.site_processes``. A process that finds ``must_end`` ends gracefully, and the
    service manager starts it again.
    """

    name = models.CharField(max_length=32, primary_key=True)
    roles = models.CharField(max_length=20)
    machine = models.CharField(max_length=64)
    pid = models.PositiveIntegerField()
    version = models.CharField(max_length=64)
    started_at = models.DateTimeField()
    at = models.DateTimeField()
    figures = models.JSONField(default=dict)
    must_end = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("process")
        verbose_name_plural = _("processes")

    def __str__(self) -> str:
        return f"{self.roles} {self.machine}:{self.pid}"
