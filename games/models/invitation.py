"""Invitations to the seats of open tables."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class Invitation(models.Model):
    """An invitation of a person to an open table, at most one for each. It stays when the table starts or closes."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="invitations")
    inviter = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations_sent")
    invited = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations")
    at = models.DateTimeField(auto_now_add=True)
    taken_back_at = models.DateTimeField(null=True)
    # Whether a push notification was sent, or a visible page showed the invitation.
    pushed = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints = [models.UniqueConstraint(fields=["match", "invited"], name="invited_once_a_table")]
        indexes = [models.Index(fields=["inviter", "invited", "-at"], name="invitation_pace")]

    def __str__(self) -> str:
        return f"{self.inviter} invites {self.invited} to {self.match}"
