"""The people in a shared review and their leader, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from games.presence.people import NOBODY, People


@dataclass(frozen=True, slots=True)
class Leader:
    """The leader, with the step, the perspective, and whether the bot was ``asked`` about the step.

    ``key`` stays the same when the lead is handed over. ``channel`` is the socket through which the person leads: ""
    while the page is reloaded, or until the person to whom the lead was handed over takes it.
    """

    key: str
    user_id: int
    name: str
    at: int
    perspective: str
    channel: str = ""
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """What everybody on the page sees. ``former`` led last, if nobody leads now."""

    people: People = NOBODY
    leader: Leader | None = None
    former: str = ""
