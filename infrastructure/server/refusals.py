"""The server's own answers to requests that never reach Django."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus

from django.http import HttpRequest, parse_cookie
from django.template.loader import render_to_string
from django.utils import translation
from twisted.web.http_headers import Headers

from infrastructure.asgi import Scope, Send

HEADER_LINES = ("Connection: close", "Content-Type: text/html; charset=utf-8", "Cache-Control: no-store")


@dataclass(frozen=True, slots=True)
class HttpRefusal:
    """An error response with the page ``templates/<status>.html``, after which the connection is closed."""

    status: HTTPStatus
    fields: tuple[str, ...] = ()
    max_bytes: int = 0  # the largest accepted body, shown by the page of a 413

    def answer(self, headers: Headers | None) -> bytes:
        """Return the whole response, in the language of the browser if its headers are known."""
        body = refusal_page(self.status, request_language(headers or Headers()), self.max_bytes)
        lines = [f"HTTP/1.1 {self.status.value} {self.status.phrase}", *HEADER_LINES, *self.fields]
        return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body

    async def send(self, scope: Scope, send: Send) -> None:
        """Answer as an ASGI application, without closing the connection."""
        request_headers = Headers()
        for name, value in scope["headers"]:
            request_headers.addRawHeader(name, value)
        body = refusal_page(self.status, request_language(request_headers), self.max_bytes)
        fields = [*HEADER_LINES[1:], *self.fields, f"Content-Length: {len(body)}"]
        headers = [(name.lower().encode(), value.encode()) for name, value in (field.split(": ") for field in fields)]
        await send({"type": "http.response.start", "status": self.status.value, "headers": headers})
        await send({"type": "http.response.body", "body": body})


@lru_cache(maxsize=100)
def refusal_page(status: HTTPStatus, language: str, max_bytes: int = 0) -> bytes:
    with translation.override(language):
        return render_to_string(f"{status.value}.html", {"max_bytes": max_bytes}).encode()


def request_language(headers: Headers) -> str:
    """Return the language in which the site would answer a request with these headers."""
    request = HttpRequest()
    request.META["HTTP_ACCEPT_LANGUAGE"] = join_header(headers, b"Accept-Language")
    request.COOKIES = parse_cookie(join_header(headers, b"Cookie"))
    return translation.get_language_from_request(request)


def join_header(headers: Headers, name: bytes) -> str:
    return b",".join(headers.getRawHeaders(name, [])).decode("latin1")


BAD_REQUEST_REFUSAL = HttpRefusal(HTTPStatus.BAD_REQUEST)
REQUEST_TIMEOUT_REFUSAL = HttpRefusal(HTTPStatus.REQUEST_TIMEOUT)
LENGTH_REQUIRED_REFUSAL = HttpRefusal(HTTPStatus.LENGTH_REQUIRED)
TOO_MANY_REQUESTS_REFUSAL = HttpRefusal(HTTPStatus.TOO_MANY_REQUESTS, ("Retry-After: 5",))
UNAVAILABLE_REFUSAL = HttpRefusal(HTTPStatus.SERVICE_UNAVAILABLE, ("Retry-After: 10",))


def too_large_refusal(limit: int) -> HttpRefusal:
    """Return the refusal of a body larger than this number of bytes."""
    return HttpRefusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, max_bytes=limit)
