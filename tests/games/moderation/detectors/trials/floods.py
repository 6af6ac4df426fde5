"""Simulates a week of one person's chat lines, and the conduct marks for those that the rate limit refuses."""

from __future__ import annotations

from collections import deque
from datetime import UTC, datetime, timedelta
from math import log
from random import Random

from games.moderation.detectors import floods
from tests.games.moderation.detectors.trials.rate import Rate, Trial

START = datetime(2026, 1, 1, tzinfo=UTC)
MAX_LINES = 5  # in a window of the rate limit of ``chat.posting``
RATE_WINDOW = timedelta(seconds=10)
MIN_MARK_INTERVAL = timedelta(minutes=1)  # of ``conduct.ledger``
EVENINGS = 7
LINES_PER_EVENING = 80
GAP_SECONDS = 20.0  # median time between two chat lines
NEXT_PART_SECONDS = 2.5  # median time before the next part of a split sentence
SPLIT_SHARE = 0.15  # share of lines that begin a split sentence
FLOODS_PER_WEEK = 8
FLOOD_LINES = 12
FLOOD_SECONDS = 0.7  # between the lines of a flood


def trial(count: int, chance: Random) -> Trial:
    """Simulate people who chat a lot every evening of a week, without and with floods."""
    innocent = sum(_raises_alarm(_week(chance, flood_count=0)) for _person in range(count))
    guilty = sum(_raises_alarm(_week(chance, flood_count=FLOODS_PER_WEEK)) for _person in range(count))
    return Trial(Rate(innocent, count), Rate(guilty, count))


def _raises_alarm(lines: list[datetime]) -> bool:
    return floods.count_recent_marks(marks_of(lines), START + floods.WEEK) >= floods.THRESHOLD


def _week(chance: Random, *, flood_count: int) -> list[datetime]:
    lines: list[datetime] = []
    for evening in range(EVENINGS):
        at = START + timedelta(days=evening)
        for _line in range(LINES_PER_EVENING):
            at += timedelta(seconds=chance.lognormvariate(log(GAP_SECONDS), 1.0))
            lines.append(at)
            while chance.random() < (SPLIT_SHARE if lines[-1] == at else 1 / 2):
                lines.append(lines[-1] + timedelta(seconds=chance.lognormvariate(log(NEXT_PART_SECONDS), 0.5)))
            at = lines[-1]
    for _flood in range(flood_count):
        at = START + timedelta(days=chance.randrange(EVENINGS), minutes=chance.uniform(0, 30))
        lines += [at + line * timedelta(seconds=FLOOD_SECONDS) for line in range(FLOOD_LINES)]
    return sorted(lines)


def marks_of(lines: list[datetime]) -> list[datetime]:
    """Return the times of refused lines, at most one a minute."""
    marks: list[datetime] = []
    accepted: deque[datetime] = deque(maxlen=MAX_LINES)
    for at in lines:
        if len(accepted) < MAX_LINES or accepted[0] <= at - RATE_WINDOW:
            accepted.append(at)
        elif not marks or at - marks[-1] >= MIN_MARK_INTERVAL:
            marks.append(at)
    return marks
