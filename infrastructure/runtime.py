"""What one process of the site keeps while it runs: its name, its event loop, and one of each cache, queue and pool.

A module declares what it wants kept beside the code that uses it (``_states = PerProcess(States)``) and gets it by
a call (``_states()``). Everything hangs on one object, so that a test which replaces that begins with nothing kept.
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
        """Take the running event loop for that of the process."""
        self.loop = asyncio.get_running_loop()


Runtime.current = Runtime()


class PerProcess(Generic[Kept]):
    """Something of which a process keeps one, made when it is first asked for."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], Kept]) -> None:
        self.make = make

    def __call__(self) -> Kept:
        kept = Runtime.current.kept
        try:
            value: Kept = kept[self]
        except KeyError:  # several threads may ask at once: the first one's is kept
            value = kept.setdefault(self, self.make())
        return value
