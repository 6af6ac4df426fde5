"""The points that people lost by their choices on the boards of a month, from the reports of their matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from math import sqrt
from statistics import fmean, stdev

from games import caches
from games.caches import ProcessCache
from games.daily_boards.content import ChoiceLoss
from games.match_reports import reports
from games.models import BoardDay, Seat
from games.services import board_days

MAX_BOARDS = 60  # the latest of each person, so that the cost of a page does not grow
MIN_CHOICES = 30  # fewer say nothing
CERTAINTY = 1.96  # standard errors: the value is in the interval 19 times in 20
SECONDS_PER_HOUR = 3600


_losses: ProcessCache[ChoiceLoss | None] = caches.choice_losses


def load_losses(days: Sequence[BoardDay], user_ids: Collection[int], now: datetime) -> dict[int, ChoiceLoss]:
    """Return the losses of people on the boards of closed days of one month.

    They are read again after an hour. People without enough choices are missing.
    """
    hour = int(now.timestamp() // SECONDS_PER_HOUR)
    keys = {user_id: (days[0].variant, days[0].date.replace(day=1), user_id) for user_id in user_ids}
    entries = {user_id: _losses().get_entry(key) for user_id, key in keys.items()}
    stale = [user_id for user_id, entry in entries.items() if entry is None or entry[0] != hour]
    read = _read_losses(days, stale) if stale else {}
    for user_id in stale:
        _losses().put(keys[user_id], hour, read.get(user_id))
    current = {user_id: entry[1] for user_id, entry in entries.items() if entry is not None} | read
    return {user_id: loss for user_id, loss in current.items() if loss is not None}


def _read_losses(days: Sequence[BoardDay], user_ids: Collection[int]) -> dict[int, ChoiceLoss]:
    sources = [source for day in days for source in board_days.sources_of(day)]
    seats = Seat.objects.filter(match__source__in=sources, user__in=user_ids).order_by("-match")
    boards: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for user_id, match_id, index in seats.values_list("user", "match", "index"):
        boards[user_id].append((match_id, index))
    latest = {user_id: played[:MAX_BOARDS] for user_id, played in boards.items()}
    by_match = reports.reports_of([match_id for played in latest.values() for match_id, _index in played])
    losses = {
        user_id: [
            choice.loss
            for match_id, index in played
            if match_id in by_match
            for choice in by_match[match_id].choices
            if choice.seat == index
        ]
        for user_id, played in latest.items()
    }
    return {user_id: _mean_loss(values) for user_id, values in losses.items() if len(values) >= MIN_CHOICES}


def _mean_loss(losses: Sequence[float]) -> ChoiceLoss:
    return ChoiceLoss(max(0.0, fmean(losses)), CERTAINTY * stdev(losses) / sqrt(len(losses)))
