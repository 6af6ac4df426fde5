"""The languages that the site is offered in (``settings.LANGUAGES``)."""

from __future__ import annotations

from django.conf import settings
from django.urls import ResolverMatch, reverse
from django.utils import translation


def language_if_offered(language: str) -> str:
    """Return the language if the site is offered in it, otherwise ""."""
    return language if language in dict(settings.LANGUAGES) else ""


def localized_path(language: str, match: ResolverMatch) -> str:
    """Return the path of a page in a language. Pages that are not public have the same one in all languages."""
    with translation.override(language):
        return reverse(match.view_name, args=match.args, kwargs=match.kwargs)
