"""The languages that the site is offered in (``settings.LANGUAGES``)."""

from __future__ import annotations

from django.conf import settings


def offered(language: str) -> str:
    """Return a language that somebody chose once, or asks for, if the site is offered in it; else ""."""
    return language if language in dict(settings.LANGUAGES) else ""
