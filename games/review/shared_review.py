"""Shared reviews: the people who review a match together, and the one who leads the others.

Nothing is stored. Each process publishes to the group of the review which people it holds, whenever that changes, when
another process asks, and regularly. A message that was lost is replaced by the next one.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial, reduce
from itertools import count
from operator import or_
from typing import Any

from games.broadcast import announcements
from games.errors import Refused
from games.presence.people import NOBODY, Attendee, People, counted, people_from_json
from games.review.participants import Leader, Shown
from infrastructure.runtime import PerProcess, Runtime

NAMED = 4
"""Names shown at most."""
PUBLISHED = 30
"""Names that a process publishes at most."""
PUBLISH_SECONDS = 0.2
"""A process publishes at most this often, the first time at once."""
AWAITED_SECONDS = 10
"""For so long the lead of somebody whose page has closed, or to whom it was handed over, is kept for them."""
RENEW_SECONDS = 20
LEASE_SECONDS = 70
"""A process that has published nothing for longer is gone."""

_numbers: PerProcess[count[int]] = PerProcess(partial(count, 1))


@dataclass(frozen=True, slots=True)
class Report:
    """The last message of another process."""

    number: int
    people: People
    leader: Leader | None
    until: float


class SharedReview:
    """One review as this process knows it. Sockets are identified by their channels.

    ``leading`` leads through this process, or is awaited here. ``ended`` is the key of a lead that was given up here:
    what others still say of it does not count.
    """

    def __init__(self, slug: str, process: str = "") -> None:
        self.slug, self.process = slug, process or Runtime.current.process
        self.here: dict[str, Attendee] = {}
        self.reports: dict[str, Report] = {}
        self.leading: Leader | None = None
        self.awaited: asyncio.TimerHandle | None = None
        self.ended = ""
        self.shown = Shown()
        self.asks = False
        self.published_at = 0.0
        self.publishing: asyncio.Task[None] | None = None

    def join(self, channel: str, attendee: Attendee) -> None:
        """Count somebody who opened the page. The first one here has the process ask the others."""
        self.asks = self.asks or not self.here
        self.here[channel] = attendee
        self._settle()

    def leave(self, channel: str) -> None:
        """Count somebody no more. The lead is kept for a while: the page may only be reloaded."""
        self.here.pop(channel, None)
        if led := self._led(channel):
            self._await(replace(led, channel=""))
        self._settle()

    def leads(self, channel: str) -> bool:
        return self._led(channel) is not None

    def lead(self, channel: str, at: int, perspective: str, *, asked: bool = False) -> None:
        """Start leading, or go to another step, about which the bot was ``asked`` or not.

        Raises Refused ``nameless`` or ``led``.
        """
        attendee = self.here[channel]
        if attendee.user_id is None:
            raise Refused("nameless")
        if led := self._led(channel):
            self.leading = replace(led, at=at, perspective=perspective, asked=asked)
        elif self.shown.leader is None:
            key = f"{time.time_ns():x}-{secrets.token_hex(4)}"
            self.leading = Leader(key, attendee.user_id, attendee.name, at, perspective, channel, asked)
        else:
            raise Refused("led")
        self._settle()

    def hand_over(self, channel: str, user_id: int) -> None:
        """Hand the lead to somebody else who is named here. Raises Refused ``bad_request``."""
        name = next((name for found, name, _guest in self.shown.people.named if found == user_id), None)
        led = self._led(channel)
        if led is None or name is None or user_id == led.user_id:
            raise Refused("bad_request")
        self._await(replace(led, user_id=user_id, name=name, channel=""))
        self._settle()

    def stop(self, channel: str) -> None:
        """Stop leading."""
        if led := self._led(channel):
            self._end(led)

    def _led(self, channel: str) -> Leader | None:
        """Return the leader if it is the person at this socket."""
        return self.leading if self.leading and self.leading.channel == channel else None

    def _end(self, led: Leader) -> None:
        self.ended, self.leading = led.key, None
        self._settle()

    def _await(self, leader: Leader) -> None:
        """Keep the lead for somebody who has no page here at the moment, until they come or the time is over."""
        self.leading = leader
        if self.awaited is not None:
            self.awaited.cancel()
        self.awaited = asyncio.get_running_loop().call_later(AWAITED_SECONDS, self._give_up, leader.key)

    def _give_up(self, key: str) -> None:
        if (led := self._led("")) and led.key == key:
            self._end(led)
            self.publish()

    def message(self) -> dict[str, Any]:
        """Return what this process publishes."""
        people = counted(self.here.values()).shortened(PUBLISHED)
        asks, self.asks = self.asks, False
        return {
            "type": "review.published",
            "process": self.process,
            "number": next(_numbers()),
            "names": people.named,
            "people": people.number,
            "leader": asdict(self.leading) if self.leading else None,
            "asks": asks,
        }

    def receive(self, message: Mapping[str, Any]) -> bool:
        """Take a message, which arrives once for each socket here. Return whether this process has to publish."""
        process, number = message["process"], message["number"]
        known = self.reports.get(process)
        if process == self.process or (known is not None and known.number >= number):
            return False
        led = self.leading
        leader = Leader(**message["leader"]) if message["leader"] else None
        people = people_from_json(message["names"], message["people"])
        self.reports[process] = Report(number, people, leader, time.monotonic() + LEASE_SECONDS)
        self._settle()
        return bool(message["asks"]) or led != self.leading

    def forget_silent(self) -> None:
        """Forget the processes that are gone."""
        now = time.monotonic()
        self.reports = {process: report for process, report in self.reports.items() if report.until > now}
        self._settle()

    def publish(self, *, unless_recent: bool = False) -> None:
        """Publish soon, also to the sockets of this process."""
        recent = time.monotonic() - self.published_at < RENEW_SECONDS
        if self.publishing is None and not (unless_recent and recent):
            self.publishing = asyncio.create_task(self._publish())

    async def _publish(self) -> None:
        await asyncio.sleep(self.published_at + PUBLISH_SECONDS - time.monotonic())
        self.publishing, self.published_at = None, time.monotonic()
        if not self.here and self.leading is None:
            _forget(self)
        announcements.publish_review(self.slug, self.message())

    def _settle(self) -> None:
        """Compute what is shown, the same in every process. A leader who started later than another stops leading."""
        known = [report.leader for report in self.reports.values() if report.leader]
        leaders = [leader for leader in known if leader.key != self.ended]
        if self.leading:
            leaders.append(self.leading)
        leader = min(leaders, key=lambda each: each.order, default=None)
        if leader is not None and not leader.channel:
            leader = self._taken_up(leader)
        if leader is not None and leader.channel in self.here:
            self.leading = leader
        elif self.leading is not leader:
            self.leading = None
        everybody = [counted(self.here.values()), *(report.people for report in self.reports.values())]
        people = reduce(or_, everybody, NOBODY).shortened(NAMED)
        before = self.shown.leader.name if self.shown.leader else self.shown.former
        self.shown = Shown(people, leader, "" if leader else before)

    def _taken_up(self, leader: Leader) -> Leader:
        """Return the leader with a page of that person here, if there is one."""
        pages = [channel for channel, attendee in self.here.items() if attendee.user_id == leader.user_id]
        return replace(leader, channel=pages[-1]) if pages else leader


_reviews: PerProcess[dict[str, SharedReview]] = PerProcess(dict)


def of(slug: str) -> SharedReview:
    """Return the review of a match, as this process knows it."""
    return _reviews().setdefault(slug, SharedReview(slug))


def shown_in(slug: str) -> Shown:
    """Return what this process would show in a review, without creating an entry for it."""
    review = _reviews().get(slug)
    return review.shown if review else Shown()


def _forget(left: SharedReview) -> None:
    """Forget a review that nobody has open in this process."""
    if _reviews().get(left.slug) is left:
        del _reviews()[left.slug]
