"""The page of an error of ours, and of a fault that goes away by itself."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.views.decorators.csrf import requires_csrf_token
from django.views.defaults import server_error

from domino_site.outages import fault_of

RETRY_SECONDS = 5


@requires_csrf_token
def server_error_or_outage(request: HttpRequest) -> HttpResponse:
    """Answer 503, and when to come back, while the database or Redis is away; else 500."""
    error = sys.exc_info()[1]
    if error is None or not fault_of(error):
        return server_error(request)
    page = loader.get_template("unavailable.html").render()
    return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_SECONDS)})
