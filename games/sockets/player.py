"""The acts on the socket of a table: the lease of the seat, moves, votes, rematches and chat."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.http import Http404
from django.utils import timezone
from prometheus_client import Counter, Histogram

from games.broadcast.database_threads import in_database
from games.chat import posting
from games.enums import UNFINISHED_STATUSES
from games.errors import Refused
from games.fair_dealing import nonces
from games.presence import leases
from games.presence.lost_connections import lost_connections
from games.presence.pages import pages
from games.rendering.clock import with_server_time
from games.services import absence, heartbeats, inbound, play, rematch
from games.services.downtime import RECONNECT_GRACE
from games.services.heartbeats import AdmissionInputs, HeartbeatResult, PageHeartbeat
from games.services.moves import MoveRequest, MoveResult
from games.sockets import match_reads
from games.sockets.base import Handler, Socket
from games.sockets.consumer import CloseCode
from games.sockets.move_queue import move_queue
from infrastructure.limits import limits

NOTHING_NEW = ""  # the update for a browser that shows everything
MOVE_SECONDS = Histogram("dominoes_move_frame_seconds", "From the frame that brings a move to the frame that shows it")
RESYNCS = Counter("dominoes_resyncs_total", "Frames sent after one was missed, by the way this was noticed", ["by"])
for cause in ("layer", "heartbeat", "stale"):
    RESYNCS.labels(cause)
# Refusals of a nonce which only mean that the match has started in the meantime.
LATE_NONCE_CODES = ("not_open", "starting")


class ChosenTile(NamedTuple):
    """The tile whose places are shown while the match has this version."""

    tile: str
    version: int


NO_TILE_CHOSEN = ChosenTile("", 0)


class PlayerSocket(Socket):
    """Handles the acts of players, and of anybody who writes in the chat. A subclass keeps the browser up to date."""

    match: Any  # its model would bring the secret within reach (tests/import_rules.py)
    admission_inputs: AdmissionInputs = ()  # of the last admission of the page
    lease_renewed_at: datetime | None = None  # by any page of this person in this process
    chosen_tile = NO_TILE_CHOSEN
    has_move_in_queue = False  # it is handling a move and waits for the move queue

    async def send_update(self, text: str) -> None:
        await super().send_update(with_server_time(text))

    def on_connection_lost(self) -> None:
        if self.seated and self.user_id is not None:
            lost_connections().add(self.address, self.user_id, timezone.now())

    async def renew_lease(self) -> int:
        """Renew the lease of the seat, if there is one, and return the current revision of the table."""
        if self.seated and self.user_id is not None:
            self.connection.ping_browser()
            self.lease_renewed_at = now = timezone.now()
            lag_ms = self.connection.lag_ms
            await in_database(leases.renew_lease, match_id=self.match_id, user_id=self.user_id, now=now, lag_ms=lag_ms)
        return (await match_reads.newest_snapshot(self.match_id)).table.revision

    async def handle_heartbeat(self) -> HeartbeatResult:
        """Handle the heartbeat of a person, and close for good if they may not stay."""
        now = timezone.now()
        if self.seated:
            self.connection.ping_browser()
            self.lease_renewed_at = now
        heartbeat = PageHeartbeat(
            self.user,
            self.slug,
            self.match_id,
            self.scope["cookies"],
            is_seated=self.seated,
            admission_inputs=self.admission_inputs,
            lag_ms=self.connection.lag_ms,
        )
        result = HeartbeatResult()
        try:
            result = await in_database(heartbeats.handle_heartbeat, heartbeat, now=now)
        except Refused as refused:
            await self.close_with_reason(refused, CloseCode.ENDED)
        except Http404:
            await self.close_with_reason(Refused("no_table"), CloseCode.NO_TABLE)
        self.admission_inputs = result.admission_inputs
        return result

    async def is_at_play(self) -> bool:
        status = (await match_reads.newest_snapshot(self.match_id)).table.status
        return self.seated and status in UNFINISHED_STATUSES

    async def page_closed(self, message: dict[str, Any]) -> None:
        """Renew the lease after the person closed a page of this match at another process: this one is still open."""
        if self.seated and message["match"] == self.match_id:
            await self.renew_lease()

    async def on_disconnect(self) -> None:
        """Release the lease, unless the person has another page of the match open here.

        When many sockets are lost at once, the release takes effect after the time to reconnect.
        """
        if not self.seated or self.user_id is None or self.lease_renewed_at is None:
            return
        other_pages = [page for page in self.pages_of_person() if page is not self]
        for page in other_pages:
            page.lease_renewed_at = max(page.lease_renewed_at or self.lease_renewed_at, self.lease_renewed_at)
        if not other_pages:
            match_id, user_id, renewed_at = self.match_id, self.user_id, self.lease_renewed_at
            now = timezone.now()
            now += RECONNECT_GRACE if lost_connections().mass_loss_since(now) else timedelta()
            await in_database(
                leases.release_seat_lease, match_id=match_id, user_id=user_id, renewed_at=renewed_at, now=now
            )

    def pages_of_person(self) -> list[PlayerSocket]:
        """Return the sockets of the person at this match in this process."""
        sockets = (page for page in pages().pages_at(self.place) if isinstance(page, PlayerSocket))
        return [socket for socket in sockets if socket.user_id == self.user_id]

    async def require_seated_user(self) -> int:
        """Return the id of the seated user. Raises Refused ``not_seated``, from memory: spectators cause no query."""
        user_id = self.user_id
        if user_id is None or (await match_reads.snapshot_at_least(self.match_id, 0)).table.seat_of(user_id) is None:
            raise Refused("not_seated")
        return user_id

    def handlers(self) -> Mapping[str, Handler]:
        return {
            "move": self.make_move,
            "ready": self.mark_ready,
            "vote": self.cast_vote,
            "nonce": self.add_nonce,
            "rematch": self.answer_rematch,
            "chat": self.post_chat_line,
            "mute": self.mute_table,
        }

    async def make_move(self, data: Mapping[str, Any]) -> None:
        started_at = time.perf_counter()
        move, version = inbound.read_move(data)
        user_id = await self.require_seated_user()
        self.chosen_tile = NO_TILE_CHOSEN
        self.has_move_in_queue = True
        try:
            answer = await move_queue().submit(MoveRequest(self.match_id, version, move, user_id))
        finally:
            self.has_move_in_queue = False
        if isinstance(answer, MoveResult):
            # The announcement may come later, through Redis.
            await self.show_revision(answer.revision)
            MOVE_SECONDS.observe(time.perf_counter() - started_at)
            return
        if answer.code == "stale":
            revision = await self.renew_lease()
            if self.has_missed(revision):  # otherwise the update is on its way to the browser
                RESYNCS.labels("stale").inc()
            self.invalidate_frame()
            await self.show_revision(revision)
        await self.refuse(answer)

    async def mark_ready(self, data: Mapping[str, Any]) -> None:
        await in_database(play.mark_ready, match_id=self.match_id, user_id=await self.require_seated_user())

    async def cast_vote(self, data: Mapping[str, Any]) -> None:
        """Vote how to continue without an absent player."""
        user_id, choice = await self.require_seated_user(), inbound.read_vote(data)
        await in_database(absence.cast_vote, match_id=self.match_id, user_id=user_id, choice=choice)

    async def answer_rematch(self, data: Mapping[str, Any]) -> None:
        """Offer a rematch or answer one. The browser gets a reply even if nothing changes."""
        await self.require_seated_user()
        if limits.consume("tables", address=self.address, account=self.user_id):
            raise Refused("too_fast")
        decline = inbound.answers_no(data)
        await in_database(
            rematch.answer_rematch, match=self.match, by=self.user, decline=decline, address=self.address
        )
        await self.send_update(NOTHING_NEW)

    async def add_nonce(self, data: Mapping[str, Any]) -> None:
        """Add the player's part to the shuffle. The page does this by itself, so a late one is not reported."""
        commitment, nonce = inbound.read_nonce(data)
        user_id = await self.require_seated_user()
        try:
            await in_database(
                nonces.submit_nonce, match_id=self.match_id, user_id=user_id, commitment=commitment, nonce=nonce
            )
        except Refused as refused:
            if refused.code not in LATE_NONCE_CODES:
                raise

    async def post_chat_line(self, data: Mapping[str, Any]) -> None:
        line = inbound.read_chat_line(data)
        if self.user_id is None:
            raise Refused("no_name")
        await in_database(posting.post_message, match=self.match, user=self.user, **line)

    async def mute_table(self, data: Mapping[str, Any]) -> None:
        """Hide the chats of this table on all pages of the person, or show them again."""
        if self.user_id is None:
            raise Refused("no_name")
        muted = inbound.wants_mute(data)
        await in_database(posting.mute_table, match=self.match, user_id=self.user_id, muted=muted)
        await self.user_recheck({})

    # Implemented by the subclass.

    async def show_revision(self, revision: int) -> None:
        """Send the newest view that this viewer may have; the table has at least this revision."""
        raise NotImplementedError

    def has_missed(self, revision: int) -> bool:
        """Return whether an older table was sent last."""
        raise NotImplementedError

    def invalidate_frame(self) -> None:
        """Send everything with the next update."""
        raise NotImplementedError

    async def user_recheck(self, message: dict[str, Any]) -> None:
        """Handle a change of what this person may see, or of the visible chat lines."""
        raise NotImplementedError
