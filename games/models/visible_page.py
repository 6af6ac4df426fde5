"""The pages that people have in sight."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class VisiblePage(models.Model):
    """A page that a person has in sight, on any device: a lease, which its heartbeat renews.

    Only of people who get pushes. ``page`` is the channel of its socket, ``match`` the id of the match whose table it
    shows; the match may be gone already.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="visible_pages")
    match = models.BigIntegerField(null=True)
    page = models.CharField(max_length=100, unique=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("visible page")
        verbose_name_plural = _("visible pages")

    def __str__(self) -> str:
        return f"{self.user}: {self.at}"
