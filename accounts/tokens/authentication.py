"""Authentication of requests and streams by the token in their ``Authorization`` header."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from accounts.models import ApiToken
from accounts.tokens.issuing import PREFIX
from accounts.tokens.selectors import token_digest, usable_tokens

SCHEME = "bearer"
MAX_TOKEN_LENGTH = 100
LAST_USE_STEP = timedelta(minutes=10)  # precision of the last use; saves a write for each request


class NoToken(Exception):
    """The request needs a token and has none."""


class InvalidToken(Exception):
    """The header names no valid token: it is wrong, revoked or expired, or its account may not use the site."""


class MissingScope(Exception):
    """The token does not have this scope."""

    def __init__(self, scope: str) -> None:
        super().__init__(scope)
        self.scope = scope


def authenticate(authorization: str) -> ApiToken | None:
    """Return the token in an ``Authorization`` header with its user, None without a header. Raises InvalidToken.

    Each call asks the database, so a revoked token is refused at once in all processes.
    """
    if not authorization:
        return None
    scheme, _space, secret = authorization.partition(" ")
    secret = secret.strip()
    if scheme.lower() != SCHEME or not secret.startswith(PREFIX) or len(secret) > MAX_TOKEN_LENGTH:
        raise InvalidToken
    token = usable_tokens().filter(digest=token_digest(secret)).select_related("user").first()
    if token is None:
        raise InvalidToken
    _record_use(token)
    return token


def require_scope(token: ApiToken, scope: str) -> None:
    """Raises MissingScope unless the token has the scope."""
    if scope not in token.scopes:
        raise MissingScope(scope)


def _record_use(token: ApiToken) -> None:
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at <= now - LAST_USE_STEP:
        is_stale = Q(last_used_at=None) | Q(last_used_at__lte=now - LAST_USE_STEP)
        ApiToken.objects.filter(is_stale, pk=token.pk).update(last_used_at=now)
