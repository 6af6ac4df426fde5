"""The pages that are open in this process: in the lobby, at tables and in shared reviews.

A place has the name of its group in the channel layer. Sockets join and leave on the event loop; other threads read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from accounts.push import subscriptions
from games.presence.people import Attendee, People, PeopleByPlace, people_of_attendees
from infrastructure.runtime import PerProcess, Runtime

VISIBILITY_LEASE = timedelta(seconds=45)  # a page counts as visible for this long after its last heartbeat

# The id of a user, and of the match whose table the visible page shows (None: another page).
VisiblePage = tuple[int, int | None]


class Page(Protocol):
    """A socket of a page. A seated one is a player's, who is not counted among the spectators."""

    @property
    def attendee(self) -> Attendee: ...

    @property
    def seated(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class ProcessPresence:
    """The presence that a process shares: the people on its pages, by place, and its visible pages."""

    people: PeopleByPlace = field(default_factory=dict)
    visible_pages: frozenset[VisiblePage] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.people or self.visible_pages)


class Pages:
    """The pages of one process; ``process`` is its name."""

    def __init__(self, process: str = "") -> None:
        self.process = process or Runtime.current.process_name
        self.places: dict[str, dict[Page, None]] = {}
        self.visible_pages: dict[str, tuple[VisiblePage, datetime]] = {}
        self.reported_presence = ProcessPresence()  # the contents of the row of this process
        self.reported_at: datetime | None = None

    def join(self, place: str, page: Page) -> None:
        self.places.setdefault(place, {})[page] = None

    def leave(self, place: str, page: Page) -> None:
        pages_there = self.places.get(place, {})
        pages_there.pop(page, None)
        if not pages_there:
            self.places.pop(place, None)

    def pages_at(self, place: str) -> list[Page]:
        return list(self.places.get(place, ()))

    def people_at(self, place: str) -> People:
        return people_of_attendees([page.attendee for page in self.pages_at(place) if not page.seated])

    def player_addresses(self) -> set[str]:
        """Return the network addresses from which people play."""
        players = (page for place in list(self.places) for page in self.pages_at(place) if page.seated)
        return {page.attendee.browser[0] for page in players}

    def mark_visible(self, page: str, user_id: int, match_id: int | None, now: datetime) -> None:
        """Note that a page of a person is visible. ``page`` is its channel, or a name for a page that polls."""
        if subscriptions.is_push_available():
            self.visible_pages[page] = (user_id, match_id), now + VISIBILITY_LEASE

    def mark_hidden(self, page: str) -> None:
        """Note that a page is no longer visible."""
        self.visible_pages.pop(page, None)

    def people_by_place(self) -> PeopleByPlace:
        """Count the people at each place."""
        counts = {place: self.people_at(place) for place in list(self.places)}
        return {place: people for place, people in counts.items() if people.number}

    def current_presence(self, now: datetime) -> ProcessPresence:
        """Return what to share, and forget pages that were visible too long ago."""
        for page, (_visible_page, until) in list(self.visible_pages.items()):
            if until <= now:
                self.mark_hidden(page)
        return ProcessPresence(
            self.people_by_place(),
            frozenset(visible_page for visible_page, _until in list(self.visible_pages.values())),
        )


pages = PerProcess(Pages)
