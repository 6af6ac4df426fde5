"""Decorators for forms that need a person: visitors choose a name first, or become guests with a suggested one."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from accounts.login.guests import become_guest
from accounts.names.rules import suggest_name

View = Callable[..., HttpResponse]


def person_required(view: View) -> View:
    """Pass the submitted data to the view as ``submitted``, None for a GET. Visitors go to the guest page."""
    return _with_submission(view, _guest_page)


def auto_guest(view: View) -> View:
    """Pass the submitted data to the view as ``submitted``, None for a GET. Visitors become guests."""
    return _with_submission(view, _become_guest)


def _with_submission(view: View, admit_visitor: Callable[[HttpRequest], HttpResponse | None]) -> View:
    """Wrap the view. ``admit_visitor`` logs a visitor in, or returns the response for them."""

    @functools.wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method != "POST":
            return view(request, *args, submitted=None, **kwargs)
        if not request.user.is_authenticated and (answer := admit_visitor(request)):
            return answer
        return view(request, *args, submitted=request.POST, **kwargs)

    return wrapped


def _guest_page(request: HttpRequest) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse('guest')}?{urlencode({'next': request.path})}")


def _become_guest(request: HttpRequest) -> HttpResponse | None:
    return become_guest(request, name=suggest_name())
