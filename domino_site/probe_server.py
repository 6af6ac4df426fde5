"""Serves only ``/healthz`` and ``/metrics``, for processes without a web server such as ``manage.py clock``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import Any

from domino_site.monitoring import Probes
from infrastructure.asgi import Message, Receive, Scope, Send

MAX_HEAD_BYTES = 8192
TIMEOUT_SECONDS = 10  # to receive a request and to answer it


@asynccontextmanager
async def serve_probes(host: str, port: int) -> AsyncIterator[None]:
    """Serve the probes in the running event loop. Raises OSError if the port is taken."""
    server = await asyncio.start_server(handle_connection, host, port, limit=MAX_HEAD_BYTES)
    try:
        yield
    finally:
        server.close()


async def handle_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one request, then close the connection."""
    try:
        with suppress(OSError, TimeoutError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(TIMEOUT_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
                await answer(parse_head(head, writer.get_extra_info("peername")), writer)
    finally:
        writer.close()


def parse_head(head: bytes, peer: Any) -> Scope:
    """Return the ASGI scope of a request. Raises ValueError."""
    request_line, *lines = head.decode("latin1").rstrip().split("\r\n")
    method, target, _version = request_line.split(" ")
    path, _, query = target.partition("?")
    headers = [(name.strip().lower().encode(), value.strip().encode()) for name, value in map(split_header, lines)]
    return {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": headers,
        "client": list(peer[:2]) if peer else None,
        "scheme": "http",
    }


def split_header(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name, value


async def answer(scope: Scope, writer: asyncio.StreamWriter) -> None:
    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            status = HTTPStatus(message["status"])
            headers = [*message["headers"], (b"connection", b"close")]
            lines = [f"HTTP/1.1 {status.value} {status.phrase}".encode(), *(b": ".join(header) for header in headers)]
            writer.write(b"\r\n".join([*lines, b"", b""]))
        elif scope["method"] != "HEAD":
            writer.write(message["body"])
        await writer.drain()

    await Probes(answer_not_found)(scope, receive_nothing, send)


async def receive_nothing() -> Message:
    return {"type": "http.request", "body": b""}


async def answer_not_found(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 404, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})
