"""The socket of the lobby, which shows the lists of tables as they change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.utils import timezone

from accounts import follows
from games import access
from games.broadcast import announcements
from games.broadcast.database_threads import in_database
from games.lobby import feed as lobby_feed
from games.lobby import open_tables
from games.match.listed import TableLists
from games.match.snapshots import Snapshot
from games.rendering.zones import Zones
from games.sockets import match_broadcasts, shared_frames
from games.sockets.base import Handler
from games.sockets.paced import PacedSocket
from games.tv import socket as featured_match
from games.tv.featured import choose_featured_table, next_choice_at
from games.tv.rendering import no_featured_zones
from games.words import offered_variants


class LobbySocket(PacedSocket):
    """The lists of the lobby: of one game if the address names it, else of all."""

    game = ""
    restricted_viewer_id: int | None = None  # the id of a person who does not see all tables
    followed: frozenset[int] = frozenset()  # the tables of these people come first
    own_tables: frozenset[int] = frozenset()  # the page has a list of its own for them
    lists: Zones | None = None  # the lists that the browser shows
    featured_slug = ""  # the match whose board is shown, "" and 0 for none
    featured_id = 0
    board: Zones | None = None  # the zones of it that the browser shows

    async def on_open(self) -> None:
        query = self.query_parameters()
        game = query.get("game", "")
        self.game, self.featured_slug = game if game in offered_variants() else "", query.get("on", "")
        self.own_tables = await in_database(open_tables.own_table_ids, self.user_id)
        await self.join_groups()
        self.join_presence(announcements.LOBBY_GROUP)
        await self.user_recheck({})

    async def user_recheck(self, message: dict[str, Any]) -> None:
        """Update the lists after a change of blocks by or of this person, or of the people whom they follow."""
        self.restricted_viewer_id = await in_database(access.restricted_viewer_id, self.user)
        self.followed = await in_database(follows.followed_ids, self.user_id)
        await self.send_changes()

    async def user_notices(self, message: dict[str, Any]) -> None:
        """Update the notices of this person."""
        if self.user_id is not None and not self.ended:
            await self.send_update(await in_database(lobby_feed.notices_frame, self.user_id, self.language))

    def on_close(self) -> None:
        super().on_close()
        featured_match.unsubscribe(self.featured_id, self)

    async def layer_back(self, message: dict[str, Any]) -> None:
        await self.lobby_changed(message)

    def all_groups(self) -> list[str]:
        return [*super().all_groups(), announcements.LOBBY_GROUP]

    def handlers(self) -> Mapping[str, Handler]:
        return {"seen": self.on_heartbeat}

    async def lobby_changed(self, message: dict[str, Any]) -> None:
        self.schedule_update()

    async def send_changed_zones(self) -> None:
        """Send the changes. An empty frame would reveal moves in a match with a delay."""
        zones, lists = await lobby_feed.load_rendered_lists(
            self.language, self.game, self.restricted_viewer_id, self.followed, self.own_tables
        )
        before, self.lists = self.lists, zones
        update = self.update(before, zones) + self.board_update(await self.featured_zones(lists))
        if before is None:
            update += self.banner_update()
        if update or before is None:  # the first frame tells the page that its socket works
            await self.send_update(update)

    async def featured_zones(self, lists: TableLists) -> Zones:
        """Subscribe to the featured match and return its zones. It stays the same while it is active."""
        now, before = timezone.now(), self.featured_id
        table = choose_featured_table(lists, now, current_slug=self.featured_slug)
        lobby_feed.wake_lobby_at(next_choice_at(lists, table, now))
        self.featured_slug, self.featured_id = (table.slug, table.match_id) if table else ("", 0)
        if before != self.featured_id:
            featured_match.unsubscribe(before, self)
        if table is not None:
            try:
                return self.board_zones(await featured_match.subscribe(table, self))
            except ObjectDoesNotExist:
                await self.lobby_changed({})
        return no_featured_zones(self.language)

    def can_receive_now(self) -> bool:
        return self.connection.is_open and not self.handling_lock.locked()

    async def show_board(self, snapshot: Snapshot) -> None:
        """Show the match as spectators see it."""
        if not self.ended and (update := self.board_update(self.board_zones(snapshot))):
            await self.send_update(update)

    def board_zones(self, snapshot: Snapshot) -> Zones:
        """Return the zones of the match. The chances to win follow later, since the page does not contain them."""
        shows_chances = self.board is not None and match_broadcasts.may_see_chances(self, snapshot)
        return shared_frames.rendered_match(snapshot).featured_zones(self.language, shows_chances=shows_chances)

    def board_update(self, zones: Zones) -> str:
        """Return the changes to these zones."""
        before, self.board = self.board, zones
        return self.update(before, zones)

    def update(self, before: Zones | None, zones: Zones) -> str:
        """Return what the browser has to replace, the first time what the page did not contain."""
        return zones.update_from_page(self.page_digests) if before is None else zones.update_from(before)
