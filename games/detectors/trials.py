"""Trials of the detectors: how often innocent play is reported, and how often planted guilty play is.

Matches are played by chance by the rules, and timed by stated distributions. Nobody is real, so the rates are those
of the distributions: they say whether a threshold can be held, not how people behave.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from math import log, sqrt
from random import Random
from typing import NamedTuple

from games.detectors import facts, stalling
from games.detectors.facts import CHOSEN, Row
from games.engine.events import Event
from games.engine.playout import playout
from games.engine.variants import rules_for
from games.enums import Clock, Detector
from games.match.time_control import CONTROLS

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
Z = 1.96
"""95 % of a normal distribution lie within so many standard deviations."""
MEDIAN_SECONDS, BETWEEN_PEOPLE, WITHIN_PERSON = 4.5, 0.45, 0.75
"""A turn takes a log-normal time: half of the people have a median below 4.5 seconds, one in a hundred above 13."""
STALLED = 5 / 6
GAMES = (("kozel", 4), ("all_fives", 2), ("rytmino", 3), ("triominoes", 2), ("gamezz", 2))


class Rate(NamedTuple):
    """How many of the cases that were looked at gave an alarm."""

    alarms: int
    looked: int

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval, in which the true rate lies in 95 of 100 trials.

        >>> [round(end, 3) for end in Rate(0, 100).interval], [round(end, 3) for end in Rate(50, 100).interval]
        ([0.0, 0.037], [0.404, 0.596])
        """
        if not self.looked:
            return 0.0, 1.0
        part, squared = self.alarms / self.looked, Z * Z / self.looked
        middle = part + squared / 2
        reach = Z * sqrt(part * (1 - part) / self.looked + squared / self.looked / 4)
        return max(0.0, (middle - reach) / (1 + squared)), min(1.0, (middle + reach) / (1 + squared))


class Trial(NamedTuple):
    """A detector on innocent play, and on the same with somebody guilty."""

    detector: str
    innocent: Rate
    guilty: Rate


def all_trials(count: int, seed: int) -> Iterator[Trial]:
    """Try each detector so many times."""
    yield stalling_trial(count, Random(seed))  # noqa: S311 (repeatable on purpose)


def stalling_trial(count: int, chance: Random) -> Trial:
    """Every person of matches with the fast clock, where slow thinkers come nearest; then one who stalls in each."""
    innocent = guilty = looked = 0
    for number in range(count):
        variant, seats = GAMES[number % len(GAMES)]
        events = playout(rules_for(variant), seats, {}, f"stalling-{number}", greedy=True)
        for staller in (None, 0):
            turns = list(facts.turns_of(timed(events, Clock.FAST, chance, staller), Clock.FAST))
            alarms = [stalling.slowness(turns, seat).measure >= stalling.THRESHOLD for seat in range(seats)]
            if staller is None:
                innocent, looked = innocent + sum(alarms), looked + seats
            else:
                guilty += alarms[staller]
    return Trial(Detector.STALLING, Rate(innocent, looked), Rate(guilty, count))


def timed(events: Sequence[Event], clock: str, chance: Random, staller: int | None = None) -> list[Row]:
    """Return the record with times as people take them; one who stalls takes 92 % or more of the time 5 in 6 times."""
    control = CONTROLS[clock]
    people: defaultdict[int, float] = defaultdict(lambda: _log_normal(chance, MEDIAN_SECONDS, BETWEEN_PEOPLE))
    free, bank = control.move_ms / 1000, control.bank_ms / 1000
    at, record = BEGAN, []
    for seq, event in enumerate(events, 1):
        if isinstance(event, CHOSEN):
            seconds = _log_normal(chance, people[event.seat], WITHIN_PERSON)
            if event.seat == staller and chance.random() < STALLED:
                seconds = free * chance.uniform(0.92, 1.1)
            at += timedelta(seconds=min(seconds, free + bank / 10))
        record.append((seq, event, at))
    return record


def _log_normal(chance: Random, median: float, spread: float) -> float:
    return chance.lognormvariate(log(median), spread)
