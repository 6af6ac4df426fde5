"""Paths of the site's pages for cached texts."""

from __future__ import annotations

from django.urls import get_resolver


def path_to(page: str, *arguments: object) -> str:
    """Return the path of a page by its name, in the active language. Raises ``NoReverseMatch``.

    Unlike ``reverse`` it ignores the request that is being served, such as its script prefix.
    """
    return f"/{get_resolver().reverse(page, *arguments)}"
