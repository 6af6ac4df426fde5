"""The socket of a shared review. It sends the people, the leader and the chat, but no step of the match."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.http import Http404

from games import access
from games.broadcast import announcements, groups
from games.broadcast.database_threads import in_database
from games.chat import review as review_chat
from games.chat.posting import post_in_review
from games.chat.rendering import review_chat_zones
from games.errors import Refused
from games.match.table import ChatLine
from games.review import shared_review, steps
from games.review.match_steps import all_perspectives
from games.review.participants import Leader, SharedReview
from games.review.shared_rendering import shared_review_frame
from games.services import inbound
from games.sockets.base import EMPTY_MESSAGE, Handler, Socket
from games.sockets.consumer import CloseCode
from games.sockets.presence_exchange import presence_exchange


class ReviewSocket(Socket):
    """A viewer on the review page of a match that is over."""

    slug = ""
    sent_state: tuple[SharedReview, bool] | None = None
    sent_chat: tuple[ChatLine, ...] | None = None

    async def on_open(self) -> None:
        self.slug = self.scope["url_route"]["kwargs"]["slug"]
        try:
            await in_database(self.load_match)
        except Http404:
            await self.close_with_reason(Refused("no_table"), CloseCode.NO_TABLE)
        except Refused as refused:
            await self.close_with_reason(refused, CloseCode.NO_TABLE)
        else:
            await self.join_groups()
            self.join_presence(groups.review_group(self.slug))
            presence_exchange().request_exchange()
            await self.send_state()
            await self.send_chat()

    def load_match(self) -> None:
        """Load the match and the number of its last step. Raises Http404 or Refused ``not_finished``."""
        match = access.visible_match(self.user, self.slug)
        if not access.is_over_for(self.user, match):
            raise Refused("not_finished")
        self.match = match
        self.variant, self.perspectives = match.variant, all_perspectives(match.seat_count)
        self.last_step = steps.load_match_steps(match.pk, match.version).last_number

    async def on_disconnect(self) -> None:
        if not self.place:
            return
        if await in_database(shared_review.reserve_lead, self.slug, self.channel_name):
            self.schedule_update_after_reservation()

    def schedule_update_after_reservation(self) -> None:
        """Schedule an update of all pages for when the reservation of the lead expires."""
        seconds = shared_review.LEAD_RESERVATION_SECONDS + 0.1
        asyncio.get_running_loop().call_later(seconds, announcements.wake_review, self.place)

    def on_close(self) -> None:
        super().on_close()
        presence_exchange().request_exchange()

    def all_groups(self) -> list[str]:
        return [*super().all_groups(), groups.review_group(self.slug)]

    def handlers(self) -> Mapping[str, Handler]:
        if not self.place:
            return {}
        return {
            "lead": self.lead,
            "hand_over": self.hand_over,
            "stop": self.stop,
            "chat": self.post_chat_line,
            "seen": self.seen,
        }

    async def review_changed(self, message: dict[str, Any]) -> None:
        if self.place and not self.ended:
            await self.send_state()

    async def review_said(self, message: dict[str, Any]) -> None:
        if self.place and not self.ended:
            await self.send_chat()

    async def user_recheck(self, message: dict[str, Any]) -> None:
        await self.review_said(message)

    async def send_chat(self) -> bool:
        """Send the chat if it has changed; return whether it has."""
        lines = await in_database(self.chat_lines)
        if self.sent_chat == lines:
            return False
        self.sent_chat = lines
        await self.send_update(review_chat_zones(lines, self.language).full_update)
        return True

    def chat_lines(self) -> tuple[ChatLine, ...]:
        return review_chat.review_chat_lines(
            self.match.pk, access.muted_chats(self.user, self.match, self.scope["cookies"])
        )

    async def post_chat_line(self, data: Mapping[str, Any]) -> None:
        line = inbound.read_chat_line(data)
        if self.user_id is None:
            raise Refused("no_name")
        await in_database(post_in_review, match=self.match, user=self.user, **line)

    async def lead(self, data: Mapping[str, Any]) -> None:
        """Start leading, or go to another step."""
        step_number, perspective = inbound.parse_whole_number(data.get("at")), data.get("as")
        if not 1 <= step_number <= self.last_step or perspective not in self.perspectives:
            raise Refused("bad_request")
        if self.user_id is None:
            raise Refused("nameless")
        has_analysis = data.get("asked") == "on"
        leader = Leader(
            "", self.user_id, self.attendee.name, step_number, perspective, self.channel_name, has_analysis
        )
        await in_database(shared_review.take_lead, self.slug, leader)
        await self.respond()

    async def hand_over(self, data: Mapping[str, Any]) -> None:
        """Hand the lead over to another person on the page (``to``)."""
        user_id = inbound.parse_whole_number(data.get("to"))
        await in_database(shared_review.hand_over_lead, self.slug, self.channel_name, user_id)
        self.schedule_update_after_reservation()
        await self.respond()

    async def stop(self, data: Mapping[str, Any]) -> None:
        await in_database(shared_review.release_lead, self.slug, self.channel_name)
        await self.respond()

    async def seen(self, data: Mapping[str, Any]) -> None:
        """Handle the heartbeat: renew the group membership and the lead, and send updates that were lost."""
        if not await self.is_still_admitted():
            return
        await self.join_groups()
        self.report_visibility(data)
        await in_database(shared_review.renew_lead, self.slug, self.channel_name)
        await self.send_chat()
        await self.respond()

    async def respond(self) -> None:
        """Send an update, or an empty message: without any response a browser considers the connection lost."""
        if not await self.send_state():
            await self.send_update(EMPTY_MESSAGE)

    async def send_state(self) -> bool:
        """Send the state if it has changed; return whether it has."""
        state = await in_database(shared_review.state_for_page, self.slug, self.user_id, self.channel_name)
        if state.leader is None and self.sent_state is not None:
            before, _was_leader = self.sent_state
            state = replace(state, former_leader=before.leader.name if before.leader else before.former_leader)
        is_leader = state.leader is not None and state.leader.channel == self.channel_name
        if self.sent_state == (state, is_leader):
            return False
        banner = self.banner_update() if self.sent_state is None else ""
        self.sent_state = (state, is_leader)
        may_lead = self.user_id is not None
        frame = shared_review_frame(state, is_leader=is_leader, may_lead=may_lead, language=self.language)
        await self.send_update(frame + banner)
        return True
