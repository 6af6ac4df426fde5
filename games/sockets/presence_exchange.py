"""The exchange of who is here with the other processes, and what tables show of their spectators.

Nothing is written or sent when a socket joins or leaves. Every two seconds the process exchanges who is on its pages
and sends a small frame to the tables that show other spectators. A thousand spectators who arrive at once are one
change. Only for a shared review the next exchange comes at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Protocol, cast

import structlog
from django.utils import timezone

from accounts.selectors import hiding_spectators
from games.broadcast import groups
from games.broadcast.database_threads import in_database
from games.broadcast.memory_layer import BATCH, yield_to_moves
from games.presence import online
from games.presence.pages import Page, Pages, pages
from games.presence.people import NOBODY, People, PeopleByPlace
from games.rendering.spectators import spectators_zones
from infrastructure.outages import is_outage
from infrastructure.runtime import PerProcess

log = structlog.get_logger()
EXCHANGE_SECONDS = 2.0
# Two exchanges are at least this far apart, however many people come to shared reviews.
PAUSE_SECONDS = 0.2


class TablePage(Page, Protocol):
    """A socket of a table, with the spectators that it shows and the frame of them that is on its way."""

    language: str
    spectators: People | None
    spectators_frame: asyncio.Task[None] | None

    async def send(self, text_data: str) -> None: ...


class Exchange:
    """The exchange of one process with the others."""

    def __init__(self, own_pages: Pages | None = None) -> None:
        self.pages = own_pages or pages()
        self.people: PeopleByPlace = {}
        self.urgent = asyncio.Event()

    async def run(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.urgent.wait(), EXCHANGE_SECONDS - PAUSE_SECONDS)
            self.urgent.clear()
            try:
                await self.poll()
            except Exception as error:
                if not is_outage(error):
                    log.exception("presence_not_exchanged")
            await asyncio.sleep(PAUSE_SECONDS)

    def hurry(self) -> None:
        """Have the next exchange at once."""
        self.urgent.set()

    async def poll(self) -> None:
        """Exchange who is here, and show the spectators that changed."""
        people, before = await in_database(online.exchange_presence, self.pages, timezone.now()), self.people
        # Equal people stay the same object, so that comparing a thousand pages costs nothing.
        unchanged = {place: there for place, there in before.items() if people.get(place) == there}
        self.people = people | unchanged
        await self.show()

    async def show(self) -> None:
        """Send the spectators to all pages of tables that show others."""
        stale = {
            place: stale_pages
            for place in list(self.pages.places)
            if place.startswith(groups.MATCH) and (stale_pages := self.stale_at(place))
        }
        attendees = (page.attendee for table_pages in stale.values() for page in table_pages)
        user_ids = {attendee.user_id for attendee in attendees if attendee.user_id is not None}
        hiding = await in_database(hiding_spectators, user_ids) if user_ids else frozenset()
        for place, table_pages in stale.items():
            await show_to(table_pages, self.people.get(place, NOBODY), hiding)

    def stale_at(self, place: str) -> list[TablePage]:
        """Return the pages that show other spectators. One that still waits for a frame gets the newest later."""
        people, table_pages = self.people.get(place, NOBODY), cast(list[TablePage], self.pages.pages_at(place))
        return [page for page in table_pages if page.spectators is not people and not is_sending(page)]


def is_sending(page: TablePage) -> bool:
    return page.spectators_frame is not None and not page.spectators_frame.done()


async def show_to(table_pages: Iterable[TablePage], people: People, hiding: frozenset[int]) -> None:
    frames: dict[tuple[str, bool], str] = {}
    for number, page in enumerate(table_pages, 1):
        key = page.language, page.attendee.user_id not in hiding
        if key not in frames:
            frames[key] = spectators_zones(people, page.language, named=key[1]).whole
        page.spectators = people
        page.spectators_frame = asyncio.create_task(send(page, frames[key]))
        if number % BATCH == 0:
            await yield_to_moves()


async def send(page: TablePage, text: str) -> None:
    try:
        await page.send(text_data=text)
    except Exception as error:  # it has just been closed
        log.info("spectators_not_shown", error=repr(error))


exchange = PerProcess(Exchange)
