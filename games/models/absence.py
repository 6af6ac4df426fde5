"""Absences: the evidence when a seat was taken from its player for a while."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import enums
from games.models.match import Match


class Absence(models.Model):
    """The effect of a missed deadline or a lost connection, shown to the person alone. The record has the public
    facts.

    ``led_to`` is the state of the seat from then on, "" where the match ended. ``last_seen`` is the last heartbeat of
    a page of the person, ``left_at`` when the last connection was closed (None: one was open, or there was none).
    """

    State = enums.SeatState

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="absences")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="absences")
    at = models.DateTimeField()
    reason = models.CharField(max_length=8)
    led_to = models.CharField(max_length=9, choices=State, blank=True)
    turn_started_at = models.DateTimeField(null=True)
    deadline = models.DateTimeField(null=True)
    last_seen = models.DateTimeField(null=True)
    left_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("absence")
        verbose_name_plural = _("absences")

    def __str__(self) -> str:
        return f"{self.at} {self.led_to}"
