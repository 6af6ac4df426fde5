"""Referees at some point of a match."""

from __future__ import annotations

import pytest

from tests.engine.table import BAZAAR, HANDS, RefereeClient


@pytest.fixture
def table() -> RefereeClient:
    """A match of two, before its first deal."""
    table = RefereeClient()
    table.do("new", variant="kozel", seats=2)
    return table


@pytest.fixture
def running(table: RefereeClient) -> RefereeClient:
    """The same match after its first deal."""
    table.deal(HANDS, BAZAAR)
    return table


@pytest.fixture
def over(table: RefereeClient) -> RefereeClient:
    """The same match when it is over: both accounts began at 100."""
    table.do("standing", standing=["=100", "=100"])
    table.do("deal", seed="last")
    state = table.play_out()
    assert state["match_over"]
    return table
