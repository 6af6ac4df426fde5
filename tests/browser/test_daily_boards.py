"""Daily boards on a phone: two presses from the front page to a board by touch, by keys, and without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.play import Match
from tests.browser.player import Player
from tests.browser.visitor import Visitor
from tests.server import Server

pytestmark = pytest.mark.site(alone=True)
GAME = "gamezz"
OPEN_DAY = f"""
from datetime import timedelta
from django.utils import timezone
from games.services.board_days import announce_day, open_day
now = timezone.now()
announce_day("{GAME}", now.date() + timedelta(days=1))
open_day("{GAME}", now)
"""


@pytest.fixture(scope="module", autouse=True)
def _open_day(site: Server) -> None:
    site.run_code(OPEN_DAY)


def play_board(visitor: Visitor) -> None:
    """Play the board at this table to its end."""
    player = Player(visitor)
    match = Match(player)
    match.play_until(lambda: visitor.page.locator("#result .headline").count() > 0)


def test_a_board_by_touch_after_two_presses_and_the_next_one_from_its_result(new_visitor: NewVisitor) -> None:
    visitor = new_visitor(width=360, height=740, touch=True)
    visitor.visit("/")
    visitor.page.locator(".hero-links").get_by_role("link", name="Today’s boards").tap()
    board = visitor.page.locator("li.game", has=visitor.page.locator(f'form[action*="/{GAME}/"]'))
    nonce = board.locator("input[name=nonce]")
    expect(nonce).to_have_value(re.compile(r"^[0-9a-f]{32}$"))
    assert not visitor.scrolls_sideways()
    board.get_by_role("button", name="Play board 1").tap()
    expect(visitor.page.locator("#hand .tiles button").first).to_be_visible()
    play_board(visitor)
    expect(visitor.page.get_by_role("button", name="Rematch")).to_have_count(0)
    visitor.page.get_by_role("button", name="Next board").tap()
    expect(visitor.page.locator("#hand .tiles button").first).to_be_visible()
    visitor.visit(f"/daily/{GAME}/")
    expect(visitor.page.get_by_role("link", name="Continue board 2")).to_be_visible()
    assert not visitor.scrolls_sideways()


def test_the_button_is_reached_by_keys(new_visitor: NewVisitor) -> None:
    visitor = new_visitor(width=360, height=740)
    visitor.visit(f"/daily/{GAME}/")
    button = visitor.page.get_by_role("button", name="Play board 1")
    for _key in range(40):
        visitor.page.keyboard.press("Tab")
        if button.evaluate("button => button === document.activeElement"):
            break
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.locator("#hand .tiles button").first).to_be_visible()


def test_a_board_begins_without_scripts(new_visitor: NewVisitor) -> None:
    visitor = new_visitor(width=360, height=740, javascript=False)
    visitor.visit("/daily/")
    board = visitor.page.locator("li.game", has=visitor.page.locator(f'form[action*="/{GAME}/"]'))
    board.get_by_role("button", name="Play board 1").click()
    expect(visitor.page.locator("#hand .tiles button").first).to_be_visible()
    visitor.visit(f"/daily/{GAME}/")
    expect(visitor.page.get_by_role("link", name="Continue board 1")).to_be_visible()
