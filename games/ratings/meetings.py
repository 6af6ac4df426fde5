"""How often two people met in rated matches lately: the more often, the less another match counts for them."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from datetime import datetime, timedelta

FAMILIAR = timedelta(days=7)  # meetings are remembered this long: the second counts half, the third a third, and so on
DISORDER = timedelta(days=1)  # rows of matches are at most this far from the order of their times


class Meetings:
    """When each pair of people met, for matches that are added in about the order of time."""

    def __init__(self) -> None:
        self.by_pair: defaultdict[frozenset[int], deque[datetime]] = defaultdict(deque)

    def add(self, people: Iterable[int | None], at: datetime) -> None:
        """Note a match of these people; those whose accounts were deleted are None."""
        known = [user_id for user_id in people if user_id is not None]
        for number, one in enumerate(known):
            for other in known[number + 1 :]:
                self.by_pair[frozenset((one, other))].append(at)

    def number(self, one: int, other: int, now: datetime) -> int:
        """Return how often the two met within ``FAMILIAR`` before now."""
        times = self.by_pair.get(frozenset((one, other)))
        if times is None:
            return 0
        while times and times[0] <= now - FAMILIAR - DISORDER:
            times.popleft()
        return sum(at > now - FAMILIAR for at in times)
