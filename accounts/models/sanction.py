"""Sanctions by moderators, and appeals against them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.sanctions import measures


class Sanction(models.Model):
    """A sanction against a user, in force until ``until`` (None: permanently). Only mutes have a ``scope``.

    ``facts`` depend on the kind: the ``table`` of a mute at one table (the slug of the first match of its series), and
    the names ``former`` and ``given`` of a renaming.
    """

    Kind = measures.Kind
    Scope = measures.Scope

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sanctions")
    kind = models.CharField(max_length=8, choices=Kind)
    scope = models.CharField(max_length=10, choices=Scope, blank=True, default=Scope.EVERYWHERE)
    facts = models.JSONField(default=dict, blank=True)
    reason = models.CharField(max_length=300)
    until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    lifted_at = models.DateTimeField(null=True, blank=True)
    # A keyed hash of the network address of a suspended guest, stored for an hour (``login.suspended_guests``).
    address = models.CharField(max_length=32, blank=True, default="", editable=False)
    moderator = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        permissions = [
            *measures.PERMISSIONS,
            ("lift", "Can lift a sanction"),
            ("sanction_staff", "Can mute or suspend somebody of the staff"),
        ]
        indexes = [
            models.Index(fields=["user", "kind"], name="sanction_user"),
            models.Index(fields=["address"], name="sanction_address", condition=~models.Q(address="")),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_kind_display()}"

    @property
    def is_in_force(self) -> bool:
        return self.lifted_at is None and (self.until is None or self.until > timezone.now())


class Appeal(models.Model):
    """A person's only appeal against a sanction, decided by another moderator than the one who imposed it."""

    class Verdict(models.TextChoices):
        GRANTED = "granted", _("granted")
        REJECTED = "rejected", _("rejected")

    sanction = models.OneToOneField(Sanction, on_delete=models.CASCADE, related_name="appeal")
    words = models.CharField(max_length=1000)
    at = models.DateTimeField(auto_now_add=True)
    verdict = models.CharField(max_length=8, choices=Verdict, blank=True, default="")
    answer = models.CharField(max_length=300, blank=True, default="")
    decided_at = models.DateTimeField(null=True, blank=True)
    moderator = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")
        permissions = [("decide_appeal", "Can decide an appeal")]

    def __str__(self) -> str:
        return f"{self.sanction}: {self.words[:40]}"
