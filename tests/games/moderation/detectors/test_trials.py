"""The rates of the detectors: hardly any alarms about innocent play, and the guilty are found."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.moderation.detectors.trials import farming, floods, names, partners, stalling, throwing
from tests.games.moderation.detectors.trials.rate import Rate


def test_the_interval_is_wilsons() -> None:
    # Of 0 in 100 the upper end is z² / (n + z²) = 3.8416 / 103.8416.
    assert Rate(0, 100).interval == pytest.approx((0.0, 0.037), abs=0.0001)
    assert Rate(50, 100).interval == pytest.approx((0.4038, 0.5962), abs=0.0001)


def test_stalling() -> None:
    tried = stalling.trial(25, Random(1))
    assert tried.innocent.alarms == 0
    assert tried.guilty.alarms >= 10


def test_farming() -> None:
    tried = farming.trial(60, Random(1))
    assert tried.innocent.alarms == 0
    assert tried.guilty.alarms >= 20


def test_names() -> None:
    tried = names.trial(60, Random(1))
    assert tried.innocent.alarms <= 2
    assert tried.guilty.alarms >= 30


def test_floods() -> None:
    tried = floods.trial(40, Random(1))
    assert tried.innocent.alarms == 0
    assert tried.guilty.alarms >= 35


def test_throwing() -> None:
    tried = throwing.trial(1, Random(1), games=[("all_fives", 2)])
    assert tried.innocent.alarms == 0
    assert tried.guilty.alarms == 1


def test_partners() -> None:
    tried = partners.trial(2, Random(1))
    assert tried.innocent.alarms == 0
    assert (tried.innocent.looked, tried.guilty.looked) == (2, 2)
