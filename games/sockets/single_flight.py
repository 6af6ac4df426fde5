"""One read for all who want the same at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

MOST_KEPT = 200

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Flight(Generic[Value]):
    """A read, and the token of those for whom it was begun."""

    task: asyncio.Task[Value]
    token: str

    def serves(self, token: str) -> bool:
        """Return whether it is worth waiting for: a token makes a finished read good enough, unless it failed."""
        if not self.task.done():
            return token == self.token
        return bool(token) and token == self.token and not self.task.cancelled() and self.task.exception() is None


class SingleFlight(Generic[Key, Value]):
    """Reads that run, by what is read, and the last ones that were begun with a token.

    A token stands for one occasion, such as an announcement: what was read for the first who learned of it is true
    enough for all others. Without one a read is shared only while it runs.
    """

    def __init__(self) -> None:
        self.flights: dict[Key, Flight[Value]] = {}

    async def join(self, key: Key, read: Callable[[], Coroutine[Any, Any, Value]], token: str = "") -> Value:
        """Return what the shared read brings, or else this one."""
        flight = self.flights.get(key)
        if flight is None or not flight.serves(token):
            flight = self._begin(key, read, token)
        # Whoever began it may go away while others still wait.
        return await asyncio.shield(flight.task)

    async def fresh(self, key: Key, read: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
        """Return what is read after this question, however many ask: one read after the other."""
        if (flight := self.flights.get(key)) is not None and not flight.task.done():
            await asyncio.shield(flight.task)  # it began before the question
        return await self.join(key, read)

    def close(self, key: Key) -> None:
        """Let nobody join a read any more."""
        self.flights.pop(key, None)

    def _begin(self, key: Key, read: Callable[[], Coroutine[Any, Any, Value]], token: str) -> Flight[Value]:
        self.flights.pop(key, None)
        flight = self.flights[key] = Flight(asyncio.create_task(read()), token)
        if not token:
            flight.task.add_done_callback(partial(self._land, key))
        elif len(self.flights) > MOST_KEPT:
            del self.flights[next(iter(self.flights))]
        return flight

    def _land(self, key: Key, task: asyncio.Task[Value]) -> None:
        if (flight := self.flights.get(key)) is not None and flight.task is task:
            del self.flights[key]
