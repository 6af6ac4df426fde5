"""The socket of a shared review, which sends people, leader and chat. Of the match it only knows step numbers."""

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
from games.review.participants import Leader, SharedReview
from games.review.past import all_perspectives
from games.review.shared_rendering import frame
from games.services import inbound
from games.sockets.base import Handler, Socket
from games.sockets.consumer import CloseCode
from games.sockets.presence_exchange import presence_exchange

NOTHING_NEW = "{}"


class ReviewSocket(Socket):
    """A viewer on the review page of a match that is over."""

    slug = ""
    sent_state: tuple[SharedReview, bool] | None = None
    sent_chat: tuple[ChatLine, ...] | None = None

    async def on_open(self) -> None:
        self.slug = self.scope["url_route"]["kwargs"]["slug"]
        try:
            await in_database(self.find)
        except Http404:
            await self.close_with_reason(Refused("no_table"), CloseCode.NO_TABLE)
        except Refused as refused:
            await self.close_with_reason(refused, CloseCode.NO_TABLE)
        else:
            await self.join_groups()
            self.join_presence(groups.review_group(self.slug))
            presence_exchange().request_exchange()
            await self.show()
            await self.show_chat()

    def find(self) -> None:
        """Raises Http404 or Refused ``not_finished``."""
        match = access.visible_match(self.user, self.slug)
        if not access.is_over(self.user, match):
            raise Refused("not_finished")
        self.match = match
        self.variant, self.perspectives = match.variant, all_perspectives(match.seat_count)
        self.last = steps.past(match.pk, match.version).last

    async def on_disconnect(self) -> None:
        if not self.place:
            return
        if await in_database(shared_review.leave, self.slug, self.channel_name):
            self.look_again()

    def look_again(self) -> None:
        """Update all pages when the reservation of the lead expires."""
        seconds = shared_review.RESERVED_SECONDS + 0.1
        asyncio.get_running_loop().call_later(seconds, announcements.wake_review, self.place)

    def on_close(self) -> None:
        super().on_close()
        presence_exchange().request_exchange()

    def all_groups(self) -> list[str]:
        return [*super().all_groups(), groups.review_group(self.slug)]

    def handlers(self) -> Mapping[str, Handler]:
        handlers = self.lead, self.hand_over, self.stop, self.chat, self.seen
        return {handler.__name__: handler for handler in handlers} if self.place else {}

    async def review_changed(self, message: dict[str, Any]) -> None:
        if self.place and not self.ended:
            await self.show()

    async def review_said(self, message: dict[str, Any]) -> None:
        if self.place and not self.ended:
            await self.show_chat()

    async def user_recheck(self, message: dict[str, Any]) -> None:
        await self.review_said(message)

    async def show_chat(self) -> bool:
        """Send the chat if it has changed; return whether it has."""
        lines = await in_database(self.chat_lines)
        if self.sent_chat == lines:
            return False
        self.sent_chat = lines
        await self.send_update(review_chat_zones(lines, self.language).whole)
        return True

    def chat_lines(self) -> tuple[ChatLine, ...]:
        return review_chat.among_reviewers(self.match.pk, access.muted(self.user, self.match, self.scope["cookies"]))

    async def chat(self, data: Mapping[str, Any]) -> None:
        line = inbound.chat_line_of(data)
        if self.user_id is None:
            raise Refused("no_name")
        await in_database(post_in_review, match=self.match, user=self.user, **line)

    async def lead(self, data: Mapping[str, Any]) -> None:
        """Start leading, or go to another step."""
        at, perspective = inbound.parse_whole_number(data.get("at")), data.get("as")
        if not 1 <= at <= self.last or perspective not in self.perspectives:
            raise Refused("bad_request")
        if self.user_id is None:
            raise Refused("nameless")
        has_analysis = data.get("asked") == "on"
        leader = Leader("", self.user_id, self.attendee.name, at, perspective, self.channel_name, has_analysis)
        await in_database(shared_review.lead, self.slug, leader)
        await self.answer()

    async def hand_over(self, data: Mapping[str, Any]) -> None:
        """Hand the lead over to another person on the page (``to``)."""
        user_id = inbound.parse_whole_number(data.get("to"))
        await in_database(shared_review.hand_over, self.slug, self.channel_name, user_id)
        self.look_again()
        await self.answer()

    async def stop(self, data: Mapping[str, Any]) -> None:
        await in_database(shared_review.stop, self.slug, self.channel_name)
        await self.answer()

    async def seen(self, data: Mapping[str, Any]) -> None:
        """Handle the heartbeat: renew the group membership and the lead, and send updates that were lost."""
        if not await self.is_still_admitted():
            return
        await self.join_groups()
        self.report_visibility(data)
        await in_database(shared_review.renew, self.slug, self.channel_name)
        await self.show_chat()
        await self.answer()

    async def answer(self) -> None:
        """Send an update, or an empty message: without any response a browser considers the connection lost."""
        if not await self.show():
            await self.send_update(NOTHING_NEW)

    async def show(self) -> bool:
        """Send the state if it has changed; return whether it has."""
        state = await in_database(shared_review.state_for, self.slug, self.user_id, self.channel_name)
        if state.leader is None and self.sent_state is not None:
            before, _leads = self.sent_state
            state = replace(state, former=before.leader.name if before.leader else before.former)
        leads = state.leader is not None and state.leader.channel == self.channel_name
        if self.sent_state == (state, leads):
            return False
        self.sent_state = (state, leads)
        await self.send_update(frame(state, leads=leads, may_lead=self.user_id is not None, language=self.language))
        return True
