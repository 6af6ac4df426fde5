"""The paths of the site's pages, for texts that are kept for everybody."""

from __future__ import annotations

from django.urls import get_resolver


def path_to(page: str, *arguments: object) -> str:
    """Return the path of a page by its name. Raise ``NoReverseMatch`` if there is none.

    Unlike ``reverse`` it takes nothing from the request that happens to be served, such as a prefix of all paths.
    """
    return f"/{get_resolver().reverse(page, *arguments)}"
