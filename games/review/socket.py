"""The socket of a shared review: the people there and the leader. Of the match it sends only the number of a step."""

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
from games.errors import Refused
from games.match.table import ChatLine
from games.review import shared_rendering as rendering
from games.review import shared_review, steps
from games.review.participants import Leader, Shown
from games.review.past import all_perspectives
from games.services import inbound
from games.sockets.base import Handler, Socket
from games.sockets.consumer import CloseCode
from games.sockets.presence import exchange

NOTHING_NEW = "{}"


class ReviewSocket(Socket):
    """Somebody on the page of a review of a match that is over."""

    slug = ""
    sent: tuple[Shown, bool] | None = None
    told: tuple[ChatLine, ...] | None = None

    async def opened(self) -> None:
        self.slug = self.scope["url_route"]["kwargs"]["slug"]
        try:
            await in_database(self.find)
        except Http404:
            await self.end(Refused("no_table"), CloseCode.NO_TABLE)
        except Refused as refused:
            await self.end(refused, CloseCode.NO_TABLE)
        else:
            await self.join()
            self.attend(groups.review_group(self.slug))
            exchange().hurry()
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

    async def goodbye(self) -> None:
        if not self.place:
            return
        if await in_database(shared_review.leave, self.slug, self.channel_name):
            self.look_again()

    def look_again(self) -> None:
        """Have everybody look again when the time is over in which somebody may take the lead."""
        seconds = shared_review.AWAITED_SECONDS + 0.1
        asyncio.get_running_loop().call_later(seconds, announcements.wake_review, self.place)

    def closed(self) -> None:
        super().closed()
        exchange().hurry()

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

    async def user_blocks(self, message: dict[str, Any]) -> None:
        await self.review_said(message)

    async def show_chat(self) -> bool:
        """Send the chat if it has changed; return whether it has."""
        said = await in_database(self.said)
        if self.told == said:
            return False
        self.told = said
        await self.tell(rendering.chat_frame(said, self.language))
        return True

    def said(self) -> tuple[ChatLine, ...]:
        return review_chat.among_reviewers(self.match.pk, access.muted(self.user, self.match, self.scope["cookies"]))

    async def chat(self, data: Mapping[str, Any]) -> None:
        line = inbound.line_of(data)
        if self.user_id is None:
            raise Refused("no_name")
        await in_database(post_in_review, match=self.match, user=self.user, **line)

    async def lead(self, data: Mapping[str, Any]) -> None:
        """Start leading, or go to another step."""
        at, perspective = inbound.whole_number(data.get("at")), data.get("as")
        if not 1 <= at <= self.last or perspective not in self.perspectives:
            raise Refused("bad_request")
        if self.user_id is None:
            raise Refused("nameless")
        asked = data.get("asked") == "on"
        leader = Leader("", self.user_id, self.attendee.name, at, perspective, self.channel_name, asked)
        await in_database(shared_review.lead, self.slug, leader)
        await self.answer()

    async def hand_over(self, data: Mapping[str, Any]) -> None:
        """Hand the lead over to somebody else who is here (``to``)."""
        user_id = inbound.whole_number(data.get("to"))
        await in_database(shared_review.hand_over, self.slug, self.channel_name, user_id)
        self.look_again()
        await self.answer()

    async def stop(self, data: Mapping[str, Any]) -> None:
        await in_database(shared_review.stop, self.slug, self.channel_name)
        await self.answer()

    async def seen(self, data: Mapping[str, Any]) -> None:
        """The heartbeat: renews the membership of the group and the lead, and finds what was lost."""
        if not await self.may_stay():
            return
        await self.join()
        self.report(data)
        await in_database(shared_review.renew, self.slug, self.channel_name)
        await self.show_chat()
        await self.answer()

    async def answer(self) -> None:
        """Send something even if nothing is new: a browser that gets no answer considers the connection lost."""
        if not await self.show():
            await self.tell(NOTHING_NEW)

    async def show(self) -> bool:
        """Send what has changed; return whether anything has."""
        shown = await in_database(shared_review.shown_to, self.slug, self.user_id, self.channel_name)
        if shown.leader is None and self.sent is not None:
            before, _led = self.sent
            shown = replace(shown, former=before.leader.name if before.leader else before.former)
        leads = shown.leader is not None and shown.leader.channel == self.channel_name
        if self.sent == (shown, leads):
            return False
        self.sent = (shown, leads)
        may_lead = self.user_id is not None
        await self.tell(rendering.frame(shown, leads=leads, may_lead=may_lead, language=self.language))
        return True
