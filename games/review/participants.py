"""The people in a shared review and their leader, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from games.presence.people import NOBODY, People


@dataclass(frozen=True, slots=True)
class Leader:
    """The leader, with the step, the perspective, and whether the bot was ``asked`` about the step.

    Of two who started at once the one with the lower key leads.
    ``channel`` is the socket through which the person leads: "" while the page is reloaded, or the lead handed over.
    """

    key: str
    user_id: int
    name: str
    at: int
    perspective: str
    channel: str = ""
    asked: bool = False

    @property
    def order(self) -> tuple[str, bool, str]:
        """Return by what one of several is chosen: who began first, and a page that is there."""
        return self.key, not self.channel, self.channel


@dataclass(frozen=True, slots=True)
class Shown:
    """What everybody on the page sees. ``former`` led last, if nobody leads now."""

    people: People = NOBODY
    leader: Leader | None = None
    former: str = ""
