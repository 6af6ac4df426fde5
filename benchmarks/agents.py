"""People who each play one seat as page and person do: they think, press what is shown, and reconnect."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from random import Random

from websockets.exceptions import WebSocketException

from benchmarks.players import Screen

ASKED, TAKE_BACK = 'id="vote-bot"', 'id="take-back"'
HANG_UP = 6
"""Seconds after which a page without an answer hangs up, as in static/js/timeout.js."""
RECONNECT, RECONNECT_MOST, JITTER = 1.0, 5.0, 0.9
"""Seconds until a page dials again, as in templates/base.html."""
NORMAL_CLOSURE, OWN_CODES, TRY_LATER = 1000, 4000, 4013


class Agent:
    """``await agent.stay()`` plays until it is cancelled.

    ``answer``: what to say when asked how to go on. Somebody who ``presses`` nothing only looks on.
    """

    def __init__(
        self, site: str, slug: str, session: str, chance: Random, *, thinks: tuple[float, float], answer: str = ""
    ) -> None:
        self.site, self.slug, self.session, self.chance = site, slug, session, chance
        self.thinks, self.answer, self.presses = thinks, answer, True
        self.screen = Screen(site, slug, session)
        self.connections = 0
        self.is_closed_for_good = False
        self.refusals: list[str] = []
        self.saw: list[tuple[float, int]] = []
        """When (``time.perf_counter``) the page was seen to show a newer version, and which."""
        self.moves = 0

    async def stay(self) -> None:
        """Play until cancelled or closed for good."""
        attempt = 0
        while not self.is_closed_for_good:
            self.screen = screen = Screen(self.site, self.slug, self.session)
            with suppress(OSError, TimeoutError, WebSocketException):
                await screen.open()
                attempt, self.connections = 0, self.connections + 1
                await self.use(screen)
            code = screen.socket.close_code or 0 if screen.socket else 0
            self.is_closed_for_good = code == NORMAL_CLOSURE or (code >= OWN_CODES and code != TRY_LATER)
            delay = min(RECONNECT * 2**attempt, RECONNECT_MOST)
            attempt += 1
            await asyncio.sleep(delay * self.chance.uniform(1 - JITTER, 1 + JITTER))

    def break_off(self) -> None:
        """Lose the connection without a word."""
        if self.screen.socket is not None:
            self.screen.socket.transport.abort()

    async def use(self, screen: Screen) -> None:
        beating = asyncio.create_task(screen.beat(self.chance))
        try:
            while screen.connected:
                await self.act(screen)
        finally:
            beating.cancel()
            await screen.close()

    async def act(self, screen: Screen) -> None:
        """Think about what is shown and press a button, or wait for another frame."""
        self.note(screen)
        press, shown = self.wanted(screen), screen.newest
        if press is None:
            await self.until(screen, lambda: screen.newest is not shown or self.wanted(screen))
            return
        if press != self.take_back:
            await asyncio.sleep(self.chance.uniform(*self.thinks))
        if press == self.wanted(screen):
            await press(screen)
        if screen.refusals:
            await asyncio.sleep(1)
            screen.look()

    def note(self, screen: Screen) -> None:
        self.refusals += screen.refusals
        screen.refusals.clear()
        if screen.version > (self.saw[-1][1] if self.saw else 0):
            self.saw.append((screen.arrived, screen.version))

    def wanted(self, screen: Screen) -> Callable[[Screen], Awaitable[None]] | None:
        """Return what there is to press."""
        if not self.presses:
            return None
        if screen.moves + screen.tiles:
            return self.move
        if TAKE_BACK in screen.newest:
            return self.take_back
        if screen.may_be_ready:
            return self.be_ready
        if self.answer and ASKED in screen.newest and self.is_unanswered(screen):
            return self.vote
        return None

    def wake(self) -> None:
        """Press again."""
        self.presses = True
        self.screen.changed.set()

    @property
    def can_act(self) -> bool:
        """Whether there is a move to make, or a next round to be ready for."""
        return bool(self.screen.moves or self.screen.tiles or self.screen.may_be_ready)

    def is_unanswered(self, screen: Screen) -> bool:
        own = screen.newest.partition(f'id="vote-{self.answer}"')[2].partition(">")[0]
        return bool(own) and "aria-pressed" not in own

    async def move(self, screen: Screen) -> None:
        version, move = screen.version, self.chance.choice(screen.moves + screen.tiles)
        if move in screen.tiles:
            await self.send(screen, {"type": "choose", "tile": move})
            await self.until(screen, lambda: screen.places or screen.version > version or screen.refusals)
            move = self.chance.choice(screen.places or [move])
        screen.moves = screen.tiles = []
        await self.send(screen, {"type": "move", "move": move, "v": version})
        await self.until(screen, lambda: screen.version > version or screen.refusals)
        self.moves += screen.version > version

    async def be_ready(self, screen: Screen) -> None:
        await self.press(screen, {"type": "ready", "v": screen.version})

    async def take_back(self, screen: Screen) -> None:
        await self.be_ready(screen)

    async def vote(self, screen: Screen) -> None:
        await self.press(screen, {"type": "vote", "vote": self.answer, "v": screen.version})

    async def press(self, screen: Screen, message: Mapping[str, object]) -> None:
        """Send, and wait for what comes of it."""
        shown = screen.newest
        await self.send(screen, message)
        await self.until(screen, lambda: screen.newest is not shown or screen.refusals)

    async def send(self, screen: Screen, message: Mapping[str, object]) -> None:
        frames = screen.frames
        await screen.send(message)

        def hang_up() -> None:
            if screen.frames == frames and screen.socket is not None:
                screen.socket.transport.abort()

        asyncio.get_running_loop().call_later(HANG_UP, hang_up)

    async def until(self, screen: Screen, condition: Callable[[], object]) -> None:
        """Wait for frames until the condition holds or the connection is lost."""
        while screen.connected and not condition():
            screen.changed.clear()
            await screen.changed.wait()
