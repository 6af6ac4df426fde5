"""The state of one process of the site: its name, its event loop, and one of each cache, queue and pool.

A module declares such an object next to the code that uses it (``_states = PerProcess(States)``) and gets it by a call
(``_states()``). All of them belong to one ``Runtime``, so a test that replaces it starts with empty ones.
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
        self.process_name = secrets.token_hex(8)  # the name of this process among all of the site
        self.loop: asyncio.AbstractEventLoop | None = None  # of the sockets and the clock, once it runs
        self.objects: dict[PerProcess[Any], Any] = {}

    def attach_loop(self) -> None:
        """Make the running event loop the one of the process."""
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
        except KeyError:  # several threads may get here at once: the first object stays
            value = objects.setdefault(self, self.factory())
        return value
