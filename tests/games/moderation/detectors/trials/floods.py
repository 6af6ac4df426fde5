"""A week of somebody who writes in the chat, with the marks that the rate limit makes of it."""

from __future__ import annotations

from collections import deque
from datetime import UTC, datetime, timedelta
from math import log
from random import Random

from games.moderation.detectors import floods
from tests.games.moderation.detectors.trials.rate import Rate, Trial

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
LINES, WITHIN, ONCE_IN = 5, timedelta(seconds=10), timedelta(minutes=1)
"""As the chat takes them (``services.chat``, ``conduct.ledger``)."""
EVENINGS, LINES_AN_EVENING = 7, 80
GAP, IN_A_ROW, PARTS = 20.0, 2.5, 0.15
"""Median seconds before a line; before the next part of a sentence that is cut up; how many lines begin one."""
FLOODS, OF_A_FLOOD, SECONDS = 8, 12, 0.7
"""How often somebody floods in a week, with how many lines, so many seconds apart."""


def trial(count: int, chance: Random) -> Trial:
    """People who chat a lot every evening of a week; then the same with floods in between."""
    innocent = sum(_alarms(_week(chance, floods_of=0)) for _person in range(count))
    guilty = sum(_alarms(_week(chance, floods_of=FLOODS)) for _person in range(count))
    return Trial(Rate(innocent, count), Rate(guilty, count))


def _alarms(lines: list[datetime]) -> bool:
    return floods.count(marks_of(lines), BEGAN + floods.WEEK) >= floods.THRESHOLD


def _week(chance: Random, *, floods_of: int) -> list[datetime]:
    lines: list[datetime] = []
    for evening in range(EVENINGS):
        at = BEGAN + timedelta(days=evening)
        for _line in range(LINES_AN_EVENING):
            at += timedelta(seconds=chance.lognormvariate(log(GAP), 1.0))
            lines.append(at)
            while chance.random() < (PARTS if lines[-1] == at else 1 / 2):
                lines.append(lines[-1] + timedelta(seconds=chance.lognormvariate(log(IN_A_ROW), 0.5)))
            at = lines[-1]
    for _flood in range(floods_of):
        at = BEGAN + timedelta(days=chance.randrange(EVENINGS), minutes=chance.uniform(0, 30))
        lines += [at + line * timedelta(seconds=SECONDS) for line in range(OF_A_FLOOD)]
    return sorted(lines)


def marks_of(lines: list[datetime]) -> list[datetime]:
    """Return when lines are refused, once a minute at most."""
    marks: list[datetime] = []
    taken: deque[datetime] = deque(maxlen=LINES)
    for at in lines:
        if len(taken) < LINES or taken[0] <= at - WITHIN:
            taken.append(at)
        elif not marks or at - marks[-1] >= ONCE_IN:
            marks.append(at)
    return marks
