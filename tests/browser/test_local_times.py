"""Times are shown in the reader's time zone, or in UTC without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

REVIEW = """
from tests.games.reviewed import play_random_moves, stop_match
answer = f"/match/{stop_match(play_random_moves('kozel', 4)).slug}/review/?at={}"
"""
TIMES = "times => times.filter((time) => time.dateTime).map((time) => time.textContent)"


@pytest.fixture(scope="module")
def review(site: Server) -> str:
    """Return the address of a review, without the step."""
    return str(site.run_code(REVIEW.replace("at={}", "at=")))


def test_review_shows_the_readers_time_zone_at_every_step(new_visitor: NewVisitor, review: str) -> None:
    visitor = new_visitor()
    session = visitor.page.context.new_cdp_session(visitor.page)
    session.send("Emulation.setTimezoneOverride", {"timezoneId": "Europe/Prague"})
    visitor.visit(f"{review}2")
    when = visitor.page.locator("#review-when")
    for _step in range(2):
        expect(when).to_have_text(re.compile(r"^\w+ \d+, \d{4}, \d+:\d\d\W[AP]M GMT\+[12]$"))
        assert all("GMT" in text for text in visitor.page.locator("time").evaluate_all(TIMES))
        visitor.page.keyboard.press("ArrowRight")


def test_match_lists_show_the_readers_time_zone_and_filters_name_theirs(new_visitor: NewVisitor, review: str) -> None:
    visitor = new_visitor()
    session = visitor.page.context.new_cdp_session(visitor.page)
    session.send("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Kolkata"})
    assert review
    visitor.visit("/matches/")
    expect(visitor.page.get_by_label("From (UTC)")).to_be_attached()
    times = visitor.page.locator(".ago-date").all_text_contents()
    assert times
    assert all("GMT+5:30" in text for text in times)


def test_times_are_labelled_utc_without_scripts(new_visitor: NewVisitor, review: str) -> None:
    visitor = new_visitor(javascript=False)
    for path in (f"{review}2", "/matches/"):
        visitor.visit(path)
        texts = visitor.page.locator("time[datetime]").all_text_contents()
        assert texts
        assert all("UTC" in text for text in texts)
