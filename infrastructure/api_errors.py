"""Errors of the API in one JSON shape, also those that arise before or outside its views."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

API_PREFIX = "/api/"
ERROR_CODES = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    429: "too_many_requests",
    503: "unavailable",
}
OTHER_ERROR = "failed"
PASSED_HEADERS = ("Allow", "Cache-Control", "Retry-After")


class TooManyRequests(HttpResponse):
    """The refusal of a client over a limit: its name, and the seconds until the client may try again."""

    status_code = 429

    def __init__(self, content: str, *, limit: str, seconds: int) -> None:
        super().__init__(content, headers={"Retry-After": str(seconds), "Cache-Control": "no-store"})
        self.limit, self.seconds = limit, seconds


class ApiErrors(MiddlewareMixin):
    """Replaces error pages by JSON for requests to the API. HEAD requests get the headers of GET."""

    def process_request(self, request: HttpRequest) -> None:
        if request.path.startswith(API_PREFIX) and request.method == "HEAD":
            request.method = "GET"

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not request.path.startswith(API_PREFIX) or not is_error_page(response):
            return response
        headers = {name: response[name] for name in PASSED_HEADERS if response.has_header(name)}
        return JsonResponse(error_data(response), status=response.status_code, headers=headers)


def is_error_page(response: HttpResponseBase) -> bool:
    is_json = response.get("Content-Type", "").startswith("application/json")
    return response.status_code >= 400 and not is_json


def error_data(response: HttpResponseBase) -> dict[str, Any]:
    data: dict[str, Any] = {
        "error": ERROR_CODES.get(response.status_code, OTHER_ERROR),
        "text": response.reason_phrase,
    }
    if isinstance(response, TooManyRequests):
        data |= {"limit": response.limit, "seconds": response.seconds}
    return data
