"""The people in a shared review and their leader, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from games.presence.people import NOBODY, People


@dataclass(frozen=True, slots=True)
class Leader:
    """The leader, with the current step and perspective, and whether the analysis of the step was requested.

    ``key`` stays the same when the lead is handed over. ``channel`` is the leader's socket: "" while the page reloads,
    or until the new leader takes over.
    """

    key: str
    user_id: int
    name: str
    step_number: int
    perspective: str
    channel: str = ""
    has_analysis: bool = False


@dataclass(frozen=True, slots=True)
class SharedReview:
    """The state of a shared review that its page shows. ``former_leader`` is the last leader, if nobody leads now."""

    people: People = NOBODY
    leader: Leader | None = None
    former_leader: str = ""
