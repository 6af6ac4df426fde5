"""Redirects after forms, never to other sites."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

NEXT_FIELD = "next"


def is_on_this_site(request: HttpRequest, address: str) -> bool:
    """Return True if the address is on this site."""
    return url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())


def next_page(request: HttpRequest) -> str:
    """Return the page of this site in ``next``, or "".

    It must begin with a slash: ``redirect`` would resolve anything else as the name of a URL pattern.
    """
    address = request.POST.get(NEXT_FIELD) or request.GET.get(NEXT_FIELD, "")
    return address if address.startswith("/") and is_on_this_site(request, address) else ""


def previous_page(request: HttpRequest) -> str:
    """Return the page of this site that sent the form, or else the one in ``next``, or the lobby."""
    page = request.headers.get("Referer", "")
    if not is_on_this_site(request, page):
        return next_page(request) or "/"
    address = urlsplit(page)._replace(scheme="", netloc="", fragment="").geturl()
    return address if address.startswith("/") and is_on_this_site(request, address) else "/"
