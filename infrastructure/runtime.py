"""The state of one process of the site: its name, its event loop, and one of each cache, queue and pool.

A module declares such an object beside the code that uses it (``_states = PerProcess(States)``) and gets it by a call
(``_states()``). All of them belong to one ``Runtime``, so a test that replaces it starts with empty ones.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

Kept = TypeVar("Kept")


class Runtime:
    """The state of a process. There is always a current one, made when the process starts."""

    current: ClassVar[Runtime]

    def __init__(self) -> None:
        self.process = secrets.token_hex(8)
        """The name of this process among all that serve the site."""
        self.loop: asyncio.AbstractEventLoop | None = None
        """The event loop of the sockets and of the clock, once it runs."""
        self.kept: dict[PerProcess[Any], Any] = {}

    def attach(self) -> None:
        """Make the running event loop the one of the process."""
        self.loop = asyncio.get_running_loop()


Runtime.current = Runtime()


class PerProcess(Generic[Kept]):
    """An object of which each process has one, made on first use."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], Kept]) -> None:
        self.make = make

    def __call__(self) -> Kept:
        kept = Runtime.current.kept
        try:
            value: Kept = kept[self]
        except KeyError:  # several threads may ask at once: the first object is kept
            value = kept.setdefault(self, self.make())
        return value
