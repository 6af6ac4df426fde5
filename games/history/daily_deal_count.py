"""The daily count of the deals of all public matches."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice

from games.history.deal_statistics import DealCounter
from games.match import record
from games.models import DealStatistics
from games.records import exports

MIN_INTERVAL = timedelta(hours=23)  # no second count on the same day, for example after a restart
MATCHES_PER_BATCH = 5  # few, so that other work on the database is not delayed


def count_public_deals(now: datetime) -> Iterator[int]:
    """Count all deals and store the result; yields the number of matches after each batch."""
    if DealStatistics.objects.filter(made_at__gt=now - MIN_INTERVAL).exists():
        return
    counts = DealCounter()
    matches = iter(list(exports.public_match_ids()))
    while batch := list(islice(matches, MATCHES_PER_BATCH)):
        for match_id in batch:
            if events := record.events(match_id):
                counts.add(events)
        yield len(batch)
    if counts.deals:
        DealStatistics.objects.create(data=counts.data())
