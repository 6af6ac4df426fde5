"""A bounded cache of the newest value for each match, shared by the threads of a process."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Newest(Generic[Value]):
    """Keeps one (number, value) for each match, never replaces it by a lower number, and drops the oldest entry."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.values: dict[int, tuple[int, Value]] = {}
        self.lock = Lock()

    def get(self, match_id: int) -> tuple[int, Value] | None:
        return self.values.get(match_id)

    def once(self, match_id: int, read: Callable[[], Value]) -> Value:
        """Return what never changes of a match, which is read the first time."""
        if (known := self.get(match_id)) is not None:
            return known[1]
        value = read()
        self.put(match_id, 0, value)
        return value

    def put(self, match_id: int, number: int, value: Value) -> None:
        with self.lock:
            known = self.values.pop(match_id, None)
            if known is not None and known[0] > number:
                number, value = known
            self.values[match_id] = (number, value)
            while len(self.values) > self.limit:
                del self.values[next(iter(self.values))]
