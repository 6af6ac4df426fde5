"""The state of one server process: its name, its event loop, and its caches, queues and pools.

A module declares such an object where it is used: ``_states = PerProcess(States)``. Calling it (``_states()``) returns
the object of this process. All objects are stored in one ``Runtime``; tests replace it to start with empty objects.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

Value = TypeVar("Value")


class Runtime:
    """The state of a process. There is always a current one, made when the process starts."""

    current: ClassVar[Runtime]

    def __init__(self) -> None:
        self.process_name = secrets.token_hex(8)  # distinguishes the processes of the site
        self.loop: asyncio.AbstractEventLoop | None = None  # runs the sockets and the scheduler; None until it starts
        self.objects: dict[PerProcess[Any], Any] = {}

    def attach_loop(self) -> None:
        """Store the running event loop as the loop of this process."""
        self.loop = asyncio.get_running_loop()


Runtime.current = Runtime()


class PerProcess(Generic[Value]):
    """An object that each process creates once, on first use."""

    __slots__ = ("factory",)

    def __init__(self, factory: Callable[[], Value]) -> None:
        self.factory = factory

    def __call__(self) -> Value:
        objects = Runtime.current.objects
        try:
            value: Value = objects[self]
        except KeyError:  # if several threads get here at once, the first object is kept
            value = objects.setdefault(self, self.factory())
        return value
