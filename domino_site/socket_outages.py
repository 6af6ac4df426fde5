"""Sockets that open while the database is away."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

from infrastructure.outages import is_outage

RETRY_SECONDS = 1.0, 3.0


class WhenBack:
    """Find out whose a socket is when the database is back: until then the browser waits, and says so.

    What comes after the acceptance is the application's own matter.
    """

    def __init__(self, application: Callable[..., Awaitable[Any]]) -> None:
        self.application = application

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> Any:
        while True:
            try:
                return await self.application(scope, receive, send)
            except Exception as error:
                if not is_outage(error):
                    raise
            await asyncio.sleep(random.uniform(*RETRY_SECONDS))  # noqa: S311
