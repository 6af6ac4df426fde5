"""The channel layer of one process."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from channels.layers import InMemoryChannelLayer

SWEEP_SECONDS = 5


class MemoryLayer(InMemoryChannelLayer):
    """Channels' in-memory layer without its two costs that grow with the number of sockets.

    The original sweeps all channels on every send and receive, and copies the message for each member in a
    task of its own. Here members share one message, which therefore nobody may change.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.next_sweep = 0.0

    def _clean_expired(self) -> None:
        if time.monotonic() < self.next_sweep:
            return
        self.next_sweep = time.monotonic() + SWEEP_SECONDS
        super()._clean_expired()

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        self._clean_expired()
        expires = time.time() + self.expiry
        for channel in self.groups.get(group, ()):
            queue = self.channels.setdefault(channel, asyncio.Queue(maxsize=self.capacity))
            if not queue.full():  # a member that far behind reads the newest state once it wakes up
                queue.put_nowait((expires, message))
