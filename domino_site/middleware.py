"""Django middleware for all pages."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.cache import add_never_cache_headers
from django.utils.deprecation import MiddlewareMixin


class NeverCache(MiddlewareMixin):
    """Forbids caching unless a view allows it, because every page may contain its reader's name and token."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response


class ProhibitNullCharacters(MiddlewareMixin):
    """Answers 400 to a NUL character in a URL or a cookie, which PostgreSQL rejects. Forms check their own fields."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        query = request.META.get("QUERY_STRING", "").replace("%00", "\0")
        if not any("\0" in text for text in (request.path, query, *request.COOKIES.values())):
            return None
        with translation.override(translation.get_language_from_request(request, check_path=True)):
            return render(request, "400.html", status=400)
