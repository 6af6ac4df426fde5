"""Two people who play rated matches with each other for a week, looked at after each."""

from __future__ import annotations

from math import erf, sqrt
from random import Random

from games.moderation.detectors import farming
from games.moderation.detectors.farming import LUCK, Meeting, Skills
from games.ratings.skill import MODEL
from tests.games.moderation.detectors.trials.rate import Rate, Trial

MATCHES = (5, 14)
SETTLED = 4.0
"""How uncertain the rating of somebody known is; half of the pairs are new."""
IMPATIENT, GIVES_UP = 0.2, (0.03, 0.3)
"""One person in five gives up three of ten matches that are being lost, the others three in a hundred."""
THROWN, GIVEN_UP = 0.95, 0.7
"""Of matches that are given away: how many are lost, and how many of these are no match at all."""


def trial(count: int, chance: Random) -> Trial:
    """Pairs whose skills differ as those of people do; then pairs of whom one gives the matches away."""
    innocent = sum(_alarms(*_innocent(chance)) for _pair in range(count))
    guilty = sum(_alarms(*_guilty(chance)) for _pair in range(count))
    return Trial(Rate(innocent, count), Rate(guilty, count))


def _alarms(met: list[Meeting], skills: Skills) -> bool:
    return any(farming.chance(met[:end], skills) <= farming.THRESHOLD for end in range(1, len(met) + 1))


def _innocent(chance: Random) -> tuple[list[Meeting], Skills]:
    skill = [chance.gauss(0, MODEL.sigma) for _person in range(2)]
    settled = chance.random() < 1 / 2
    rated = [chance.gauss(each, SETTLED) if settled else 0.0 for each in skill]
    spread = sqrt(2) * (SETTLED if settled else MODEL.sigma)
    probable = (1 + erf((skill[0] - skill[1]) / LUCK / sqrt(2))) / 2
    gives_up = GIVES_UP[chance.random() < IMPATIENT]
    met = []
    for _match in range(chance.randint(*MATCHES)):
        won = chance.random() < probable
        met.append(Meeting(won, won and chance.random() < gives_up))
    return met, Skills(rated[0] - rated[1], spread)


def _guilty(chance: Random) -> tuple[list[Meeting], Skills]:
    """Both accounts are new: nothing speaks against the winner but how the matches went."""
    met = []
    for _match in range(chance.randint(*MATCHES)):
        won = chance.random() < THROWN
        met.append(Meeting(won, won and chance.random() < GIVEN_UP))
    return met, Skills(0.0, sqrt(2) * MODEL.sigma)
