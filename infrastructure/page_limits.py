"""Rate limits of pages and forms for each address and account. Expensive pages have additional limits."""

from __future__ import annotations

from functools import lru_cache
from math import ceil
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import ngettext

from infrastructure.addresses import address_key_of_request
from infrastructure.api_errors import TooManyRequests
from infrastructure.limits import LimitExceeded, limits

MAX_RETRY_SECONDS = 3600
SECONDS_PER_MINUTE = MINUTES_PER_HOUR = 60


def limit_keys(request: HttpRequest) -> dict[str, Any]:
    """Return the address and account under which limits count a request, as arguments of ``Limits``."""
    return {"address": address_key_of_request(request), "account": request.user.pk}


class AddressRateLimit(MiddlewareMixin):
    """Answer 429 to an address that sends too many requests, before reading anything from the database."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        name = limit_name(request)
        seconds = limits.consume(name, address=address_key_of_request(request))
        language = translation.get_language_from_request(request, check_path=True) if seconds else ""
        return too_many_requests(seconds, language, name) if seconds else None


class AccountRateLimit(MiddlewareMixin):
    """Answer 429 to a person who sends too many requests, and whenever a view raises LimitExceeded."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        name = limit_name(request)
        seconds = limits.consume(name, account=request.user.pk)
        return too_many_requests(seconds, translation.get_language() or "en", name) if seconds else None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, LimitExceeded):
            return None
        return too_many_requests(exception.seconds, translation.get_language() or "en", exception.limit)


def limit_name(request: HttpRequest) -> str:
    return "forms" if request.method == "POST" else "pages"


def too_many_requests(seconds: float, language: str, limit: str = "") -> HttpResponse:
    """Return the 429 response, with the time after which to try again."""
    retry_seconds = min(ceil(seconds), MAX_RETRY_SECONDS)
    return TooManyRequests(too_many_requests_page(retry_seconds, language), limit=limit, seconds=retry_seconds)


@lru_cache(maxsize=200)
def too_many_requests_page(seconds: int, language: str) -> str:
    """Return the page, cached, so that a thousand refusals per second cost one rendering."""
    with translation.override(language):
        return render_to_string("429.html", {"when": _retry_text(seconds)})


def _retry_text(seconds: int) -> str:
    if seconds < SECONDS_PER_MINUTE:
        return ngettext("Try again in %d second.", "Try again in %d seconds.", seconds) % seconds
    minutes = ceil(seconds / SECONDS_PER_MINUTE)
    if minutes < MINUTES_PER_HOUR:
        return ngettext("Try again in %d minute.", "Try again in %d minutes.", minutes) % minutes
    hours = ceil(minutes / MINUTES_PER_HOUR)
    return ngettext("Try again in %d hour.", "Try again in %d hours.", hours) % hours
