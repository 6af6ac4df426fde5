"""Error pages for refused requests, bugs and outages."""

from __future__ import annotations

import logging
import sys

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.template import loader
from django.utils.log import log_response
from django.views.decorators.csrf import requires_csrf_token

from domino_site.request_ids import current_request_id
from infrastructure.not_found import ExplainedNotFound
from infrastructure.outages import failed_service

log = logging.getLogger(__name__)
RETRY_SECONDS = 5


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, 400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    explanation = str(exception) if isinstance(exception, ExplainedNotFound) else ""
    return error_page(request, 404, explanation)


def error_page(request: HttpRequest, status: int, explanation: str = "") -> HttpResponse:
    """Answer with the page of a status. Django's own views read the submitted form, which may be unreadable."""
    page = loader.get_template(f"{status}.html").render({"explanation": explanation}, request)
    return HttpResponse(page, status=status)


@requires_csrf_token
def server_error_or_outage(request: HttpRequest) -> HttpResponse:
    """Answer 503 with ``Retry-After`` during an outage, otherwise 500.

    The error is logged here, because Django does not log one that happens inside another error page.
    """
    error = sys.exc_info()[1]
    try:
        response = unavailable_page() if error and failed_service(error) else server_error_page()
    except Exception:
        log.exception("The error page failed too.")
        response = HttpResponseServerError("Internal Server Error", content_type="text/plain")
    reason = response.reason_phrase
    log_response("%s: %s", reason, request.path, response=response, request=request, exception=error)
    return response


def server_error_page() -> HttpResponse:
    page = loader.get_template("500.html").render({"request_id": current_request_id()})
    return HttpResponseServerError(page)


def unavailable_page() -> HttpResponse:
    page = loader.get_template("unavailable.html").render()
    return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_SECONDS)})
