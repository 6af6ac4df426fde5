"""Requests with a NUL in an address or a cookie: no text of the site holds one, and PostgreSQL takes none."""

from __future__ import annotations

from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin


class NoNulls(MiddlewareMixin):
    """Answer 400 before anything is asked of the database. Forms judge by themselves what is posted."""

    def process_request(self, request: HttpRequest) -> None:
        texts = (request.path, request.META.get("QUERY_STRING", "").replace("%00", "\0"), *request.COOKIES.values())
        if any("\0" in text for text in texts):
            raise BadRequest("There is a NUL in the request.")
