"""The deals of all public matches, counted once a day beside everything else."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice

from games.history.deal_statistics import Counts
from games.match import record
from games.models import DealStatistics
from games.records import exports

BETWEEN = timedelta(hours=23)
AT_ONCE = 5
"""Matches counted in one go, so that nothing waits for it."""


def count_deals(now: datetime) -> Iterator[int]:
    """Count, and keep the result for the page about it; yields after every few matches.

    Nothing is counted where the newest count is of the same day, as after a restart.
    """
    if DealStatistics.objects.filter(made_at__gt=now - BETWEEN).exists():
        return
    counts = Counts()
    matches = iter(list(exports.of_everybody()))
    while few := list(islice(matches, AT_ONCE)):
        for match_id in few:
            if events := record.events(match_id):
                counts.add(events)
        yield len(few)
    if counts.found:
        DealStatistics.objects.create(data=counts.data())
