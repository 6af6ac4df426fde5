"""No bot gets into rated matches, ratings, leaderboards, quick games or tournaments of people.

``TRIES=1000`` tries more often than the usual run.
"""

from __future__ import annotations

import os
from random import Random

import pytest

from accounts.models import User
from tests.games.api.closed_doors import ClosedDoors

TRIES = int(os.environ.get("TRIES", "40"))
TRIES_BEFORE_RENEWAL = 100


@pytest.mark.django_db
@pytest.mark.seed(1)
def test_bot_never_gets_where_only_people_play() -> None:
    doors = ClosedDoors(Random(TRIES))
    for number in range(TRIES):
        doors.attempt()
        if number % TRIES_BEFORE_RENEWAL == TRIES_BEFORE_RENEWAL - 1:
            doors.renew()
        if number % 20 == 0 or number == TRIES - 1:
            assert list(doors.breaches()) == [], number
    print(doors.answers)
    assert doors.answers["200"] > TRIES / 20, "some requests are allowed"


@pytest.mark.django_db
@pytest.mark.seed(1)
def test_attempts_find_an_open_door(monkeypatch: pytest.MonkeyPatch) -> None:
    doors = ClosedDoors(Random(1))
    monkeypatch.setattr(User, "is_bot", False)
    for _number in range(100):
        doors.attempt()
        if places := list(doors.breaches()):
            break
    assert places
