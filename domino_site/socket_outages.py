"""Sockets that open while the database is away."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from infrastructure.asgi import Application, Receive, Scope, Send
from infrastructure.outages import is_outage

RETRY_SECONDS = 1.0, 3.0


class WhenBack:
    """Find out whose a socket is when the database is back: until then the browser waits, and says so.

    What comes after the acceptance is the application's own matter.
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
