"""Forms that need a person: a visitor who submits one becomes a guest with a proposed name, and it is carried out."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from accounts.guests import become_guest
from accounts.names import suggested_name

View = Callable[..., HttpResponse]


def person_required(view: View) -> View:
    """Pass the view what a person submitted as ``submitted``, None for a GET, which visitors may make too."""

    @functools.wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method != "POST":
            return view(request, *args, submitted=None, **kwargs)
        if not request.user.is_authenticated and (refusal := become_guest(request, name=suggested_name())):
            return refusal
        return view(request, *args, submitted=request.POST, **kwargs)

    return wrapped
