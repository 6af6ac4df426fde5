"""A week of somebody who writes in the chat, with the marks that the rate limit leaves."""

from __future__ import annotations

from collections import deque
from datetime import UTC, datetime, timedelta
from math import log
from random import Random

from games.moderation.detectors import floods
from tests.games.moderation.detectors.trials.rate import Rate, Trial

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
LINES, WITHIN = 5, timedelta(seconds=10)  # the rate limit of ``chat.posting``
ONCE_IN = timedelta(minutes=1)  # marks of ``conduct.ledger``
EVENINGS, LINES_AN_EVENING = 7, 80
GAP_SECONDS = 20.0  # median before a line
NEXT_PART_SECONDS = 2.5  # median before the next part of a split sentence
PARTS = 0.15  # share of lines that begin a split sentence
FLOODS = 8  # a week
FLOOD_LINES = 12
FLOOD_SECONDS = 0.7  # between the lines of a flood


def trial(count: int, chance: Random) -> Trial:
    """Try people who chat a lot every evening of a week, then the same people with floods in between."""
    innocent = sum(_alarms(_week(chance, flood_count=0)) for _person in range(count))
    guilty = sum(_alarms(_week(chance, flood_count=FLOODS)) for _person in range(count))
    return Trial(Rate(innocent, count), Rate(guilty, count))


def _alarms(lines: list[datetime]) -> bool:
    return floods.count_recent_marks(marks_of(lines), BEGAN + floods.WEEK) >= floods.THRESHOLD


def _week(chance: Random, *, flood_count: int) -> list[datetime]:
    lines: list[datetime] = []
    for evening in range(EVENINGS):
        at = BEGAN + timedelta(days=evening)
        for _line in range(LINES_AN_EVENING):
            at += timedelta(seconds=chance.lognormvariate(log(GAP_SECONDS), 1.0))
            lines.append(at)
            while chance.random() < (PARTS if lines[-1] == at else 1 / 2):
                lines.append(lines[-1] + timedelta(seconds=chance.lognormvariate(log(NEXT_PART_SECONDS), 0.5)))
            at = lines[-1]
    for _flood in range(flood_count):
        at = BEGAN + timedelta(days=chance.randrange(EVENINGS), minutes=chance.uniform(0, 30))
        lines += [at + line * timedelta(seconds=FLOOD_SECONDS) for line in range(FLOOD_LINES)]
    return sorted(lines)


def marks_of(lines: list[datetime]) -> list[datetime]:
    """Return the times of refused lines, at most one a minute."""
    marks: list[datetime] = []
    accepted: deque[datetime] = deque(maxlen=LINES)
    for at in lines:
        if len(accepted) < LINES or accepted[0] <= at - WITHIN:
            accepted.append(at)
        elif not marks or at - marks[-1] >= ONCE_IN:
            marks.append(at)
    return marks
