"""Forms that need a person: a visitor who submits one first becomes a guest, and then it is carried out once.

Meanwhile the form is kept in a signed cookie, so nothing is stored for visitors who may never come back.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse

View = Callable[..., HttpResponse]
INTENTION = "intention"
"""The name of the cookie."""
LONGEST_INTENTION = 1000
INTENTION_SECONDS = 600


def person_required(view: View) -> View:
    """Pass the view what a person submitted as ``submitted``, None for a visitor and for a GET."""

    @functools.wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            if request.method == "POST":
                return _to_guest_page(request)
            return view(request, *args, submitted=None, **kwargs)
        submitted = request.POST if request.method == "POST" else _intended(request)
        response = view(request, *args, submitted=submitted, **kwargs)
        if INTENTION in request.COOKIES:
            response.delete_cookie(INTENTION)
        return response

    return wrapped


def _to_guest_page(request: HttpRequest) -> HttpResponse:
    response = HttpResponseRedirect(f"{reverse('guest')}?{urlencode({'next': request.get_full_path()})}")
    submitted = request.POST.urlencode()
    if len(submitted) <= LONGEST_INTENTION:
        response.set_cookie(
            INTENTION,
            signing.dumps([request.path, submitted], salt=INTENTION, compress=True),
            max_age=INTENTION_SECONDS,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


def _intended(request: HttpRequest) -> QueryDict | None:
    """Return what the visitor submitted before the guest page; it has passed the CSRF check."""
    try:
        path, submitted = signing.loads(request.COOKIES.get(INTENTION, ""), salt=INTENTION, max_age=INTENTION_SECONDS)
    except signing.BadSignature:
        return None
    return QueryDict(submitted) if request.method == "GET" and path == request.path else None
