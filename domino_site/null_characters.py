"""Requests with a NUL in an address or a cookie: no text of the site holds one, and PostgreSQL takes none."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin


class ProhibitNullCharacters(MiddlewareMixin):
    """Answer 400 before a session is looked for. What is posted is judged by forms."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        query = request.META.get("QUERY_STRING", "").replace("%00", "\0")
        if not any("\0" in text for text in (request.path, query, *request.COOKIES.values())):
            return None
        with translation.override(translation.get_language_from_request(request)):
            return render(request, "400.html", status=400)
