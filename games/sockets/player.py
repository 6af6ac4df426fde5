"""What a player, or anybody who writes in the chat, does through the socket of a table."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from prometheus_client import Counter, Histogram

from games.broadcast.database_threads import in_database
from games.chat import posting
from games.errors import Refused
from games.fair_dealing import nonces
from games.services import absence, inbound, play, rematch
from games.services.moves import MoveRequest, MoveResult
from games.sockets.base import Handler
from games.sockets.move_queue import move_queue
from games.sockets.seated import SeatedSocket
from infrastructure.limits import limits

NOTHING_NEW = ""  # the update for a browser that shows everything
MOVE_SECONDS = Histogram("dominoes_move_frame_seconds", "From the frame that brings a move to the frame that shows it")
RESYNCS = Counter("dominoes_resyncs_total", "Views sent because one had been missed, by what found out", ["by"])
# Refusals of a nonce which only mean that the match has started meanwhile.
TOO_LATE = ("not_open", "starting")


class ChosenTile(NamedTuple):
    """The tile whose places are shown, as long as the match has this version."""

    tile: str
    version: int


NO_TILE_CHOSEN = ChosenTile("", 0)


class PlayerSocket(SeatedSocket):
    """The acts of a player. Its subclass knows what the browser shows."""

    choice = NO_TILE_CHOSEN
    awaits_move = False  # it is handling a move and does nothing but wait for the move queue

    def handlers(self) -> Mapping[str, Handler]:
        acts = (self.move, self.ready, self.vote, self.nonce, self.rematch, self.chat, self.mute)
        return {handler.__name__: handler for handler in acts}

    async def move(self, data: Mapping[str, Any]) -> None:
        began = time.perf_counter()
        move, version = inbound.move_of(data)
        user_id = await self.require_seat()
        self.choice = NO_TILE_CHOSEN
        self.awaits_move = True
        try:
            answer = await move_queue().make(MoveRequest(self.match_id, version, move, user_id))
        finally:
            self.awaits_move = False
        if isinstance(answer, MoveResult):
            # The announcement may come later, through Redis.
            await self.show(answer.revision)
            MOVE_SECONDS.observe(time.perf_counter() - began)
            return
        if answer.code == "stale":
            RESYNCS.labels("stale").inc()
            self.forget()
            await self.show(await self.renew())
        await self.refuse(answer)

    async def ready(self, data: Mapping[str, Any]) -> None:
        await in_database(play.ready, match_id=self.match_id, user_id=await self.require_seat())

    async def vote(self, data: Mapping[str, Any]) -> None:
        """Vote how to continue without an absent player."""
        user_id, choice = await self.require_seat(), inbound.vote_of(data)
        await in_database(absence.vote, match_id=self.match_id, user_id=user_id, choice=choice)

    async def rematch(self, data: Mapping[str, Any]) -> None:
        """Offer a rematch or answer one. The browser gets an answer even if nothing changes."""
        await self.require_seat()
        if limits.wait("tables", address=self.address, account=self.user_id):
            raise Refused("too_fast")
        no = inbound.says_no(data)
        await in_database(rematch.answer, match=self.match, by=self.user, no=no, address=self.address)
        await self.tell(NOTHING_NEW)

    async def nonce(self, data: Mapping[str, Any]) -> None:
        """Add to the shuffle. The page does this by itself, so a late nonce is not reported."""
        commitment, nonce = inbound.nonce_of(data)
        user_id = await self.require_seat()
        try:
            await in_database(nonces.give, match_id=self.match_id, user_id=user_id, commitment=commitment, nonce=nonce)
        except Refused as refused:
            if refused.code not in TOO_LATE:
                raise

    async def chat(self, data: Mapping[str, Any]) -> None:
        line = inbound.line_of(data)
        if self.user_id is None:
            raise Refused("no_name")
        await in_database(posting.post_message, match=self.match, user=self.user, **line)

    async def mute(self, data: Mapping[str, Any]) -> None:
        """Hide the chats of this table on all pages of the person, or show them again."""
        if self.user_id is None:
            raise Refused("no_name")
        muted = inbound.mutes(data)
        await in_database(posting.mute_table, match=self.match, user_id=self.user_id, muted=muted)
        await self.user_blocks({})

    # What the subclass fills in.

    async def show(self, revision: int) -> None:
        """Send the newest view that this viewer may have; the table has at least this revision."""
        raise NotImplementedError

    def forget(self) -> None:
        """Send everything with the next update."""
        raise NotImplementedError

    async def user_blocks(self, message: dict[str, Any]) -> None:
        """Act on a change of what this person may see or gets of the chats."""
        raise NotImplementedError
