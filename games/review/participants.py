"""The people on the page of a review, and who of them leads: plain values; ``shared_review`` finds them out."""

from __future__ import annotations

from dataclasses import dataclass

Name = tuple[str, bool]
"""A name, and whether it is a guest's."""


@dataclass(frozen=True, slots=True)
class Leader:
    """Who leads, at which step and from which perspective. Of two who began at once
    the one with the lower key leads.
    """

    key: str
    name: str
    at: int
    perspective: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What everybody on the page is shown. ``former`` is who led before nobody did, ``others`` a number."""

    names: tuple[Name, ...] = ()
    others: int = 0
    leader: Leader | None = None
    former: str = ""

    @property
    def people(self) -> int:
        return len(self.names) + self.others
