"""Traces, which link the accounts of one person."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Trace(models.Model):
    """A keyed hash of a network address or device of a person (``accounts.traces``)."""

    class Kind(models.TextChoices):
        ADDRESS = "address", _("network address")
        DEVICE = "device", _("device")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="traces")
    kind = models.CharField(max_length=8, choices=Kind)
    mark = models.CharField(max_length=32)
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind", "mark"], name="one_trace_per_mark")]
        indexes = [models.Index(fields=["kind", "mark"], name="trace_mark")]

    def __str__(self) -> str:
        return f"{self.user}: {self.kind}"
