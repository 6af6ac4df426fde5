"""How many pages of one address are worked on at a time. The others wait in line."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import Any
from weakref import WeakValueDictionary

from django.conf import settings
from django.http import parse_cookie

from domino_site.asgi_middleware import header_values
from infrastructure.addresses import address_of_socket
from infrastructure.asgi import Application, Message, Receive, Scope, Send
from infrastructure.limits import rest_after
from infrastructure.server.refusals import FULL

# A page that takes longer gives up its turn: it waits for a worker, a lock or a password, and uses no processor.
TURN_SECONDS = 0.2
MAX_WAITING = 300  # requests of one address; a request in line takes up to 64 kB


class PageTurns:
    """Pass a request on when fewer than ``PAGES_PLACES`` of its address are being answered.

    Each page has a thread of its own, and each busy thread delays every move by some milliseconds. The pages of one
    address are not finished any sooner when they are worked on all at once. After each there is a rest as long as it
    took (``rest_after``), which leaves half of the time to everybody else.
    """

    def __init__(self, application: Application) -> None:
        self.application = application
        self.lines: WeakValueDictionary[str, AddressLine] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> Any:
        address, places = address_of_socket(scope), settings.PLACES["pages"].get("address")
        if not address or places is None:
            return await self.application(scope, receive, send)
        line = self.lines.setdefault(address, AddressLine(places))
        if not await line.enter(browser_of(scope)):
            return await FULL.send(scope, send)
        turn = Turn(line)

        async def begin(message: Message) -> None:
            if message["type"] == "http.response.start":
                turn.end()  # all that is left to do is to send it, which can take minutes
            await send(message)

        try:
            return await self.application(scope, receive, begin)
        finally:
            turn.end()


class AddressLine:
    """The requests of one address. Turns go round between its browsers, so nobody waits for all of another's pages."""

    def __init__(self, places: int) -> None:
        self.places = places
        self.working = 0
        self.waiting: OrderedDict[str, deque[asyncio.Future[bool]]] = OrderedDict()
        """The requests in line by browser; the first browser is the next one."""

    async def enter(self, browser: str) -> bool:
        """Wait for a turn. Return False if the line is too long."""
        request: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(browser, deque()).append(request)
        self.advance()
        if sum(map(len, self.waiting.values())) > MAX_WAITING:
            self.drop_one()
        try:
            return await request
        except asyncio.CancelledError:
            if not request.cancelled() and request.result():  # its turn had just begun
                self.leave()
            raise

    def advance(self) -> None:
        """Give free turns to the requests in line, one of each browser after the other."""
        while self.waiting and self.working < self.places:
            browser, requests = self.waiting.popitem(last=False)
            request = requests.popleft()
            if requests:
                self.waiting[browser] = requests
            if not request.done():
                request.set_result(True)
                self.working += 1

    def drop_one(self) -> None:
        """Drop the newest request of the browser that has most of them in line."""
        browser = max(self.waiting, key=lambda name: len(self.waiting[name]))
        request = self.waiting[browser].pop()
        if not self.waiting[browser]:
            del self.waiting[browser]
        if not request.done():
            request.set_result(False)

    def leave(self) -> None:
        self.working -= 1
        self.advance()


class Turn:
    """A page that is worked on, until its answer begins or it has taken too long."""

    def __init__(self, line: AddressLine) -> None:
        self.line, self.loop = line, asyncio.get_running_loop()
        self.begun, self.ended = self.loop.time(), False
        self.timer = self.loop.call_later(TURN_SECONDS, self.end)

    def end(self) -> None:
        if not self.ended:
            self.ended = True
            self.timer.cancel()
            self.loop.call_later(rest_after(self.loop.time() - self.begun), self.line.leave)


def browser_of(scope: Scope) -> str:
    """Return what tells the browsers of one address apart: every page has a form and so sets this cookie."""
    return parse_cookie("; ".join(header_values(scope, b"cookie"))).get(settings.CSRF_COOKIE_NAME, "")
