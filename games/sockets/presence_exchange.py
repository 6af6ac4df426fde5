"""The exchange of presence with the other processes, and the spectators that tables show.

Nothing is written or sent when a socket joins or leaves. Every two seconds the process exchanges who is on its pages
and sends a small frame to the tables whose spectators have changed. A thousand spectators who arrive at once are one
change. Only shared reviews request an exchange earlier.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Protocol, cast

import structlog
from django.utils import timezone

from accounts.selectors import people_hiding_spectators
from games.broadcast import groups
from games.broadcast.database_threads import in_database
from games.broadcast.memory_layer import BATCH_SIZE, yield_to_moves
from games.presence import online
from games.presence.pages import Page, Pages, pages
from games.presence.people import NOBODY, People, PeopleByPlace
from games.rendering.spectators import spectators_zones
from infrastructure.outages import is_outage
from infrastructure.runtime import PerProcess

log = structlog.get_logger()
EXCHANGE_INTERVAL_SECONDS = 2.0
MIN_EXCHANGE_INTERVAL_SECONDS = 0.2  # between two exchanges, however many people come to shared reviews


class TablePage(Page, Protocol):
    """A socket of a table, with the spectators that it shows and the task that sends others."""

    language: str
    shown_spectators: People | None
    spectators_task: asyncio.Task[None] | None

    async def send(self, text_data: str) -> None: ...


class PresenceExchange:
    """The exchange of one process with the others."""

    def __init__(self, own_pages: Pages | None = None) -> None:
        self.pages = own_pages or pages()
        self.people: PeopleByPlace = {}
        self.exchange_requested = asyncio.Event()

    async def run(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(
                    self.exchange_requested.wait(), EXCHANGE_INTERVAL_SECONDS - MIN_EXCHANGE_INTERVAL_SECONDS
                )
            self.exchange_requested.clear()
            try:
                await self.exchange_once()
            except Exception as error:
                if not is_outage(error):
                    log.exception("presence_not_exchanged")
            await asyncio.sleep(MIN_EXCHANGE_INTERVAL_SECONDS)

    def request_exchange(self) -> None:
        """Start the next exchange as soon as possible."""
        self.exchange_requested.set()

    async def exchange_once(self) -> None:
        """Exchange the people who are present, and show changed spectators."""
        people, before = await in_database(online.exchange_presence, self.pages, timezone.now()), self.people
        # Equal people stay the same object, so that comparing a thousand pages costs nothing.
        unchanged = {place: old_people for place, old_people in before.items() if people.get(place) == old_people}
        self.people = people | unchanged
        await self.show_spectators()

    async def show_spectators(self) -> None:
        """Send the spectators to all pages of tables that show others."""
        stale = {
            place: stale_pages
            for place in list(self.pages.places)
            if place.startswith(groups.MATCH_PREFIX) and (stale_pages := self.stale_pages_at(place))
        }
        attendees = (page.attendee for table_pages in stale.values() for page in table_pages)
        user_ids = {attendee.user_id for attendee in attendees if attendee.user_id is not None}
        hiding_ids = await in_database(people_hiding_spectators, user_ids) if user_ids else frozenset()
        for place, table_pages in stale.items():
            await send_spectators(table_pages, self.people.get(place, NOBODY), hiding_ids)

    def stale_pages_at(self, place: str) -> list[TablePage]:
        """Return the pages that show other spectators. One that still waits for a frame gets the newest later."""
        people, table_pages = self.people.get(place, NOBODY), cast(list[TablePage], self.pages.pages_at(place))
        return [page for page in table_pages if page.shown_spectators is not people and not is_sending(page)]


def is_sending(page: TablePage) -> bool:
    return page.spectators_task is not None and not page.spectators_task.done()


async def send_spectators(table_pages: Iterable[TablePage], people: People, hiding_ids: frozenset[int]) -> None:
    frames: dict[tuple[str, bool], str] = {}
    for number, page in enumerate(table_pages, 1):
        key = page.language, page.attendee.user_id not in hiding_ids
        if key not in frames:
            frames[key] = spectators_zones(people, page.language, shows_names=key[1]).full_update
        page.shown_spectators = people
        page.spectators_task = asyncio.create_task(send_frame(page, frames[key]))
        if number % BATCH_SIZE == 0:
            await yield_to_moves()


async def send_frame(page: TablePage, text: str) -> None:
    try:
        await page.send(text_data=text)
    except Exception as error:  # it has just been closed
        log.info("spectators_not_shown", error=repr(error))


presence_exchange = PerProcess(PresenceExchange)
