"""Single flight: callers that want the same value at the same time share one read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

MAX_FLIGHTS = 200

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Flight(Generic[Value]):
    """A read, and the token for which it was started."""

    task: asyncio.Task[Value]
    token: str

    def serves(self, token: str) -> bool:
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
        self.flights: dict[Key, Flight[Value]] = {}

    async def join(self, key: Key, read: Callable[[], Coroutine[Any, Any, Value]], token: str = "") -> Value:
        """Return the value of a read that can be shared, or start this one."""
        flight = self.flights.get(key)
        if flight is None or not flight.serves(token):
            flight = self._begin(key, read, token)
        # The caller that started it may be cancelled while others still wait.
        return await asyncio.shield(flight.task)

    async def fresh(self, key: Key, read: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
        """Return the value of a read that starts after this call. Callers that wait share it."""
        if (flight := self.flights.get(key)) is not None and not flight.task.done():
            await asyncio.shield(flight.task)  # it started before this call
        return await self.join(key, read)

    def close(self, key: Key) -> None:
        """Stop sharing a read."""
        self.flights.pop(key, None)

    def _begin(self, key: Key, read: Callable[[], Coroutine[Any, Any, Value]], token: str) -> Flight[Value]:
        self.flights.pop(key, None)
        flight = self.flights[key] = Flight(asyncio.create_task(read()), token)
        if not token:
            flight.task.add_done_callback(partial(self._land, key))
        elif len(self.flights) > MAX_FLIGHTS:
            del self.flights[next(iter(self.flights))]
        return flight

    def _land(self, key: Key, task: asyncio.Task[Value]) -> None:
        if (flight := self.flights.get(key)) is not None and flight.task is task:
            del self.flights[key]
