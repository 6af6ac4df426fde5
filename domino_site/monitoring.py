"""For those who run the site: ``/healthz`` and ``/metrics``."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

import structlog
from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.views.decorators.cache import never_cache
from prometheus_client import CONTENT_TYPE_LATEST, Counter, Histogram, generate_latest

from domino_site.logs import page_name
from infrastructure import health
from infrastructure.addresses import address_of_socket
from infrastructure.asgi import Application, Receive, Scope, Send
from infrastructure.limits import limits

logger = structlog.get_logger(__name__)
LOOPBACK = {"127.0.0.1", "::1"}
CHECK_SECONDS = 1.5
_asking = ThreadPoolExecutor(1, thread_name_prefix="health")

RESPONSES = Counter("dominoes_http_responses_total", "Answers by page and status", ["page", "status"])
SECONDS = Histogram("dominoes_http_seconds", "Time to answer a request", ["page"])


_down: set[str] = set()  # the parts that failed their last check


class RequestMetrics:
    """Count the answers and their time by the name of the address, never by the address itself."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        begun = time.perf_counter()
        answer = self.get_response(request)
        return (
            counted(request, answer, begun)
            if isinstance(answer, HttpResponseBase)
            else self.later(request, answer, begun)
        )

    async def later(self, request: HttpRequest, answer: Awaitable[HttpResponseBase], begun: float) -> HttpResponseBase:
        return counted(request, await answer, begun)


def counted(request: HttpRequest, response: HttpResponseBase, begun: float) -> HttpResponseBase:
    page = page_name(request)
    SECONDS.labels(page).observe(time.perf_counter() - begun)
    RESPONSES.labels(page, response.status_code).inc()
    return response


@never_cache
async def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 if the database and the channel layer work, else 503 and which of them does not."""
    database, layer = await asyncio.gather(works("database", database_answers), works("layer", layer_answers))
    response = JsonResponse({"database": database, "layer": layer}, status=200 if database and layer else 503)
    # ``works`` logs each fault once; Django would log every 503.
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django's own mark, which the stubs leave out
    return response


async def works(name: str, check: Callable[[], Awaitable[None]]) -> bool:
    """Return whether a part answers in time: one that hangs would not fail for minutes."""
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            await check()
    except Exception as error:
        if name not in _down:
            logger.error("health_check_failed", check=name, error=repr(error))
        _down.add(name)
        return False
    _down.discard(name)
    return True


async def database_answers() -> None:
    """Ask the database in a thread of its own: if it hangs, the page's thread would hold up the whole server.

    While one question waits for its answer, no other is asked. Also ask on the ways that sockets and the clock take:
    locked rows may occupy all of them.
    """
    await asyncio.gather(asyncio.wrap_future(_asking.submit(ask_database)), health.check_database())


def ask_database() -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    finally:
        connection.close()


async def layer_answers() -> None:
    """With Redis this is one round trip, and leaves nothing behind."""
    layer: Any = get_channel_layer()  # only the layers of this site have ``ping``
    await layer.ping()


@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Show the metrics: to the machine itself in development, otherwise only with METRICS_TOKEN."""
    if not may_read_metrics(request):
        raise Http404
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


class Probes:
    """Answer ``/healthz`` and ``/metrics`` before the pages, and pass everything else on.

    A probe asks by an address of the machine, which is none of ``ALLOWED_HOSTS``, and waits for no page. Probes count
    as pages of their address (``PAGES_RATE``); over the limit they are passed on, and get 429.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        view = VIEWS.get(scope["path"]) if scope["method"] in ("GET", "HEAD") else None
        if view is None or limits.wait("pages", address=address_of_socket(scope)):
            await self.application(scope, receive, send)
            return
        try:
            response = await view(ASGIRequest(scope, BytesIO()))
        except Http404:
            await self.application(scope, receive, send)
            return
        response["Content-Length"] = str(len(response.content))
        headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
        await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
        await send({"type": "http.response.body", "body": response.content})


def may_read_metrics(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        authorization = request.headers.get("Authorization", "")
        return hmac.compare_digest(authorization.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
    return not settings.PRODUCTION and request.META.get("REMOTE_ADDR") in LOOPBACK


VIEWS: dict[str, Callable[[HttpRequest], Awaitable[HttpResponse]]] = {
    "/healthz": healthz,
    "/metrics": sync_to_async(metrics),
}
