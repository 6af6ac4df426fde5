"""Redirects after forms, never to other sites."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

NEXT = "next"


def is_own(request: HttpRequest, address: str) -> bool:
    """Return True if the address is on this site."""
    return url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())


def wanted(request: HttpRequest) -> str:
    """Return the page of this site in ``next``, or "".

    It must begin with a slash: ``redirect`` would resolve anything else as the name of a URL pattern.
    """
    address = request.POST.get(NEXT) or request.GET.get(NEXT, "")
    return address if address.startswith("/") and is_own(request, address) else ""


def previous(request: HttpRequest) -> str:
    """Return the page of this site that sent the form, or else the one in ``next``, or the lobby."""
    page = request.headers.get("Referer", "")
    if not is_own(request, page):
        return wanted(request) or "/"
    address = urlsplit(page)._replace(scheme="", netloc="", fragment="").geturl()
    return address if address.startswith("/") and is_own(request, address) else "/"
