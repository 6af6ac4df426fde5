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

from infrastructure.addresses import address_of_request
from infrastructure.languages import offered
from infrastructure.limits import TooFast, limits

LONGEST_WAIT = 3600
MINUTE = HOUR = 60


def whose(request: HttpRequest) -> dict[str, Any]:
    """Return the address and account under which limits count a request, as arguments of ``Limits``."""
    return {"address": address_of_request(request), "account": request.user.pk}


class AddressRateLimit(MiddlewareMixin):
    """Answer 429 to an address that sends too many requests, before reading anything from the database."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        seconds = limits.wait(kind(request), address=address_of_request(request))
        return too_fast(seconds, translation.get_language_from_request(request)) if seconds else None


class AccountRateLimit(MiddlewareMixin):
    """Answer 429 to a person who sends too many requests, and whenever a view raises TooFast."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        seconds = limits.wait(kind(request), account=request.user.pk)
        language = offered(getattr(request.user, "language", "")) or translation.get_language()
        return too_fast(seconds, language) if seconds else None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, TooFast):
            return None
        return too_fast(exception.seconds, translation.get_language() or "en")


def kind(request: HttpRequest) -> str:
    return "forms" if request.method == "POST" else "pages"


def too_fast(seconds: float, language: str) -> HttpResponse:
    """Return the 429 response, with the time after which to try again."""
    after = min(ceil(seconds), LONGEST_WAIT)
    headers = {"Retry-After": str(after), "Cache-Control": "no-store"}
    return HttpResponse(page(after, language), status=429, headers=headers)


@lru_cache(maxsize=200)
def page(seconds: int, language: str) -> str:
    """Return the page, cached, so that a thousand refusals per second cost one rendering."""
    with translation.override(language):
        return render_to_string("429.html", {"when": _when(seconds)})


def _when(seconds: int) -> str:
    if seconds < MINUTE:
        return ngettext("Try again in %d second.", "Try again in %d seconds.", seconds) % seconds
    minutes = ceil(seconds / MINUTE)
    if minutes < HOUR:
        return ngettext("Try again in %d minute.", "Try again in %d minutes.", minutes) % minutes
    hours = ceil(minutes / HOUR)
    return ngettext("Try again in %d hour.", "Try again in %d hours.", hours) % hours
