"""A push service that keeps what it is sent, and a browser that can read it."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from infrastructure.vapid import encode_base64url


@dataclass
class ReceivedRequest:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class PushService:
    """Answers each request with ``status``, after ``may_answer`` has been set; ``location`` is where it sends on."""

    origin: str = ""
    status: int = 201
    location: str = ""
    received: list[ReceivedRequest] = field(default_factory=list)
    may_answer: threading.Event = field(default_factory=threading.Event)


class SubscribedBrowser:
    """The subscription of a browser, including its secrets."""

    def __init__(self, endpoint: str) -> None:
        self.private_key = ec.generate_private_key(ec.SECP256R1())
        point = self.private_key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.secret = secrets.token_bytes(16)
        self.form = {"endpoint": endpoint, "p256dh": encode_base64url(point), "auth": encode_base64url(self.secret)}

    def read(self, received: ReceivedRequest) -> dict[str, Any]:
        plain = http_ece.decrypt(received.body, private_key=self.private_key, auth_secret=self.secret)
        return json.loads(plain)


@contextmanager
def push_service() -> Iterator[PushService]:
    service = PushService()
    service.may_answer.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.received.append(ReceivedRequest(self.path, dict(self.headers), body))
            service.may_answer.wait(30)
            self.send_response(service.status)
            if service.location:
                self.send_header("Location", service.location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_POST

        def log_message(self, *_arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.origin = f"http://localhost:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.may_answer.set()
        server.shutdown()
        server.server_close()
        thread.join()
