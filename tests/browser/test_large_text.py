"""A text size of 200 % on a phone, which makes its window half as wide for the style sheets."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock", alone=True)  # its match is the featured one

PREPARE_TABLE = """
from tests.browser import stages
from tests.games import tables

def bots_remember_two_digits(state):
    return all(own.points > 9 and not own.opened for own in state.standing[1:2])

alex = tables.person("Alexander the Great", is_guest=True)
match = stages.match_in_state(
    [alex], bots_remember_two_digits, variant="kozel", bots=3, clock="none", visibility="public"
)
stages.keep_active(match)
answer = stages.log_in(alex)
"""
# The parts of a seat's line that end beyond the content of their card.
BEYOND_CARD = """() => [...document.querySelectorAll(".card .chair > *, .featured li > *")].filter((part) => {
    const card = part.closest(".card, .featured"), { paddingRight } = getComputedStyle(card);
    return part.getBoundingClientRect().right > card.getBoundingClientRect().right - parseFloat(paddingRight) + 0.1;
}).map((part) => part.parentElement.textContent.replaceAll(/\\s+/g, " "))"""
# The longest lines of players in the lobby: name, label, whether the visitor follows the person, and score.
LONGEST_SEATS = """
<div class="card table-line">
  <ul class="chairs" role="list">
    <li class="chair">
      <span class="face"></span><span><bdi>Maximilian the Second</bdi></span><span class="small soft">guest</span>
      <span class="small followed"><span aria-hidden="true">★</span> you follow</span>
      <b class="score score-account"><i>account </i>118</b>
    </li>
  </ul>
</div>
<section class="featured">
  <ul class="featured-players" role="list">
    <li><span class="face"></span><span><bdi>Ann</bdi></span> <b class="score score-account"><i>account </i>29</b></li>
    <li>
      <span class="face"></span><span><bdi>Maximilian the Second</bdi></span> <span class="small">bot</span>
      <b class="score score-remembered"><i>remembered </i>+18</b>
    </li>
  </ul>
</section>"""


def test_seats_fit_their_cards_in_the_lobby(new_visitor: NewVisitor, site: Server) -> None:
    player, visitor = new_visitor(width=240, height=493), new_visitor(width=240, height=493)
    player.enter(site.run_code(PREPARE_TABLE))
    for window in (player, visitor):
        window.visit("/")
        expect(window.page.locator(".chair .score").first).to_be_visible()
    expect(visitor.page.locator(".featured-players .score").first).to_be_visible()
    for window in (player, visitor):
        for width in (320, 240, 220, 180):
            window.page.set_viewport_size({"width": width, "height": 493})
            assert window.page.evaluate(BEYOND_CARD) == [], width
            assert not window.scrolls_sideways(), width


def test_large_text_does_not_widen_the_page(new_visitor: NewVisitor) -> None:
    visitor = new_visitor(width=360, height=740)
    people.enter_as_guest(visitor, "Alexander the Great")
    visitor.visit("/")
    # The browser's font size of 24 px: a style sheet would not change the media queries.
    session = visitor.page.context.new_cdp_session(visitor.page)
    large = {"width": 240, "height": 493, "deviceScaleFactor": 1.5, "mobile": False}
    session.send("Emulation.setDeviceMetricsOverride", large)
    visitor.page.wait_for_function("() => innerWidth === 240")
    assert not visitor.scrolls_sideways()
    visitor.page.get_by_role("main").evaluate(
        "(main, seats) => main.insertAdjacentHTML('beforeend', seats)", LONGEST_SEATS
    )
    assert not visitor.scrolls_sideways()
