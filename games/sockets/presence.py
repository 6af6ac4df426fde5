"""The sockets of this process at the tables: who watches through them, and what all of them show of the crowd.

Nothing is done for each who comes or goes. Every two seconds the process counts, tells and asks in one go, and sends
a small frame to the sockets for which the crowd is another one. So a thousand who come at once are one change.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import structlog
from django.utils import timezone

from accounts.selectors import hiding_watchers
from games.broadcast.database_threads import in_database
from games.broadcast.memory_layer import AT_ONCE, moves_first
from games.rendering.crowd import crowd_frame
from games.services import crowd
from games.spectators.counts import NOBODY, Browser, Watchers, visitors, watchers
from infrastructure.outages import is_outage
from infrastructure.runtime import PerProcess, Runtime

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

log = structlog.get_logger()
SECONDS = 2.0


class Socket(Protocol):
    """A socket of a table. Who has no seat there watches."""

    match_id: int
    user: User | AnonymousUser
    user_id: int | None
    browser: Browser
    language: str
    seated: bool

    async def send(self, text_data: str) -> None: ...


@dataclass(eq=False, slots=True)
class Window:
    """A socket, what it shows of the crowd, and the frame that is on its way."""

    socket: Socket
    shown: Watchers | None = None
    sending: asyncio.Task[None] | None = None

    @property
    def waits(self) -> bool:
        """Tell whether the browser has not taken the frame before: it gets the newest later."""
        return self.sending is not None and not self.sending.done()

    async def send(self, text: str) -> None:
        try:
            await self.socket.send(text_data=text)
        except Exception as error:  # it has just been closed
            log.info("crowd_not_shown", error=repr(error))


class Turnstile:
    """One a process; ``process`` names it among all of them."""

    def __init__(self, process: str = "") -> None:
        self.process = process or Runtime.current.process
        self.windows: dict[int, dict[Socket, Window]] = {}
        self.crowds: dict[int, Watchers] = {}
        self.work: asyncio.Task[None] | None = None

    def enter(self, socket: Socket) -> None:
        """Count a socket from now on, and show it the crowd."""
        self.windows.setdefault(socket.match_id, {})[socket] = Window(socket)
        if self.work is None or self.work.done():
            self.work = asyncio.create_task(self.run())

    def leave(self, socket: Socket) -> None:
        """Count a socket no more, if it was."""
        windows = self.windows.get(socket.match_id, {})
        windows.pop(socket, None)
        if not windows:
            self.windows.pop(socket.match_id, None)

    async def run(self) -> None:
        """Work as long as somebody is here, and once more to say that nobody is."""
        while True:
            await asyncio.sleep(SECONDS)
            try:
                await self.turn()
            except Exception as error:
                if not is_outage(error):
                    log.exception("crowd_not_counted")
            else:
                if not self.windows:
                    return

    async def turn(self) -> None:
        """Count, tell and ask, and show what changed."""
        here = {match_id: counted(windows) for match_id, windows in self.windows.items()}
        found = await in_database(crowd.exchange, process=self.process, here=here, now=timezone.now())
        before, self.crowds = self.crowds, {match_id: found.get(match_id, NOBODY) for match_id in self.windows}
        # The same object as long as it is the same crowd: so a thousand windows are compared at no cost.
        self.crowds.update({pk: known for pk, known in before.items() if self.crowds.get(pk) == known})
        await self.show()

    async def show(self) -> None:
        """Send the crowd to all who have not been shown it so yet."""
        late = {
            match_id: [each for each in windows.values() if each.shown is not self.crowds[match_id] and not each.waits]
            for match_id, windows in self.windows.items()
            if match_id in self.crowds
        }
        people = {window.socket.user_id for windows in late.values() for window in windows} - {None}
        hiding = await in_database(hiding_watchers, people) if people else frozenset()
        for match_id, windows in late.items():
            await self.show_to(windows, self.crowds[match_id], hiding)

    async def show_to(self, windows: list[Window], crowd: Watchers, hiding: frozenset[int]) -> None:
        frames: dict[tuple[str, bool], str] = {}
        for number, window in enumerate(windows, 1):
            wanted = window.socket.language, window.socket.user_id not in hiding
            if wanted not in frames:
                frames[wanted] = crowd_frame(crowd, wanted[0], named=wanted[1])
            window.shown = crowd
            window.sending = asyncio.create_task(window.send(frames[wanted]))
            if number % AT_ONCE == 0:
                await moves_first().give_way()


def counted(sockets: Iterable[Socket]) -> Watchers:
    """Return who watches through these sockets of one match."""
    watching = [socket for socket in sockets if not socket.seated]
    named = [socket.user for socket in watching if socket.user_id is not None]
    people = [(user.pk, str(user), user.is_guest) for user in named]
    return watchers(people, visitors(socket.browser for socket in watching if socket.user_id is None))


turnstile = PerProcess(Turnstile)
