"""Single flight: callers that want the same value at the same time share one read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

MAX_READS = 200

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class SharedRead(Generic[Value]):
    """A read, and the token for which it was started."""

    task: asyncio.Task[Value]
    token: str

    def can_serve(self, token: str) -> bool:
        """Return whether this read can be shared: while it runs, or with a token after it succeeded."""
        if not self.task.done():
            return token == self.token
        return bool(token) and token == self.token and not self.task.cancelled() and self.task.exception() is None


class SingleFlight(Generic[Key, Value]):
    """The running reads by key, and the last ones started with a token.

    A token stands for one occasion, such as an announcement: the read of its first receiver serves all receivers.
    Without a token a read is shared only while it runs.
    """

    def __init__(self) -> None:
        self.reads: dict[Key, SharedRead[Value]] = {}

    async def join(self, key: Key, read: Callable[[], Coroutine[Any, Any, Value]], token: str = "") -> Value:
        """Return the value of a read that can be shared, or start this one."""
        shared_read = self.reads.get(key)
        if shared_read is None or not shared_read.can_serve(token):
            shared_read = self._start_read(key, read, token)
        # The caller that started it may be cancelled while others still wait.
        return await asyncio.shield(shared_read.task)

    async def read_fresh(self, key: Key, read: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
        """Return the value of a read that starts after this call. Callers that wait share it."""
        if (shared_read := self.reads.get(key)) is not None and not shared_read.task.done():
            await asyncio.shield(shared_read.task)  # it started before this call
        return await self.join(key, read)

    def stop_sharing(self, key: Key) -> None:
        """Let the next caller start a new read."""
        self.reads.pop(key, None)

    def _start_read(self, key: Key, read: Callable[[], Coroutine[Any, Any, Value]], token: str) -> SharedRead[Value]:
        self.reads.pop(key, None)
        shared_read = self.reads[key] = SharedRead(asyncio.create_task(read()), token)
        if not token:
            shared_read.task.add_done_callback(partial(self._remove_finished, key))
        elif len(self.reads) > MAX_READS:
            del self.reads[next(iter(self.reads))]
        return shared_read

    def _remove_finished(self, key: Key, task: asyncio.Task[Value]) -> None:
        if (shared_read := self.reads.get(key)) is not None and shared_read.task is task:
            del self.reads[key]
