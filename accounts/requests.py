"""Types of requests with the attributes that middleware adds."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.models import User


class HtmxRequest(HttpRequest):
    """Any request, after ``HtmxMiddleware``."""

    htmx: HtmxDetails


class PersonRequest(HtmxRequest):
    """A request of a guest or an account, after ``login_required``."""

    user: User
