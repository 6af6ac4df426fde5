"""Caching: only the browser that asked may store a page, unless the view says otherwise."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers
from django.utils.deprecation import MiddlewareMixin


class KeptByNobody(MiddlewareMixin):
    """Forbid caching of answers that do not allow it: every page may contain its reader's name and token."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response
