"""Creating and revoking tokens."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import bots
from accounts.models import ApiToken, User
from accounts.selectors import lock_person
from accounts.services import end_access
from accounts.tokens.selectors import token_digest

PREFIX = "dom_"  # lets scanners of published code recognise a token
TOKEN_BYTES = 32
MAX_TOKENS = 20  # of one account
SCOPES_OF_PEOPLE = (ApiToken.Scope.READ, ApiToken.Scope.TOURNAMENT_HOST)
SCOPES_OF_BOTS = (ApiToken.Scope.READ.value, ApiToken.Scope.BOT_PLAY.value)


@transaction.atomic
def create_token(*, user: User, name: str, scopes: Iterable[str], expires_at: datetime | None = None) -> str:
    """Create a token and return it; it cannot be read again. Raises ValidationError."""
    if not lock_person(user.pk):
        raise ValidationError(_("This person’s account no longer exists."), code="gone")
    tokens = ApiToken.objects.filter(user=user)
    if tokens.filter(name=name).exists():
        raise ValidationError(_("You already have a token with this name."), code="name")
    if tokens.count() >= MAX_TOKENS:
        text = ngettext("You can have %d token.", "You can have %d tokens.", MAX_TOKENS) % MAX_TOKENS
        raise ValidationError(text, code="many")
    secret = f"{PREFIX}{secrets.token_urlsafe(TOKEN_BYTES)}"
    ApiToken.objects.create(
        user=user, name=name, digest=token_digest(secret), scopes=list(scopes), expires_at=expires_at
    )
    return secret


@transaction.atomic
def create_bot_with_token(*, owner: User, name: str) -> str:
    """Create a bot and return its token. Raises ValidationError."""
    return renew_bot_token(bot=bots.create_bot(owner=owner, name=name))


@transaction.atomic
def renew_bot_token(*, bot: User) -> str:
    """Return a new token of a bot, which replaces the others."""
    for token in ApiToken.objects.filter(user=bot):
        revoke_token(user=bot, token_id=token.pk)
    return create_token(user=bot, name=str(bot), scopes=SCOPES_OF_BOTS)


@transaction.atomic
def revoke_token(*, user: User, token_id: int) -> None:
    """Delete a token of this person, and close the streams that were opened with it."""
    token = ApiToken.objects.filter(user=user, pk=token_id).first()
    if token is not None:
        end_access(user_id=user.pk, code="token_revoked", session_key=token.session_key)
        token.delete()
