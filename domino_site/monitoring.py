"""Health check and metrics for operators: ``/healthz`` and ``/metrics``."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from math import isfinite
from typing import Any

import structlog
from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from channels.layers import get_channel_layer
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from prometheus_client import CONTENT_TYPE_LATEST, Counter, Histogram, generate_latest

from domino_site.logs import page_name
from infrastructure import health, machine_metrics, scrapes  # noqa: F401  (the second publishes its gauges itself)
from infrastructure.addresses import address_key_of_socket
from infrastructure.asgi import Application, Receive, Scope, Send
from infrastructure.limits import limits

logger = structlog.get_logger(__name__)
LOOPBACK_ADDRESSES = {"127.0.0.1", "::1"}
CHECK_TIMEOUT_SECONDS = 1.5
_health_thread = ThreadPoolExecutor(1, thread_name_prefix="health")

RESPONSES = Counter("dominoes_http_responses_total", "Answers by page and status", ["page", "status"])
# By status alone, so that the counts of errors exist before the first one.
ERRORS = Counter("dominoes_http_errors_total", "Answers of server errors by status", ["status"])
ERROR_COUNTS = {status: ERRORS.labels(status) for status in (500, 503)}
RESPONSE_SECONDS = Histogram("dominoes_http_seconds", "Time to answer a request", ["page"])
_failing_checks: set[str] = set()  # the parts that failed their last check


class RequestMetrics:
    """Counts responses and their time by the name of the URL pattern, never by the URL itself."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        started_at = time.perf_counter()
        answer = self.get_response(request)
        return (
            count_response(request, answer, started_at)
            if isinstance(answer, HttpResponseBase)
            else self.await_and_count(request, answer, started_at)
        )

    async def await_and_count(
        self, request: HttpRequest, answer: Awaitable[HttpResponseBase], started_at: float
    ) -> HttpResponseBase:
        return count_response(request, await answer, started_at)


def count_response(request: HttpRequest, response: HttpResponseBase, started_at: float) -> HttpResponseBase:
    page = page_name(request)
    RESPONSE_SECONDS.labels(page).observe(time.perf_counter() - started_at)
    RESPONSES.labels(page, response.status_code).inc()
    if response.status_code in ERROR_COUNTS:
        ERROR_COUNTS[response.status_code].inc()
    return response


async def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 if this process works: the database, the channel layer, and its own clock if it has one. Else 503.

    A dead clock of another process is reported too, but does not change the status: whether a balancer stops using the
    web processes or restarts them, the clock would not come back.
    """
    is_database_up, is_layer_up = await asyncio.gather(
        passes_check("database", ping_database), passes_check("layer", ping_channel_layer)
    )
    clock = health.clock_status()
    clock_age = clock.age()
    report = {
        "database": is_database_up,
        "layer": is_layer_up,
        "clock": clock.is_alive() and not clock.is_hanging(),
        "clock_age_seconds": round(clock_age, 1) if isfinite(clock_age) else None,
    }
    is_well = is_database_up and is_layer_up and not clock.is_hanging()
    response = JsonResponse(report, status=200 if is_well else 503)
    # ``passes_check`` logs each fault once; Django would log every 503.
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django's own mark, which the stubs leave out
    return response


async def passes_check(name: str, check: Callable[[], Awaitable[None]]) -> bool:
    """Return True if a part answers in time. A part that hangs would not raise an error for minutes."""
    try:
        async with asyncio.timeout(CHECK_TIMEOUT_SECONDS):
            await check()
    except Exception as error:
        if name not in _failing_checks:
            logger.error("health_check_failed", check=name, error=repr(error))
        _failing_checks.add(name)
        return False
    _failing_checks.discard(name)
    return True


async def ping_database() -> None:
    """Query the database in a separate thread: a hanging query in a page's thread would block the whole server.

    Only one query waits at a time. The registered checks use the threads of the sockets and the clock, which locked
    rows may occupy.
    """
    await asyncio.gather(asyncio.wrap_future(_health_thread.submit(query_database)), health.check_database())


def query_database() -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    finally:
        connection.close()


async def ping_channel_layer() -> None:
    """With Redis this is one round trip that stores nothing."""
    layer: Any = get_channel_layer()  # only the layers of this site have ``ping``
    await layer.ping()


async def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics: to requests with METRICS_TOKEN, or in development to the machine itself."""
    if not may_read_metrics(request):
        raise Http404
    await scrapes.refresh_gauges()
    text = await asyncio.to_thread(generate_latest)
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)


class Probes:
    """Answers ``/healthz`` and ``/metrics`` itself and passes everything else on.

    Probes use addresses of the machine that are not in ``ALLOWED_HOSTS``, and must not wait for pages. They count as
    pages of their address (``PAGES_RATE``). Over the limit they are passed on and get 429.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        view = PROBE_VIEWS.get(scope["path"]) if scope["method"] in ("GET", "HEAD") else None
        if view is None or limits.consume("pages", address=address_key_of_socket(scope)):
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
    return not settings.PRODUCTION and request.META.get("REMOTE_ADDR") in LOOPBACK_ADDRESSES


PROBE_VIEWS: dict[str, Callable[[HttpRequest], Awaitable[HttpResponse]]] = {
    "/healthz": healthz,
    "/metrics": metrics,
}
