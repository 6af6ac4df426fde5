"""The socket of the lobby, which shows the lists of tables as they change."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ObjectDoesNotExist

from accounts import follows
from games import access
from games.broadcast import announcements
from games.broadcast.database_threads import in_database
from games.lobby import feed as lobby_feed
from games.match.listed import TableLists
from games.match.snapshots import Snapshot
from games.rendering.changes import Zones
from games.sockets import feed
from games.sockets.base import Handler, Socket
from games.tv import socket as featured_match
from games.tv.featured import featured
from games.tv.rendering import nothing_featured
from games.words import offered

LOBBY_SECONDS = 1.0
"""The lists of the lobby are sent at most this often to a socket."""


class LobbySocket(Socket):
    """The lists of the lobby: of one game if the address names it, else of all."""

    game = ""
    restricted_viewer: int | None = None
    """The id of a person who does not see all tables, otherwise None."""
    followed: frozenset[int] = frozenset()
    """The people whom this one follows: their tables come first."""
    coming: asyncio.Task[None] | None = None
    looked_at = 0.0
    shown = ""
    on = ""
    """The match whose board is shown, ``on_id`` its number in the database; "" and 0 if nobody plays."""
    on_id = 0
    board: Zones | None = None
    """What the browser shows of it."""

    async def opened(self) -> None:
        query = self.query()
        game = query.get("game", "")
        self.game, self.on = game if game in offered() else "", query.get("on", "")
        await self.join()
        self.attend(announcements.LOBBY)
        await self.user_blocks({})

    async def user_blocks(self, message: dict[str, Any]) -> None:
        """A block of this person was made or lifted, or this person follows others than before: the lists change."""
        self.restricted_viewer = await in_database(access.restricted_viewer, self.user)
        self.followed = await in_database(follows.followed_by, self.user_id)
        await self.show()

    async def user_notices(self, message: dict[str, Any]) -> None:
        """This person has to be told something new, or something no longer."""
        if self.user_id is not None and not self.ended:
            await self.tell(await in_database(lobby_feed.notices_frame, self.user_id, self.language))

    def closed(self) -> None:
        super().closed()
        if self.coming:
            self.coming.cancel()
        featured_match.leave(self.on_id, self)

    async def layer_back(self, message: dict[str, Any]) -> None:
        await self.lobby_changed(message)

    def all_groups(self) -> list[str]:
        return [*super().all_groups(), announcements.LOBBY]

    def handlers(self) -> Mapping[str, Handler]:
        return {"seen": self.seen}

    async def seen(self, data: Mapping[str, Any]) -> None:
        if await self.may_stay():
            await self.join()
            self.report(data)

    async def lobby_changed(self, message: dict[str, Any]) -> None:
        if self.coming is None:
            self.coming = asyncio.create_task(self.show_soon())

    async def show_soon(self) -> None:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, self.looked_at + LOBBY_SECONDS - loop.time()))
        self.coming = None
        await self.dispatch({"type": "lobby.due"})

    async def lobby_due(self, message: dict[str, Any]) -> None:
        await self.show()

    async def show(self) -> None:
        """Send what changed. A frame without news would reveal moves in a match with a delay."""
        self.looked_at = asyncio.get_running_loop().time()
        if self.ended:
            return
        text, lists = await lobby_feed.frame(self.language, self.game, self.restricted_viewer, self.followed)
        news = "" if text == self.shown else text
        self.shown = text
        if news := news + self.news_of(await self.featured_zones(lists)):
            await self.tell(news)

    async def featured_zones(self, lists: TableLists) -> Zones:
        """Return what shows the match most worth watching, and hear of it; stay with it while it is played."""
        table, before = featured(lists, keep=self.on), self.on_id
        self.on, self.on_id = (table.slug, table.match_id) if table else ("", 0)
        if before != self.on_id:
            featured_match.leave(before, self)
        if table is not None:
            try:
                return feed.rendered(await featured_match.enter(table, self)).featured(self.language)
            except ObjectDoesNotExist:
                await self.lobby_changed({})
        return nothing_featured(self.language)

    def can_be_told(self) -> bool:
        return self.line.is_open and not self.handling.locked()

    async def show_board(self, found: Snapshot) -> None:
        """Show the match as spectators see it."""
        if not self.ended and (news := self.news_of(feed.rendered(found).featured(self.language))):
            await self.tell(news)

    def news_of(self, zones: Zones) -> str:
        """Return what the browser lacks of these zones."""
        before, self.board = self.board, zones
        return zones.since(before)
