"""Absences: why a seat was taken from its player for a time."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import enums
from games.models.match import Match


class Absence(models.Model):
    """A missed deadline or a lost connection, shown only to the person. The record contains the public facts.

    ``led_to`` is the state of the seat from then on, or "" if the match ended. ``last_seen`` is the last heartbeat of
    a page of the person, ``left_at`` the time when the last connection was closed (None if one was open or none ever
    was).
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
