"""Frames over HTTP, for pages whose browser cannot open a WebSocket and which poll instead."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag


def is_poll(request: HttpRequest) -> bool:
    """Return True if a script requests the frame of a page instead of the page."""
    return "HX-Request" in request.headers


def frame_response(request: HttpRequest, content: Callable[[], str], *, key: object) -> HttpResponseBase:
    """Return a frame, or 304 if the browser already shows the frame of this key.

    The key contains everything that the frame depends on, so an unchanged frame is not rendered.
    """
    etag = quote_etag(sha256(repr(key).encode()).hexdigest())
    unchanged = get_conditional_response(request, etag=etag)
    return unchanged or HttpResponse(content(), headers={"ETag": etag})
