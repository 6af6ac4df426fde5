"""Who is here: in the lobby, at a table or watching a match, each person once.

Tables and spectators are read from the database. The people in the lobby are in no row: each process holds those at
its own sockets, and tells the others in messages when they change and regularly.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any

from games.broadcast import announcements
from games.models import Match, Seat
from games.presence import spectators
from games.presence.people import Attendee, People, counted, people, people_from_json
from infrastructure.runtime import PerProcess, Runtime

NAMED = 100
"""People whom a process names at most; the others it only counts."""
TELL_SECONDS = 1.0
RENEW_SECONDS = 20
LEASE_SECONDS = 70
"""A process that has told nothing for longer is gone."""


class LobbyPeople:
    """The people in the lobby, as this process knows them. Sockets are identified by their channels."""

    def __init__(self, process: str = "") -> None:
        self.process = process or Runtime.current.process
        self.here: dict[str, Attendee] = {}
        self.elsewhere: dict[str, tuple[People, float]] = {}
        self.telling: asyncio.TimerHandle | None = None

    def join(self, channel: str, attendee: Attendee) -> None:
        self.here[channel] = attendee
        self.tell_in(TELL_SECONDS)

    def leave(self, channel: str) -> None:
        if self.here.pop(channel, None) is not None:
            self.tell_in(TELL_SECONDS)

    def tell_in(self, seconds: float) -> None:
        """Tell the others soon: at the latest then, whatever changes until then."""
        loop = asyncio.get_running_loop()
        if self.telling is not None:
            if loop.time() <= self.telling.when() <= loop.time() + seconds:
                return
            self.telling.cancel()
        self.telling = loop.call_later(seconds, self.tell)

    def tell(self) -> None:
        """Tell everybody in the lobby, here too; the last one to leave tells it once."""
        self.telling = None
        announcements.tell_lobby(self.message())
        if self.here:
            self.tell_in(RENEW_SECONDS)

    def message(self) -> dict[str, Any]:
        found = counted(self.here.values()).shortened(NAMED)
        return {"type": "lobby.people", "process": self.process, "names": found.named, "number": found.number}

    def hear(self, message: Mapping[str, Any]) -> None:
        """Take a message, which arrives once for each socket here. A process that is new here is told of this one."""
        process = message["process"]
        if process == self.process:
            return
        if process not in self.elsewhere:
            self.tell_in(TELL_SECONDS)
        found = people_from_json(message["names"], message["number"])
        self.elsewhere[process] = found, time.monotonic() + LEASE_SECONDS

    def everybody(self, *asking: Attendee) -> People:
        """Return the people in the lobby of all processes, and those who ask for its page."""
        now = time.monotonic()
        there = (found for found, until in self.elsewhere.values() if until > now)
        return reduce(or_, there, counted([*tuple(self.here.values()), *asking]))


lobby_people = PerProcess(LobbyPeople)


def number_here(now: datetime, *asking: Attendee) -> int:
    """Count everybody who is here, and those who ask."""
    return _everybody(now, *asking).number


def people_here(now: datetime) -> frozenset[int]:
    """Return who of the people with names is here, as far as this process knows."""
    return frozenset(user_id for user_id, _name, _guest in _everybody(now).named)


def _everybody(now: datetime, *asking: Attendee) -> People:
    return lobby_people().everybody(*asking) | _seated() | spectators.everywhere(now)


def _seated() -> People:
    """Read the people at tables whose pages are open, as far as the site knows.

    With a delay they are not counted: the number would tell at once that somebody left or that the match is over.
    """
    there = Seat.objects.filter(user__isnull=False, bot="", away=False, last_seen__isnull=False)
    seats = there.filter(match__status__in=Match.UNFINISHED, match__delay=Match.Delay.NONE)
    return people(seats.values_list("user_id", "name", "user__is_guest"), 0)
