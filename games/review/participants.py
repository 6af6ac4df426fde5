"""The people in a shared review and their leader, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from games.presence.people import NOBODY, People


@dataclass(frozen=True, slots=True)
class Leader:
    """The leader, with the step and the perspective. Of two who started at once the one with the lower key leads."""

    key: str
    name: str
    at: int
    perspective: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What everybody on the page sees. ``former`` led last, if nobody leads now."""

    people: People = NOBODY
    leader: Leader | None = None
    former: str = ""
