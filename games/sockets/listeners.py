"""Subscribes the sockets of this process to a match through one channel, which passes announcements on at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from channels.layers import get_channel_layer

from games.broadcast import groups

Listener = TypeVar("Listener")
MatchListeners = TypeVar("MatchListeners", bound="Listeners[Any]")


class Listeners(Generic[Listener]):
    """The sockets that get the announcements of one match, over one channel for all of them."""

    def __init__(self, match_id: int, slug: str) -> None:
        self.match_id = match_id
        self.groups = groups.match_group(slug), groups.delayed_group(slug)
        self.sockets: dict[Listener, None] = {}
        self.layer: Any = get_channel_layer()
        self.channel = ""

    async def subscribe(self, socket: Listener) -> None:
        """Add a socket. Returns once announcements reach it."""
        self.sockets[socket] = None
        if not self.channel:
            self.channel = await self.layer.new_channel()
            self.layer.listen(self.channel, lambda message: self.on_announcement(message.get("revision", 0)))
        for group in self.groups:
            await self.layer.group_add(group, self.channel)

    def unsubscribe(self, socket: Listener) -> None:
        self.sockets.pop(socket, None)

    def close(self) -> None:
        self.layer.forget(self.channel)

    def on_announcement(self, revision: int) -> None:
        """Handle an announcement: the table has at least this revision."""
        raise NotImplementedError


class ListenersByMatch(Generic[MatchListeners, Listener]):
    """The listeners of all matches."""

    def __init__(self, create_listeners: Callable[[int, str], MatchListeners]) -> None:
        self.create_listeners = create_listeners
        self.by_match: dict[int, MatchListeners] = {}

    async def subscribe(self, match_id: int, slug: str, socket: Listener) -> MatchListeners:
        if (listeners := self.by_match.get(match_id)) is None:
            listeners = self.by_match[match_id] = self.create_listeners(match_id, slug)
        await listeners.subscribe(socket)
        return listeners

    def unsubscribe(self, match_id: int, socket: Listener) -> None:
        if (listeners := self.by_match.get(match_id)) is None:
            return
        listeners.unsubscribe(socket)
        if not listeners.sockets:
            self.by_match.pop(match_id).close()
