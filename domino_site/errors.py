"""The page of an error of ours, wherever it happened, and of a fault that goes away by itself."""

from __future__ import annotations

import logging
import sys

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.template import loader
from django.utils.log import log_response
from django.views import defaults
from django.views.decorators.csrf import requires_csrf_token

from infrastructure.outages import fault_of

log = logging.getLogger(__name__)
RETRY_SECONDS = 5


@requires_csrf_token
def server_error_or_outage(request: HttpRequest) -> HttpResponse:
    """Answer 503, and when to come back, while the database or Redis is away; else 500.

    The error is logged here: Django tells of none that happens inside another page of errors.
    """
    error = sys.exc_info()[1]
    try:
        response = unavailable() if error and fault_of(error) else defaults.server_error(request)
    except Exception:
        log.exception("The page of errors is broken, too.")
        response = HttpResponseServerError("Internal Server Error", content_type="text/plain")
    reason = response.reason_phrase
    log_response("%s: %s", reason, request.path, response=response, request=request, exception=error)
    return response


def unavailable() -> HttpResponse:
    page = loader.get_template("unavailable.html").render()
    return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_SECONDS)})
