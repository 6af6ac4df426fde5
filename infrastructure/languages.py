"""The languages that the site is offered in (``settings.LANGUAGES``)."""

from __future__ import annotations

from django.conf import settings


def language_if_offered(language: str) -> str:
    """Return the language if the site is offered in it, otherwise ""."""
    return language if language in dict(settings.LANGUAGES) else ""
