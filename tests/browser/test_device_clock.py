"""A table's clock follows the server, whatever happens to the device's clock."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from tests.browser import people
from tests.browser.typist import PREPARE_TABLE
from tests.browser.visitor import Visitor
from tests.server import Server

pytestmark = pytest.mark.site(PACE="0.1")

MOVABLE_CLOCKS = """
    window.shift = { date: 0, performance: 0 };
    const [date, monotonic] = [Date.now.bind(Date), performance.now.bind(performance)];
    Date.now = () => date() + window.shift.date;
    performance.now = () => monotonic() + window.shift.performance;
"""
TICK_MS = 300  # the page updates its clocks every 100 ms
TOLERANCE_SECONDS = 4


@pytest.fixture
def page(visitor: Visitor, site: Server) -> Page:
    """Return the page of somebody whose turn it is, with a minute for it and five to spare."""
    session, address = site.run_code(
        PREPARE_TABLE.format('match_in_state([ann], stages.has_a_choice, variant="kozel", clock="relaxed")')
    )
    visitor.page.add_init_script(MOVABLE_CLOCKS)
    visitor.enter(session)
    people.visit_table(visitor, address)
    return visitor.page


def seconds_left(page: Page) -> int:
    page.wait_for_timeout(TICK_MS)
    parts = re.findall(r"(\d+):(\d+)", page.locator("#clock").inner_text())
    return sum(60 * int(minutes) + int(seconds) for minutes, seconds in parts)


def lose_seconds(page: Page, clock: str, seconds: int) -> int:
    """Set a clock of the device, and return how many seconds of the turn the page has lost by that."""
    before = seconds_left(page)
    page.evaluate("([clock, shift]) => { window.shift[clock] += shift; }", [clock, 1000 * seconds])
    return before - seconds_left(page)


def test_setting_the_devices_clock_does_not_change_the_tables(page: Page) -> None:
    for seconds in (90, -180, 3600):
        assert abs(lose_seconds(page, "date", seconds)) <= TOLERANCE_SECONDS, seconds


def test_next_frame_corrects_the_clock_after_sleep(page: Page) -> None:
    asleep, before = 40, seconds_left(page)
    assert lose_seconds(page, "performance", -asleep) < TOLERANCE_SECONDS - asleep
    # a page that becomes visible requests a frame
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    for _look in range(20):
        if seconds_left(page) <= before:
            break
    assert before - 3 * TOLERANCE_SECONDS <= seconds_left(page) <= before
