"""Sockets that are lost without a word: many at once are a fault of the site."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime, timedelta

import pytest

from games.presence.losses import Losses

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def losses_of(lost: int, were_open: int, *, apart: timedelta = timedelta(0)) -> Losses:
    """Let so many of the open sockets be lost, one after the other."""
    losses = Losses()
    with ExitStack() as sockets:
        for _socket in range(were_open):
            sockets.enter_context(losses.counted())
        for number in range(lost):
            losses.add(NOON + number * apart)
    return losses


@pytest.mark.parametrize(
    ("lost", "were_open", "many"), [(11, 40, True), (10, 40, False), (8, 8, True), (7, 7, False), (8, 31, True)]
)
def test_more_than_a_quarter_and_at_least_eight_are_many(lost: int, were_open: int, many: bool) -> None:
    assert (losses_of(lost, were_open).since(NOON + SECOND) == NOON) is many


def test_after_ten_seconds_they_are_forgotten() -> None:
    assert losses_of(8, 8).since(NOON + 10 * SECOND) is None


def test_as_many_over_a_longer_time_are_nobodys_fault() -> None:
    assert losses_of(12, 40, apart=SECOND).since(NOON + 12 * SECOND) is None


def test_a_socket_that_is_closed_is_not_counted_any_more() -> None:
    losses = Losses()
    with losses.counted():
        assert losses.open == 1
    assert losses.open == 0
