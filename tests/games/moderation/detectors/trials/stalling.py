"""Randomly played matches with realistic times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import log
from random import Random

from games.engine.events import Event
from games.engine.playout import playout
from games.engine.variants import rules_for
from games.enums import Clock
from games.match.time_control import TIME_CONTROLS
from games.moderation.detectors import facts, stalling
from games.moderation.detectors.facts import CHOSEN_MOVES, RecordRow
from tests.games.moderation.detectors.trials.rate import Rate, Trial

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
# Turns take log-normal times: half of the people have a median below 4.5 seconds, one in a hundred above 13.
MEDIAN_SECONDS, BETWEEN_PEOPLE, WITHIN_PERSON = 4.5, 0.45, 0.75
STALLED = 5 / 6  # share of the turns that somebody who stalls draws out
GAMES = (("kozel", 4), ("all_fives", 2), ("rytmino", 3), ("triominoes", 2), ("gamezz", 2))


def trial(count: int, chance: Random) -> Trial:
    """Try all people of matches with the fast clock, which is the hardest for slow thinkers, then one who stalls."""
    innocent = guilty = tried = 0
    for number in range(count):
        variant, seats = GAMES[number % len(GAMES)]
        events = playout(rules_for(variant), seats, {}, f"stalling-{number}", greedy=True)
        for staller in (None, 0):
            turns = list(facts.load_turns(timed(events, Clock.FAST, chance, staller), Clock.FAST))
            alarms = [stalling.measure_slowness(turns, seat).measure >= stalling.THRESHOLD for seat in range(seats)]
            if staller is None:
                innocent, tried = innocent + sum(alarms), tried + seats
            else:
                guilty += alarms[staller]
    return Trial(Rate(innocent, tried), Rate(guilty, count))


def timed(events: Sequence[Event], clock: str, chance: Random, staller: int | None = None) -> list[RecordRow]:
    """Return the record with realistic times. The staller takes at least 92 % of the free time in 5 of 6 turns."""
    control = TIME_CONTROLS[clock]
    people: defaultdict[int, float] = defaultdict(lambda: _log_normal(chance, MEDIAN_SECONDS, BETWEEN_PEOPLE))
    free, bank = control.move_ms / 1000, control.bank_ms / 1000
    at, record = BEGAN, []
    for seq, event in enumerate(events, 1):
        if isinstance(event, CHOSEN_MOVES):
            seconds = _log_normal(chance, people[event.seat], WITHIN_PERSON)
            if event.seat == staller and chance.random() < STALLED:
                seconds = free * chance.uniform(0.92, 1.1)
            at += timedelta(seconds=min(seconds, free + bank / 10))
        record.append((seq, event, at))
    return record


def _log_normal(chance: Random, median: float, spread: float) -> float:
    return chance.lognormvariate(log(median), spread)
