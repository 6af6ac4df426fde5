"""The people who have pages open at each process of the site."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Presence(models.Model):
    """The people with open pages at one process, which renews its row. An old row belongs to a killed process.

    ``people`` contains the people with names and the number of others, by place (a group of the channel layer).
    ``in_sight`` contains pairs of a user and the match whose table a visible page shows (None: another page).
    """

    process = models.CharField(max_length=32, primary_key=True)
    people = models.JSONField(default=dict)
    in_sight = models.JSONField(default=list)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("presence")
        verbose_name_plural = _("presences")

    def __str__(self) -> str:
        return f"{self.process}: {self.at}"
