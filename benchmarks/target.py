"""What all attackers have in common: the site they attack, the answers they get, and their sockets."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from benchmarks.wire import CLOSE, CUT, CUT_OFF, Line

READY_SECONDS = 0.2  # between two messages, which is what the site allows a socket


@dataclass
class Target:
    """Where an attack goes to, from which addresses, how large it is and how many seconds a lasting one lasts."""

    port: int
    slug: str
    sources: Sequence[str]
    count: int
    seconds: float
    answers: Counter[str] = field(default_factory=Counter)

    @property
    def site(self) -> str:
        return f"localhost:{self.port}"

    def note(self, status: int) -> None:
        self.answers["cut" if status == CUT else str(status)] += 1

    @asynccontextmanager
    async def line(self, source: str) -> AsyncIterator[Line | None]:
        """Open a connection, None if that is refused."""
        try:
            line = await Line.open(self.port, source)
        except OSError:
            self.note(CUT)
            yield None
            return
        try:
            yield line
        finally:
            line.close()


async def until_end(target: Target, attack: Callable[[Target], Awaitable[None]]) -> None:
    """Let ``count`` attackers begin again and again until the time is over."""

    async def again_and_again() -> None:
        while True:
            await attack(target)

    with suppress(TimeoutError):
        async with asyncio.timeout(target.seconds):
            await asyncio.gather(*(again_and_again() for _ in range(target.count)))


@asynccontextmanager
async def open_socket(target: Target) -> AsyncIterator[Line | None]:
    """Open a socket, None if the site refuses."""
    async with target.line(target.sources[0]) as line:
        headers = {"Host": target.site, "Origin": f"http://{target.site}"}
        status = await line.upgrade(f"/ws/match/{target.slug}/", headers) if line else CUT
        if line:
            target.note(status)
        yield line if status == 101 else None


async def read(target: Target, line: Line) -> None:
    """Read what comes, and note the code with which the site closes."""
    with suppress(*CUT_OFF):
        while True:
            opcode, payload = await line.frame()
            if opcode == CLOSE:
                target.note(int.from_bytes(payload[:2]))
                return
    target.note(CUT)
