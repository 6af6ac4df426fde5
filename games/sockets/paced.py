"""A socket that sends the changes of its page at intervals: many changes at once are one update."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from typing import Any

from games.sockets.base import EMPTY_MESSAGE, Socket


class PacedSocket(Socket):
    update_interval_seconds = 1.0  # between two updates
    spread_seconds = 0.0  # in which the sockets of a group send a change: a thousand at once would block every table
    pending_update: asyncio.Task[None] | None = None
    updated_at = 0.0

    def on_close(self) -> None:
        super().on_close()
        if self.pending_update:
            self.pending_update.cancel()

    def schedule_update(self) -> None:
        if self.pending_update is None and not self.ended:
            self.pending_update = asyncio.create_task(self.send_changes_soon())

    async def send_changes_soon(self) -> None:
        loop = asyncio.get_running_loop()
        due_in = self.updated_at + self.update_interval_seconds - loop.time()
        await asyncio.sleep(max(self.spread_seconds * random.random(), due_in))  # noqa: S311  # no secret
        self.pending_update = None
        await self.dispatch({"type": "update.due"})

    async def on_heartbeat(self, data: Mapping[str, Any]) -> None:
        """Handle a heartbeat: renew memberships, and always answer."""
        if await self.is_still_admitted():
            await self.join_groups()
            self.report_visibility(data)
            await self.send_update(EMPTY_MESSAGE)

    async def update_due(self, message: dict[str, Any]) -> None:
        await self.send_changes()

    async def send_changes(self) -> None:
        """Send what has changed now."""
        self.updated_at = asyncio.get_running_loop().time()
        if not self.ended:
            await self.send_changed_zones()

    # Implemented by subclasses.

    async def send_changed_zones(self) -> None:
        raise NotImplementedError
