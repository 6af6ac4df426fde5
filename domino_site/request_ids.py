"""Request ids: one for each request, in its log lines, its answer and the page of a server error."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from structlog.contextvars import bound_contextvars, get_contextvars

HEADER = "X-Request-Id"
VALID_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


class RequestIds:
    """Gives each request an id. The proxy may choose it, so that its own log contains the same one."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        request_id = id_from_proxy(request) or secrets.token_hex(8)
        with bound_contextvars(request_id=request_id):
            answer = self.get_response(request)
            if isinstance(answer, HttpResponseBase):
                answer[HEADER] = request_id
                return answer
        return self.await_answer(answer, request_id)

    async def await_answer(self, answer: Awaitable[HttpResponseBase], request_id: str) -> HttpResponseBase:
        with bound_contextvars(request_id=request_id):
            response = await answer
        response[HEADER] = request_id
        return response


def id_from_proxy(request: HttpRequest) -> str:
    """Return the id that the trusted proxy sends, "" if there is none."""
    request_id = request.headers.get(HEADER, "") if settings.BEHIND_PROXY else ""
    return request_id if VALID_ID.fullmatch(request_id) else ""


def current_request_id() -> str:
    """Return the id of the request that is being answered, "" if there is none."""
    return str(get_contextvars().get("request_id", ""))
