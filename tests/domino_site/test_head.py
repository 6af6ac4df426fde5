"""HEAD requests, as probes and link previews send them, get the headers of the page."""

from __future__ import annotations

from django.test import Client
from django.urls import URLResolver, get_resolver

from accounts.models import User

METHOD_NOT_ALLOWED = 405


def plain_paths(resolver: URLResolver, before: str = "/") -> list[str]:
    """Return the paths of all pages that need no number or name in them."""
    paths = []
    for pattern in resolver.url_patterns:
        path = before + str(pattern.pattern).removeprefix("^").removesuffix(r"\Z").removesuffix("$")
        if isinstance(pattern, URLResolver):
            paths += plain_paths(pattern, path)
        elif not set("<(\\") & set(path):
            paths.append(path)
    return paths


def test_every_page_answers_head_requests(client: Client, admin_user: User) -> None:
    paths = plain_paths(get_resolver())
    assert {"/", "/rules/", "/matches/", "/healthz", "/accounts/login/", "/play/"} <= set(paths)
    client.force_login(admin_user)
    headless = [
        path
        for path in paths
        if client.head(path).status_code == METHOD_NOT_ALLOWED and client.get(path).status_code != METHOD_NOT_ALLOWED
    ]
    assert headless == []
