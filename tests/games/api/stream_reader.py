"""A program's end of a stream, for tests."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from channels.routing import URLRouter
from channels.testing import ApplicationCommunicator

from accounts.models import ApiToken, User
from accounts.tokens.issuing import create_token
from games.sockets.routing import stream_urlpatterns
from infrastructure.runtime import Runtime
from tests.games.socket_browser import WAIT_SECONDS

STREAM_SITE: Any = URLRouter(stream_urlpatterns)
BOTH_SCOPES = (ApiToken.Scope.READ, ApiToken.Scope.BOT_PLAY)


def secret_of(user: User, scopes: Collection[str] = BOTH_SCOPES, name: str = "test") -> str:
    """Return a new token of a person."""
    return create_token(user=user, name=name, scopes=list(scopes))


class StreamReader(ApplicationCommunicator):
    """A stream that is being read."""

    status = 0

    def __init__(self, path: str, secret: str, *, client: str = "10.0.0.1", method: str = "GET") -> None:
        headers = [(b"authorization", f"Bearer {secret}".encode())] if secret else []
        scope = {"type": "http", "method": method, "path": path, "headers": headers, "client": (client, 1)}
        super().__init__(STREAM_SITE, scope)
        self.headers: dict[bytes, bytes] = {}
        self.is_over = False
        Runtime.current.attach_loop()

    async def begin(self) -> None:
        await self.send_input({"type": "http.request", "body": b""})
        start = await self.receive_output(timeout=WAIT_SECONDS)
        self.status, self.headers = start["status"], dict(start["headers"])

    async def next_bytes(self) -> bytes:
        message = await self.receive_output(timeout=WAIT_SECONDS)
        self.is_over = not message.get("more_body", False)
        return message["body"]

    async def next_line(self) -> dict[str, Any]:
        """Return the next line that is not empty."""
        while not (line := (await self.next_bytes()).strip()):
            continue
        data: dict[str, Any] = json.loads(line)
        return data

    async def leave(self) -> None:
        await self.send_input({"type": "http.disconnect"})
        await self.wait(timeout=WAIT_SECONDS)


async def read_stream(path: str, secret: str, **options: Any) -> StreamReader:
    """Open a stream and read its status."""
    reader = StreamReader(path, secret, **options)
    await reader.begin()
    return reader
