"""Limits how many pages of one address are processed at a time. The others wait in a queue."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import Any
from weakref import WeakValueDictionary

from django.conf import settings
from django.http import parse_cookie

from domino_site.asgi_middleware import header_values
from infrastructure.addresses import address_key_of_socket
from infrastructure.asgi import Application, Message, Receive, Scope, Send
from infrastructure.limits import fair_pause
from infrastructure.server.refusals import UNAVAILABLE_REFUSAL

# A page that takes longer gives up its turn, because it waits for a worker, a lock or a password and uses no CPU.
TURN_SECONDS = 0.2
MAX_WAITING = 300  # requests of one address; each takes up to 64 kB


class PageQueue:
    """Passes a request on when fewer than ``PAGES_PLACES`` requests of its address are being processed.

    Each page has its own thread, and each busy thread delays every move by some milliseconds. Processing all pages of
    an address at once would not finish them sooner. After each page its address pauses for as long as the page took
    (``fair_pause``), which leaves half of the time to everybody else.
    """

    def __init__(self, application: Application) -> None:
        self.application = application
        self.queues: WeakValueDictionary[str, AddressQueue] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> Any:
        address, places = address_key_of_socket(scope), settings.PLACES["pages"].get("address")
        if not address or places is None:
            return await self.application(scope, receive, send)
        queue = self.queues.setdefault(address, AddressQueue(places))
        if not await queue.enter(browser_id(scope)):
            return await UNAVAILABLE_REFUSAL.send(scope, send)
        turn = Turn(queue)

        async def send_and_end_turn(message: Message) -> None:
            if message["type"] == "http.response.start":
                turn.end()  # only sending remains, which can take minutes
            await send(message)

        try:
            return await self.application(scope, receive, send_and_end_turn)
        finally:
            turn.end()


class AddressQueue:
    """The requests of one address. Its browsers take turns, so nobody waits for all pages of another browser."""

    def __init__(self, places: int) -> None:
        self.places = places
        self.working = 0
        # The waiting requests by browser. The first browser has the next turn.
        self.waiting: OrderedDict[str, deque[asyncio.Future[bool]]] = OrderedDict()

    async def enter(self, browser: str) -> bool:
        """Wait for a turn. Return False if the queue is too long."""
        request: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(browser, deque()).append(request)
        self.start_waiting()
        if sum(map(len, self.waiting.values())) > MAX_WAITING:
            self.drop_newest()
        try:
            return await request
        except asyncio.CancelledError:
            if not request.cancelled() and request.result():  # its turn had just begun
                self.leave()
            raise

    def start_waiting(self) -> None:
        """Give free turns to waiting requests, one for each browser in turn."""
        while self.waiting and self.working < self.places:
            browser, requests = self.waiting.popitem(last=False)
            request = requests.popleft()
            if requests:
                self.waiting[browser] = requests
            if not request.done():
                request.set_result(True)
                self.working += 1

    def drop_newest(self) -> None:
        """Drop the newest request of the browser with the most waiting requests."""
        browser = max(self.waiting, key=lambda name: len(self.waiting[name]))
        request = self.waiting[browser].pop()
        if not self.waiting[browser]:
            del self.waiting[browser]
        if not request.done():
            request.set_result(False)

    def leave(self) -> None:
        self.working -= 1
        self.start_waiting()


class Turn:
    """A page in progress, until its response starts or ``TURN_SECONDS`` have passed."""

    def __init__(self, queue: AddressQueue) -> None:
        self.queue, self.loop = queue, asyncio.get_running_loop()
        self.started_at, self.ended = self.loop.time(), False
        self.timer = self.loop.call_later(TURN_SECONDS, self.end)

    def end(self) -> None:
        if not self.ended:
            self.ended = True
            self.timer.cancel()
            self.loop.call_later(fair_pause(self.loop.time() - self.started_at), self.queue.leave)


def browser_id(scope: Scope) -> str:
    """Return a cookie that distinguishes the browsers of an address. Every page sets it, because it has a form."""
    return parse_cookie("; ".join(header_values(scope, b"cookie"))).get(settings.CSRF_COOKIE_NAME, "")
