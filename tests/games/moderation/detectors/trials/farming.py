"""Two people who play rated matches with each other for a week, scanned after each."""

from __future__ import annotations

from math import erf, sqrt
from random import Random

from games.moderation.detectors import farming
from games.moderation.detectors.farming import RESULT_DEVIATION, Meeting, Skills
from games.ratings.skill import MODEL
from tests.games.moderation.detectors.trials.rate import Rate, Trial

MATCHES = (5, 14)
SETTLED_SIGMA = 4.0  # of a settled rating; half of the pairs are new
IMPATIENT = 0.2  # share of people who often give up
GIVES_UP = (0.03, 0.3)  # share of lost matches that patient and impatient people give up
THROWN = 0.95  # share of lost matches among those that are given away
GIVEN_UP = 0.7  # share of short matches among the lost ones


def trial(count: int, chance: Random) -> Trial:
    """Try pairs with a realistic difference of skill, then pairs in which one person gives the matches away."""
    innocent = sum(_alarms(*_innocent(chance)) for _pair in range(count))
    guilty = sum(_alarms(*_guilty(chance)) for _pair in range(count))
    return Trial(Rate(innocent, count), Rate(guilty, count))


def _alarms(meetings: list[Meeting], skills: Skills) -> bool:
    return any(
        farming.innocence_probability(meetings[:end], skills) <= farming.THRESHOLD
        for end in range(1, len(meetings) + 1)
    )


def _innocent(chance: Random) -> tuple[list[Meeting], Skills]:
    skill = [chance.gauss(0, MODEL.sigma) for _person in range(2)]
    settled = chance.random() < 1 / 2
    rated = [chance.gauss(mean, SETTLED_SIGMA) if settled else 0.0 for mean in skill]
    spread = sqrt(2) * (SETTLED_SIGMA if settled else MODEL.sigma)
    probable = (1 + erf((skill[0] - skill[1]) / RESULT_DEVIATION / sqrt(2))) / 2
    gives_up = GIVES_UP[chance.random() < IMPATIENT]
    meetings = []
    for _match in range(chance.randint(*MATCHES)):
        won = chance.random() < probable
        meetings.append(Meeting(won, won and chance.random() < gives_up))
    return meetings, Skills(rated[0] - rated[1], spread)


def _guilty(chance: Random) -> tuple[list[Meeting], Skills]:
    """Play as two new accounts, so that only the results are suspicious."""
    meetings = []
    for _match in range(chance.randint(*MATCHES)):
        won = chance.random() < THROWN
        meetings.append(Meeting(won, won and chance.random() < GIVEN_UP))
    return meetings, Skills(0.0, sqrt(2) * MODEL.sigma)
