"""Detectors hardly ever report innocent play, and they report guilty play."""

from __future__ import annotations

from random import Random
from types import ModuleType

import pytest

from tests.games.moderation.detectors.trials import farming, floods, names, partners, stalling, throwing


@pytest.mark.parametrize(
    ("detector", "count", "innocent", "guilty"),
    [(stalling, 25, 0, 10), (farming, 60, 0, 20), (names, 60, 2, 30), (floods, 40, 0, 35)],
)
def test_rates(detector: ModuleType, count: int, innocent: int, guilty: int) -> None:
    rates = detector.trial(count, Random(1))
    assert rates.innocent.alarms <= innocent
    assert rates.guilty.alarms >= guilty


def test_throwing() -> None:
    rates = throwing.trial(1, Random(1), games=[("all_fives", 2)])
    assert rates.innocent.alarms == 0
    assert rates.guilty.alarms == 1


def test_partners() -> None:
    rates = partners.trial(2, Random(1))
    assert rates.innocent.alarms == 0
    assert (rates.innocent.trials, rates.guilty.trials) == (2, 2)
