"""What sockets of this process hear of a match together, at once and over one channel in the place of all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from channels.layers import get_channel_layer

from games.broadcast import groups

Listener = TypeVar("Listener")
Gathered = TypeVar("Gathered", bound="Listeners[Any]")


class Listeners(Generic[Listener]):
    """The sockets that hear of one match as its spectators do. It is in the groups of the match in their place."""

    def __init__(self, match_id: int, slug: str) -> None:
        self.match_id = match_id
        self.groups = groups.match_group(slug), groups.delayed_group(slug)
        self.sockets: dict[Listener, None] = {}
        self.layer: Any = get_channel_layer()
        self.channel = ""

    async def enter(self, socket: Listener) -> None:
        """Add a socket. Returns when announcements reach it: the groups may still be joined for another one."""
        self.sockets[socket] = None
        if not self.channel:
            self.channel = await self.layer.new_channel()
            self.layer.listen(self.channel, lambda message: self.hear(message.get("revision", 0)))
        for group in self.groups:
            await self.layer.group_add(group, self.channel)

    def leave(self, socket: Listener) -> None:
        self.sockets.pop(socket, None)

    def close(self) -> None:
        self.layer.forget(self.channel)

    def hear(self, revision: int) -> None:
        """Act on an announcement: the table is at least at this revision."""
        raise NotImplementedError


class ByMatch(Generic[Gathered, Listener]):
    """The listeners at each match to which some socket of this process listens."""

    def __init__(self, make: Callable[[int, str], Gathered]) -> None:
        self.make = make
        self.gathered: dict[int, Gathered] = {}

    async def enter(self, match_id: int, slug: str, socket: Listener) -> Gathered:
        """Have a socket told what happens at a match, until it leaves."""
        if (listeners := self.gathered.get(match_id)) is None:
            listeners = self.gathered[match_id] = self.make(match_id, slug)
        await listeners.enter(socket)
        return listeners

    def leave(self, match_id: int, socket: Listener) -> None:
        """Have it told no more."""
        if (listeners := self.gathered.get(match_id)) is None:
            return
        listeners.leave(socket)
        if not listeners.sockets:
            self.gathered.pop(match_id).close()
