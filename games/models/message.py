"""The chats of tables, of their spectators and of shared reviews."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import enums
from games.models.match import Match


class Message(models.Model):
    """A chat line. Players read the lines of the spectators only after the match."""

    Room = enums.ChatRoom

    room = models.CharField(max_length=10, choices=Room, default=Room.TABLE)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="messages")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="messages")
    name = models.CharField(max_length=30)
    text = models.CharField(max_length=300)
    # The key of a preset phrase, which readers see in their own language; ``text`` is then in English.
    phrase = models.CharField(max_length=20, blank=True, default="")
    at = models.DateTimeField(auto_now_add=True)
    hidden = models.BooleanField(default=False)
    # How often the line has changed: it was hidden or shown again, or its writer was renamed.
    changes = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        permissions = [("hide_message", "Can hide a message")]
        indexes = [
            models.Index(fields=["match", "room", "-at"], name="message_room"),
            models.Index(fields=["user", "-at"], name="message_pace"),
        ]

    def __str__(self) -> str:
        return self.text[:40]
