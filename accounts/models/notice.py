"""Notices on every page, and subscriptions to push notifications."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Notice(models.Model):
    """A message to a person, shown on every page until they dismiss it.

    ``kind`` names a registered sentence (``accounts.notices``), ``facts`` are its values. ``User.has_notices`` saves a
    query on pages without notices.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=20)
    facts = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)
    put_away_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")

    def __str__(self) -> str:
        return f"{self.user}: {self.kind}"


class PushSubscription(models.Model):
    """A browser in which a person gets push notifications.

    It belongs to the browser's session, which stores the id of the row, and expires with it. ``failures`` counts
    consecutive failed deliveries.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=30)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    failures = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("push subscription")
        verbose_name_plural = _("push subscriptions")

    def __str__(self) -> str:
        return f"{self.user}: {self.pk}"
