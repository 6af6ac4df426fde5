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

FIELDS = ("Connection: close", "Content-Type: text/html; charset=utf-8", "Cache-Control: no-store")


@dataclass(frozen=True, slots=True)
class HttpRefusal:
    """An answer with a page of its own, ``templates/<status>.html``, after which the connection is closed."""

    status: HTTPStatus
    fields: tuple[str, ...] = ()
    max_bytes: int = 0  # the most that is accepted, for the page of a 413

    def answer(self, headers: Headers | None) -> bytes:
        """Return the whole answer, in the language of the browser as far as its headers are known."""
        body = page(self.status, language(headers or Headers()), self.max_bytes)
        lines = [f"HTTP/1.1 {self.status.value} {self.status.phrase}", *FIELDS, *self.fields]
        return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body

    async def send(self, scope: Scope, send: Send) -> None:
        """Answer as an ASGI application, which keeps the connection."""
        request_headers = Headers()
        for name, value in scope["headers"]:
            request_headers.addRawHeader(name, value)
        body = page(self.status, language(request_headers), self.max_bytes)
        fields = [*FIELDS[1:], *self.fields, f"Content-Length: {len(body)}"]
        headers = [(name.lower().encode(), value.encode()) for name, value in (field.split(": ") for field in fields)]
        await send({"type": "http.response.start", "status": self.status.value, "headers": headers})
        await send({"type": "http.response.body", "body": body})


@lru_cache(maxsize=100)
def page(status: HTTPStatus, language: str, max_bytes: int = 0) -> bytes:
    with translation.override(language):
        return render_to_string(f"{status.value}.html", {"max_bytes": max_bytes}).encode()


def language(headers: Headers) -> str:
    """Return the language in which the site would answer a request with these headers."""
    request = HttpRequest()
    request.META["HTTP_ACCEPT_LANGUAGE"] = joined(headers, b"Accept-Language")
    request.COOKIES = parse_cookie(joined(headers, b"Cookie"))
    return translation.get_language_from_request(request)


def joined(headers: Headers, name: bytes) -> str:
    return b",".join(headers.getRawHeaders(name, [])).decode("latin1")


OTHER = HttpRefusal(HTTPStatus.BAD_REQUEST)
LATE = HttpRefusal(HTTPStatus.REQUEST_TIMEOUT)
NO_LENGTH = HttpRefusal(HTTPStatus.LENGTH_REQUIRED)
BUSY = HttpRefusal(HTTPStatus.TOO_MANY_REQUESTS, ("Retry-After: 5",))
FULL = HttpRefusal(HTTPStatus.SERVICE_UNAVAILABLE, ("Retry-After: 10",))


def too_long(most: int) -> HttpRefusal:
    """Return the refusal of a body with more than this number of bytes."""
    return HttpRefusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, max_bytes=most)
