"""Queries about tokens."""

from __future__ import annotations

import hashlib
from typing import Any

from django.db.models import Exists, Q, QuerySet
from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.selectors import suspension_of_outer_person


def token_digest(secret: str) -> str:
    """Return the stored form of a token. It is 256 random bits, so a plain hash of it cannot be reversed."""
    return hashlib.sha256(secret.encode()).hexdigest()


def usable_tokens() -> QuerySet[ApiToken]:
    """Return the tokens that have not ended, of accounts that may use the site.

    A suspended person may still read, but their bots may not play for them.
    """
    is_current = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    has_owner = Q(user__bot_owner=None) | Q(user__bot_owner__is_active=True, user__bot_owner__is_closed=False)
    has_free_owner = ~Exists(suspension_of_outer_person("user__bot_owner"))
    return ApiToken.objects.filter(is_current, has_owner, has_free_owner, user__is_active=True, user__is_closed=False)


def tokens_of(user: User) -> list[ApiToken]:
    """Return the tokens of a person, newest first."""
    return list(ApiToken.objects.filter(user=user).order_by("-pk"))


def export_tokens(user: User) -> list[Any]:
    """Return the tokens without their hashes."""
    rows = ApiToken.objects.filter(user=user).order_by("pk")
    return list(rows.values("name", "scopes", "created_at", "last_used_at", "expires_at"))
