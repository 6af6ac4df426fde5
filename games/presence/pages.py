"""The pages that are open at this process: in the lobby, at tables and in shared reviews.

A place has the name of its group in the channel layer. Sockets join and leave on the event loop; other threads read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from accounts.push import subscriptions
from games.presence.people import Attendee, People, Places, counted
from infrastructure.runtime import PerProcess, Runtime

# A page counts as visible for this long after its last heartbeat: its connection may have broken.
SIGHT_LEASE = timedelta(seconds=45)

# The id of a user, and of the match whose table the visible page shows (None: another page).
Sight = tuple[int, int | None]


class Page(Protocol):
    """A socket of a page. A seated one is a player's, who is not counted among the spectators."""

    @property
    def attendee(self) -> Attendee: ...

    @property
    def seated(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Census:
    """The report of a process about its pages: the people by place, and the visible pages."""

    people: Places = field(default_factory=dict)
    in_sight: frozenset[Sight] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.people or self.in_sight)


class Pages:
    """The pages at one process, which ``process`` names among all."""

    def __init__(self, process: str = "") -> None:
        self.process = process or Runtime.current.process
        self.places: dict[str, dict[Page, None]] = {}
        self.sights: dict[str, tuple[Sight, datetime]] = {}
        # What the row of this process holds, and since when.
        self.reported = Census()
        self.reported_at: datetime | None = None

    def join(self, place: str, page: Page) -> None:
        self.places.setdefault(place, {})[page] = None

    def leave(self, place: str, page: Page) -> None:
        there = self.places.get(place, {})
        there.pop(page, None)
        if not there:
            self.places.pop(place, None)

    def at(self, place: str) -> list[Page]:
        return list(self.places.get(place, ()))

    def people_at(self, place: str) -> People:
        return counted([page.attendee for page in self.at(place) if not page.seated])

    def player_addresses(self) -> set[str]:
        """Return the network addresses from which people play."""
        players = (page for place in list(self.places) for page in self.at(place) if page.seated)
        return {page.attendee.browser[0] for page in players}

    def see(self, page: str, user_id: int, match_id: int | None, now: datetime) -> None:
        """Note that a person has a page in sight. ``page`` is its channel, or a name for a page that polls."""
        if subscriptions.is_offered():
            self.sights[page] = (user_id, match_id), now + SIGHT_LEASE

    def hide(self, page: str) -> None:
        """Note that a page is no longer in sight."""
        self.sights.pop(page, None)

    def people(self) -> Places:
        """Count the people at each place."""
        counts = {place: self.people_at(place) for place in list(self.places)}
        return {place: people for place, people in counts.items() if people.number}

    def census(self, now: datetime) -> Census:
        """Return what to report, and forget pages that were in sight too long ago."""
        for page, (_sight, until) in list(self.sights.items()):
            if until <= now:
                self.hide(page)
        return Census(self.people(), frozenset(sight for sight, _until in list(self.sights.values())))


pages = PerProcess(Pages)
