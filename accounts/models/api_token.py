"""Tokens, with which programs use the API for a person."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import pgettext_lazy

MAX_NAME_LENGTH = 40


class ApiToken(models.Model):
    """A token of a person. Only its hash is stored, so that nobody can read it after it was shown once."""

    class Scope(models.TextChoices):
        READ = "read", pgettext_lazy("permission of a token", "Read what you can see on the site")
        BOT_PLAY = "bot:play", pgettext_lazy("permission of a token", "Play as a bot")
        TOURNAMENT_HOST = "tournament:host", pgettext_lazy("permission of a token", "Open tournaments")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=MAX_NAME_LENGTH)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="one_token_per_name")]

    def __str__(self) -> str:
        return f"{self.user}: {self.name}"

    @property
    def session_key(self) -> str:
        """The name under which streams opened with this token end (``accounts.services.end_access``)."""
        return f"token-{self.pk}"

    @property
    def permissions(self) -> list[str]:
        """The scopes in words."""
        return [str(self.Scope(scope).label) for scope in self.scopes]
