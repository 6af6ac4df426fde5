"""The channel layer of one process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any

from channels.layers import InMemoryChannelLayer

SWEEP_SECONDS = 5
AT_ONCE = 16
"""Members of a large group that are told together: about 2 ms of work."""
BREATH = 0.001
"""Seconds before each of these, in which others get their turn: other sockets, the database's threads."""
PATIENCE = 0.02
"""Seconds that they wait for moves at most, each time: on a busy site there is always one."""


class MovesFirst:
    """Large groups wait while moves are being made; ``with moves_first`` makes one."""

    under_way = 0

    def __enter__(self) -> None:
        self.under_way += 1

    def __exit__(self, *_exc: object) -> None:
        self.under_way -= 1

    async def give_way(self) -> None:
        """Let everybody else work for a moment, and players until their moves are made."""
        until = time.monotonic() + PATIENCE
        await asyncio.sleep(BREATH)
        while self.under_way and time.monotonic() < until:
            await asyncio.sleep(BREATH)


moves_first = MovesFirst()


async def in_turn(members: Sequence[str], tell: Callable[[str], None]) -> None:
    """Tell the members of a group: a few at once, many in small parts. A thousand at once would stop every table."""
    for number, member in enumerate(members):
        if len(members) > AT_ONCE and number % AT_ONCE == 0:
            await moves_first.give_way()
        tell(member)


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

        def tell(channel: str) -> None:
            queue = self.channels.setdefault(channel, asyncio.Queue(maxsize=self.capacity))
            if not queue.full():  # a member that far behind reads the newest state once it wakes up
                queue.put_nowait((expires, message))

        await in_turn(list(self.groups.get(group, ())), tell)
