"""Who may keep a page: nobody but the browser that asked, unless a view says otherwise."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers
from django.utils.deprecation import MiddlewareMixin


class KeptByNobody(MiddlewareMixin):
    """Every page may hold its reader's name and token, so what says nothing of caches is for none of them."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response
