"""Referees at a given moment, for tests."""

from __future__ import annotations

import pytest

from tests.engine.table import BAZAAR, HANDS, Table


@pytest.fixture
def table() -> Table:
    """A match of two, before its first deal."""
    table = Table()
    table.do("new", variant="kozel", seats=2)
    return table


@pytest.fixture
def running(table: Table) -> Table:
    """The same with a round dealt."""
    table.deal(HANDS, BAZAAR)
    return table


@pytest.fixture
def over(table: Table) -> Table:
    """The same, its match over: seat 1 went beyond 100 whoever went out."""
    table.do("standing", standing=["=100", "=100"])
    table.do("deal", seed="last")
    state = table.play_out()
    assert state["match_over"]
    return table
