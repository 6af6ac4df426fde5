"""Types of requests with the attributes that middleware adds."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.models import User


class HtmxRequest(HttpRequest):
    """What ``HtmxMiddleware`` passes on: every request of the site."""

    htmx: HtmxDetails


class PersonRequest(HtmxRequest):
    """A request of somebody who is logged in, a guest or an account; ``login_required`` admits nobody else."""

    user: User
