"""The rates of the detectors: hardly any alarms about innocent play, and most of the guilty are found."""

from __future__ import annotations

from random import Random

import pytest

from games.detectors import trials
from games.detectors.trials import Rate


def test_the_interval_is_wilsons() -> None:
    # Of 0 in 100 the upper end is z² / (n + z²) = 3.8416 / 103.8416.
    assert Rate(0, 100).interval == pytest.approx((0.0, 0.037), abs=0.0001)
    assert Rate(50, 100).interval == pytest.approx((0.4038, 0.5962), abs=0.0001)


def test_stalling() -> None:
    tried = trials.stalling_trial(25, Random(1))
    assert tried.innocent.alarms == 0
    assert tried.guilty.alarms >= 10
