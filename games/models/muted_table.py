"""A table whose chats a person has turned off for themselves."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class MutedTable(models.Model):
    """Hides all chat lines at a table and its rematches from a person. ``match`` is the first match of the series."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="muted_tables")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="muted_by")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("muted table")
        verbose_name_plural = _("muted tables")
        constraints = [models.UniqueConstraint(fields=["user", "match"], name="muted_once")]

    def __str__(self) -> str:
        return f"{self.user} {self.match}"
