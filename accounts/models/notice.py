"""What a person is told: on every page, or on their devices while no page is open."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Notice(models.Model):
    """Something a person has to be told, shown on every page until they put it away.

    ``kind`` names the sentence, which applications register (``accounts.notices``), ``facts`` are what it tells.
    ``User.has_notices`` says without a query that there are some.
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
    """A browser in which a person wants to be told things while no page is open.

    It belongs to the browser's session, which knows the id of the row: it ends with the session, and ``expires_at``
    is when the session would by itself. ``failures`` are those in a row.
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
