"""A browser's end of a socket, for tests."""

from __future__ import annotations

import json
import re
from html import unescape
from itertools import count
from typing import Any

from channels.db import database_sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore

from accounts.models import User
from games.models import Match
from games.sockets.routing import websocket_urlpatterns
from infrastructure.runtime import Runtime
from infrastructure.server.connection import ASGI_EXTENSION, Connection, PreparedMessage

in_thread = database_sync_to_async
_numbers = count()  # of browsers, each with an address of its own
WEBSOCKET_SITE = URLRouter(websocket_urlpatterns)
WAIT_SECONDS = 20  # a busy machine may need some of them
SERVER_TIME_PATTERN = re.compile(r'(?:<!--|\{"now":)(\d+)(?:-->|\})')


class FakeConnection(Connection):
    """The line to a browser that reads at once whatever is written to it, but while it is ``slow``."""

    __slots__ = ("slow",)

    def __init__(self, browser: Browser) -> None:
        super().__init__(browser)
        self.slow = False

    @property
    def is_open(self) -> bool:
        return not self.slow

    def ping_browser(self) -> None:
        """Nothing takes any time here."""

    def write(self, message: PreparedMessage) -> None:
        self.protocol.output_queue.put_nowait({"type": "websocket.send", "text": message.payload.decode()})


class Browser(WebsocketCommunicator):
    """A socket of a page; ``user`` None is a visitor."""

    scope: Any
    now_ms = 0  # the server's time in the last frame

    def __init__(
        self,
        path: str,
        user: User | None = None,
        *,
        language: str = "en",
        session: Any = None,
        cookies: Any = None,
        client: tuple[str, int] | None = None,
    ) -> None:
        super().__init__(WEBSOCKET_SITE, path, headers=[(b"accept-language", language.encode())])
        self.scope |= {"user": user or AnonymousUser(), "cookies": cookies or {}, "session": session or SessionStore()}
        self.connection = FakeConnection(self)
        self.scope["extensions"] = {ASGI_EXTENSION: self.connection}
        self.scope["client"] = client or (f"10.0.0.{next(_numbers)}", 1)
        Runtime.current.attach_loop()

    async def connect(self, timeout: float = WAIT_SECONDS) -> tuple[bool, int | str | None]:
        return await super().connect(timeout)

    async def send_message(self, **data: Any) -> None:
        await self.send_to(text_data=json.dumps(data))

    async def next_frame(self) -> str:
        """Return the next frame without the server's time, which is kept."""
        text = await self.receive_from(timeout=WAIT_SECONDS)
        assert isinstance(text, str)
        if time := SERVER_TIME_PATTERN.match(text):
            self.now_ms = int(time[1])
            return text[time.end() :]
        return text

    async def close_code(self) -> int:
        message = await self.receive_output(timeout=WAIT_SECONDS)
        assert message["type"] == "websocket.close", message
        return message["code"]


async def connect_and_read_frame(match: Match, user: User | None = None, **options: Any) -> Browser:
    """Open the socket of a table and take the first frame."""
    browser = await connect_to_table(match, user, **options)
    await browser.next_frame()
    return browser


async def connect_to_table(match: Match, user: User | None = None, **options: Any) -> Browser:
    browser = Browser(f"/ws/match/{match.slug}/", user, **options)
    connected, _protocol = await browser.connect()
    assert connected
    return browser


def socket_address(page: str) -> str:
    """Return the address of the socket that a page opens."""
    match = re.search(r'hx-ws:connect="([^"]+)"', page)
    assert match
    return unescape(match[1])


def zone_names(frame: str) -> set[str]:
    """Return the names of the zones that a frame replaces."""
    return set(re.findall(r'<hx-partial id="([^"]+)"', frame))
