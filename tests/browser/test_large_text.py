"""A text size of 200 % on a phone, which makes its window half as wide for the style sheets."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock", alone=True)  # its match is the featured one

LAY = """
from tests.browser import stages
from tests.games import tables

def bots_remember_two_digits(state):
    return all(own.points > 9 and not own.opened for own in state.standing[1:2])

alex = tables.person("Alexander the Great", is_guest=True)
stages.running([alex], bots_remember_two_digits, variant="kozel", bots=3, clock="none", visibility="public")
answer = stages.session(alex)
"""
# The parts of a seat's line that end beyond the content of their card.
BEYOND_CARD = """() => [...document.querySelectorAll(".card .chair > *, .featured li > *")].filter((part) => {
    const card = part.closest(".card, .featured"), { paddingRight } = getComputedStyle(card);
    return part.getBoundingClientRect().right > card.getBoundingClientRect().right - parseFloat(paddingRight) + 0.1;
}).map((part) => part.parentElement.textContent.replaceAll(/\\s+/g, " "))"""


def test_seats_fit_their_cards_in_the_lobby(new_visitor: NewVisitor, site: Server) -> None:
    visitor = new_visitor(width=240, height=493)
    visitor.enter(site.answer(LAY))
    visitor.visit("/")
    expect(visitor.page.locator(".featured-players .score").first).to_be_visible()
    expect(visitor.page.locator(".chair .score").first).to_be_visible()
    for width in (320, 240, 220, 180):
        visitor.page.set_viewport_size({"width": width, "height": 493})
        assert visitor.page.evaluate(BEYOND_CARD) == [], width
        assert not visitor.scrolls_sideways(), width
