"""Sockets that are opened during an outage of the database."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from infrastructure.asgi import Application, Receive, Scope, Send
from infrastructure.outages import is_outage

RETRY_SECONDS = 1.0, 3.0


class WhenBack:
    """Retry until the database is back, so that the user of a socket can be read. The browser shows that it waits.

    After the socket is accepted, the application itself handles outages.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> Any:
        while True:
            try:
                return await self.application(scope, receive, send)
            except Exception as error:
                if not is_outage(error):
                    raise
            await asyncio.sleep(random.uniform(*RETRY_SECONDS))  # noqa: S311
