"""Counts how often two people recently met in rated matches: the more often, the less another match counts."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import combinations

# Of the meetings within this time, the second counts half, the third a third, and so on.
FAMILIARITY_WINDOW = timedelta(days=7)
MAX_TIME_DISORDER = timedelta(days=1)  # rows of matches are at most this far from the order of their times


class Meetings:
    """The times at which each pair of people met; matches are added in roughly chronological order."""

    def __init__(self) -> None:
        self.by_pair: defaultdict[frozenset[int], deque[datetime]] = defaultdict(deque)

    def add_match(self, people: Iterable[int | None], at: datetime) -> None:
        """Add a match of these people; None stands for deleted accounts."""
        for pair in combinations([user_id for user_id in people if user_id is not None], 2):
            self.by_pair[frozenset(pair)].append(at)

    def count_meetings(self, first_id: int, second_id: int, now: datetime) -> int:
        """Return how often the two met during the ``FAMILIARITY_WINDOW``."""
        times = self.by_pair.get(frozenset((first_id, second_id)))
        if times is None:
            return 0
        while times and times[0] <= now - FAMILIARITY_WINDOW - MAX_TIME_DISORDER:
            times.popleft()
        return sum(at > now - FAMILIARITY_WINDOW for at in times)
