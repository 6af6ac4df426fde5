"""Redirects after forms, never to another site."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

NEXT = "next"


def is_own(request: HttpRequest, address: str) -> bool:
    """Return whether the address is one of this site."""
    return url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())


def wanted(request: HttpRequest) -> str:
    """Return the page of this site that ``next`` asks for, or an empty text.

    What does not begin with a slash would be looked for among the names of pages.
    """
    address = request.POST.get(NEXT) or request.GET.get(NEXT, "")
    return address if address.startswith("/") and is_own(request, address) else ""


def previous(request: HttpRequest) -> str:
    """Return the page of this site from which a form was sent, or else the one it leads to, or the lobby."""
    page = request.headers.get("Referer", "")
    if not is_own(request, page):
        return wanted(request) or "/"
    address = urlsplit(page)._replace(scheme="", netloc="", fragment="").geturl()
    return address if address.startswith("/") and is_own(request, address) else "/"
