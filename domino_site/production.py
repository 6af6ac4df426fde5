"""Checks that settings are strong enough for production."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.core.checks.security.base import (
    SECRET_KEY_INSECURE_PREFIX,
    SECRET_KEY_MIN_LENGTH,
    SECRET_KEY_MIN_UNIQUE_CHARACTERS,
)


def find_weak_settings(environment: Mapping[str, str], keys: Iterable[str], hosts: Iterable[str]) -> list[str]:
    """Return why the site must not start in production, in sentences: weak keys, any host, mail to the log."""
    reasons = []
    if not all(map(is_strong, keys)):
        reasons.append(
            f"SECRET_KEY and each of SECRET_KEY_FALLBACKS need {SECRET_KEY_MIN_LENGTH} random characters "
            "(python -c 'import secrets; print(secrets.token_urlsafe(50))')."
        )
    if not environment.get("ALLOWED_HOSTS") or "*" in hosts:
        reasons.append("ALLOWED_HOSTS must name the hosts of the site, because links in mails begin with them.")
    if environment.get("EMAIL_URL", "consolemail").startswith("consolemail"):
        reasons.append(
            "EMAIL_URL must name a mail server, or links in mails would be in the log (dummymail:// sends none)."
        )
    return reasons


def is_strong(key: str) -> bool:
    """Return True if Django's deployment check accepts the key."""
    return (
        len(key) >= SECRET_KEY_MIN_LENGTH
        and len(set(key)) >= SECRET_KEY_MIN_UNIQUE_CHARACTERS
        and not key.startswith(SECRET_KEY_INSECURE_PREFIX)
    )
