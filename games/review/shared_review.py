"""Who looks at the review of a match together, and who leads the others through it.

Nothing of it is stored. Each process knows whose sockets it holds, and tells the group of the review all of that
whenever it changes, to who comes anew, and now and then; what got lost is mended by what is told next.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import count
from typing import Any

from games.broadcast import announcements
from games.errors import Refused
from games.review.participants import Leader, Name, Shown
from games.spectators.counts import Browser, visitors
from infrastructure.runtime import PerProcess, Runtime

NAMED = 4
"""So many names are shown."""
TOLD = 30
"""So many names a process tells."""
TELL_SECONDS = 0.2
"""A process tells at most this often, the first time at once."""
RENEW_SECONDS = 20
LEASE_SECONDS = 70
"""A process that told nothing for so long is gone."""

_numbers: PerProcess[count[int]] = PerProcess(partial(count, 1))


@dataclass(frozen=True, slots=True)
class Part:
    """What another process told: people by the keys of their accounts, how many more, and who leads there."""

    number: int
    names: Mapping[int, Name]
    others: int
    leader: Leader | None
    until: float


class Company:
    """The company of one review as one process knows it. Its sockets go by the names of their channels."""

    def __init__(self, slug: str, process: str = "") -> None:
        self.slug, self.process = slug, process or Runtime.current.process
        self.here: dict[str, tuple[int | None, Name, Browser]] = {}
        self.parts: dict[str, Part] = {}
        self.leading: tuple[str, Leader] | None = None
        self.shown = Shown()
        self.asks = False
        self.told_at = 0.0
        self.telling: asyncio.Task[None] | None = None

    def come(
        self, channel: str, user_id: int | None, name: str, browser: Browser = ("", ""), *, guest: bool = False
    ) -> None:
        """Somebody opened the page (a visitor has no key). The first one here asks who is elsewhere."""
        self.asks = self.asks or not self.here
        self.here[channel] = (user_id, (name, guest), browser)
        self._settle()

    def go(self, channel: str) -> None:
        self.here.pop(channel, None)
        self.stop(channel)
        self._settle()

    def leads(self, channel: str) -> bool:
        return self.leading is not None and self.leading[0] == channel

    def lead(self, channel: str, at: int, eyes: str) -> None:
        """Begin to lead, or go to another step. Raises Refused ``nameless`` or ``led``."""
        user_id, (name, _guest), _browser = self.here[channel]
        if user_id is None:
            raise Refused("nameless")
        if self.leading is not None and self.leads(channel):
            leader = replace(self.leading[1], at=at, eyes=eyes)
        elif self.shown.leader is None:
            leader = Leader(f"{time.time_ns():x}-{secrets.token_hex(4)}", name, at, eyes)
        else:
            raise Refused("led")
        self.leading = (channel, leader)
        self._settle()

    def stop(self, channel: str) -> None:
        """Lead no longer."""
        if self.leads(channel):
            self.leading = None
            self._settle()

    def message(self) -> dict[str, Any]:
        """Return what this process tells the others."""
        people = self._people()
        named = list(people.items())[:TOLD]
        asks, self.asks = self.asks, False
        return {
            "type": "company.told",
            "process": self.process,
            "number": next(_numbers()),
            "names": [[user_id, *name] for user_id, name in named],
            "others": len(people) - len(named) + self._visitors(),
            "leader": asdict(self.leading[1]) if self.leading else None,
            "asks": asks,
        }

    def hear(self, message: Mapping[str, Any]) -> bool:
        """Learn what a process told, which each socket here brings once; tell whether that wants an answer."""
        process, number = message["process"], message["number"]
        known = self.parts.get(process)
        if process == self.process or (known is not None and known.number >= number):
            return False
        led = self.leading
        leader = Leader(**message["leader"]) if message["leader"] else None
        # A process of the version before tells only names.
        names = {user_id: (name, any(guest)) for user_id, name, *guest in message["names"]}
        until = time.monotonic() + LEASE_SECONDS
        self.parts[process] = Part(number, names, message["others"], leader, until)
        self._settle()
        return bool(message["asks"]) or led != self.leading

    def forget_silent(self) -> None:
        """Forget the processes that are gone."""
        now = time.monotonic()
        self.parts = {process: part for process, part in self.parts.items() if part.until > now}
        self._settle()

    def tell(self, *, unless_lately: bool = False) -> None:
        """Tell the group soon, this process's own sockets among it."""
        lately = time.monotonic() - self.told_at < RENEW_SECONDS
        if self.telling is None and not (unless_lately and lately):
            self.telling = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        await asyncio.sleep(self.told_at + TELL_SECONDS - time.monotonic())
        self.telling, self.told_at = None, time.monotonic()
        if not self.here:
            _forget(self)
        announcements.tell_review(self.slug, self.message())

    def _people(self) -> dict[int, Name]:
        return {user_id: name for user_id, name, _browser in self.here.values() if user_id is not None}

    def _visitors(self) -> int:
        return visitors(browser for user_id, _name, browser in self.here.values() if user_id is None)

    def _settle(self) -> None:
        """Work out what is shown, the same in every process. Who began to lead a moment too late leads no longer."""
        leaders = [part.leader for part in self.parts.values() if part.leader]
        if self.leading:
            leaders.append(self.leading[1])
        leader = min(leaders, key=lambda each: each.key, default=None)
        if self.leading and self.leading[1] is not leader:
            self.leading = None
        people = self._people()
        for part in self.parts.values():
            people |= part.names
        names = sorted(people.values(), key=lambda named: named[0].casefold())
        others = self._visitors() + sum(part.others for part in self.parts.values())
        before = self.shown.leader.name if self.shown.leader else self.shown.former
        shown = Shown(tuple(names[:NAMED]), len(names[NAMED:]) + others, leader, "" if leader else before)
        if shown != self.shown:
            self.shown = shown


_companies: PerProcess[dict[str, Company]] = PerProcess(dict)


def of(slug: str) -> Company:
    """Return the company of the review of a match, as this process knows it."""
    return _companies().setdefault(slug, Company(slug))


def _forget(left: Company) -> None:
    """Forget a company of whom nobody is here any more."""
    companies = _companies()
    if companies.get(left.slug) is left:
        del companies[left.slug]
