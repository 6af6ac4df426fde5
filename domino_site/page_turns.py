"""How many pages of one address are worked on at a time: the others wait for their turn."""

from __future__ import annotations

import asyncio
from typing import Any
from weakref import WeakValueDictionary

from django.conf import settings

from infrastructure.addresses import address_of_socket
from infrastructure.asgi import Application, Message, Receive, Scope, Send

LONGEST_REST = 0.05
"""Seconds. What takes longer waits for a password or the database, and keeps no processor busy."""


class PageTurns:
    """Pass a request on when fewer than ``PAGES_PLACES`` of its address are being answered.

    Each page has a thread of its own, and each thread at work delays every move by some milliseconds; the pages of one
    address are done no sooner for being worked on all at once. After each there is a rest as long as it took
    (``LONGEST_REST`` at most), which leaves half of the time to everybody else.
    """

    def __init__(self, application: Application) -> None:
        self.application = application
        self.turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> Any:
        address, most = address_of_socket(scope), settings.PLACES["pages"].get("address")
        if not address or most is None:
            return await self.application(scope, receive, send)
        loop = asyncio.get_running_loop()
        turn = self.turns.setdefault(address, asyncio.Semaphore(most))
        await turn.acquire()
        begun, held = loop.time(), [turn]

        def release() -> None:
            while held:
                loop.call_later(min(loop.time() - begun, LONGEST_REST), held.pop().release)

        async def begin(message: Message) -> None:
            if message["type"] == "http.response.start":
                # What is left to do is to send it, which takes a slow browser minutes.
                release()
            await send(message)

        try:
            return await self.application(scope, receive, begin)
        finally:
            release()
