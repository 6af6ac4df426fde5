"""On a bad telephone: taps that come twice, answers that come late, a finger too many, a line that comes and goes."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from games.rendering.moves import NEWEST
from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.hands import Hand, name_of, sit
from tests.browser.test_camera import fingers, middle
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

LATE = "Math.random = () => 0.99"
"""The extension of htmx waits longest before it dials again."""
PLAY = """
from games.models import Match
from tests.games import tables
tables.play_until(Match.objects.get(slug="{}"), lambda state: len(state.round.moves) == {})
"""

# As if the last frame had not come.
LOSE_A_TILE = """() => {
    const [tile, end] = [...document.querySelectorAll("#board > svg > g > *")].slice(-2);
    end.id = end.id.replace(/\\d+/, (number) => number - 1);
    tile.remove();
}"""
# Marks the tiles that lie on the table, and counts those that move in.
WATCH_TILES = """tiles => {
    document.arrivals = [];
    for (const tile of tiles) tile.lay = true;
    document.addEventListener("animationstart", ({ animationName, target }) => {
        if (animationName === "arrive") document.arrivals.push(target.lay ?? false);
    });
}"""


def all_is_answered(hand: Hand) -> None:
    """Say something and read it: it comes after the answers to whatever was sent before."""
    hand.page.locator("#chat-text").fill("Hello")
    hand.page.locator("#chat-text").press("Enter")
    expect(hand.page.locator("#messages")).to_contain_text("Hello")


def test_keys_play_the_tile_that_was_chosen_last(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit(new_visitor, site)
    first, last = name_of(hand.fitting_twice), name_of(hand.fitting_once)
    keys = (hand.digit(hand.fitting_twice), hand.digit(hand.fitting_once), "ArrowRight", "Enter")
    with hand.visitor.line.paused():
        for key in keys:
            hand.page.keyboard.press(key)
    hand.expect_played(last)
    expect(hand.page.locator(f"#h{first.replace('-', '')}")).to_have_count(1)


def test_a_tile_tapped_twice_is_played_without_a_complaint(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit(new_visitor, site, width=360, height=740)
    tile = name_of(hand.fitting_once)
    hand.page.evaluate(
        "() => document.addEventListener('htmx:after:swap', () => "
        "{ window.told = (window.told ?? '') + document.getElementById('notice').textContent.trim(); })"
    )
    with hand.visitor.line.paused():
        hand.fitting_once.click()
        hand.fitting_once.click()
    hand.expect_played(tile)
    all_is_answered(hand)
    assert hand.page.evaluate("() => window.told") == ""


def test_a_tile_tapped_while_a_move_is_on_its_way_is_not_chosen_for_the_next_turn(
    new_visitor: NewVisitor, site: Server
) -> None:
    hand = sit(new_visitor, site, width=360, height=740)
    tile = name_of(hand.fitting_once)
    with hand.visitor.line.paused():
        hand.fitting_once.click()
        hand.fitting_twice.click()
    hand.expect_played(tile)
    all_is_answered(hand)
    expect(hand.page.locator("#hand [aria-pressed]")).to_have_count(0)


def test_a_tile_chosen_in_one_tab_is_let_go_when_the_other_plays(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit(new_visitor, site)
    other = hand.visitor.context.new_page()
    other.goto(hand.page.url)
    expect(other.locator("html[data-swapped]")).to_be_attached()
    tile = name_of(hand.fitting_once)
    other.locator("#hand .fits[form=choose]").first.click()
    expect(other.locator("#hand [aria-pressed]")).to_have_count(1)
    hand.fitting_once.click()
    hand.expect_played(tile)
    expect(other.locator(f"#h{tile.replace('-', '')}")).to_have_count(0)
    expect(other.locator("#hand [aria-pressed]")).to_have_count(0)


def test_who_comes_out_of_a_tunnel_is_back_before_the_line_would_dial_by_itself(
    new_visitor: NewVisitor, site: Server
) -> None:
    visitor = new_visitor()
    visitor.context.add_init_script(LATE)
    hand = sit(lambda: visitor, site)
    state = hand.page.locator("#connection-state")
    with visitor.without_line():
        expect(state).to_be_visible()
        hand.page.wait_for_timeout(6_500)  # it has dialled after 2 and 6 seconds, and would again after 13
    hand.page.evaluate("() => window.dispatchEvent(new Event('online'))")
    expect(state).to_be_hidden(timeout=6_000)


def test_who_missed_moves_is_shown_every_tile_and_reads_them_all(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit(new_visitor, site)
    lines, tiles = hand.page.locator("#move-list li"), hand.page.locator("#board > svg > g > use")
    lie = tiles.count()
    hand.page.evaluate(LOSE_A_TILE)
    hand.fitting_once.click()
    expect(tiles).to_have_count(lie + 1)
    before, missed = lines.count(), NEWEST + 2
    with hand.visitor.without_line():
        expect(hand.page.locator("#connection-state")).to_be_visible()
        site.answer(PLAY.format(hand.page.url.split("/")[-2], before + missed))
    hand.page.evaluate("() => window.dispatchEvent(new Event('online'))")
    expect(lines).to_have_count(before + missed)
    numbers = lines.evaluate_all("lines => lines.map((line) => Number(line.dataset.number))")
    assert numbers == list(range(1, before + missed + 1))


def test_a_new_tile_moves_in_and_the_others_stay_as_they_are(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit(new_visitor, site, reduced_motion="no-preference")
    tiles = hand.page.locator("#board > svg > g > use")
    tiles.evaluate_all(WATCH_TILES)
    tile = name_of(hand.fitting_once)
    hand.fitting_once.click()
    hand.expect_played(tile)
    assert tiles.evaluate_all("tiles => tiles.filter((tile) => !tile.lay).length") == 1
    assert hand.page.evaluate("document.arrivals") == [False]


def test_a_second_finger_leaves_no_tile_hanging_over_the_table(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit(new_visitor, site, width=360, height=740, reduced_motion="reduce")
    session = hand.page.context.new_cdp_session(hand.page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
    hand.visitor.await_animations()
    tiles = hand.page.locator("#hand .fits")
    (x, y), other = middle(tiles.first), middle(tiles.nth(1))
    fingers(session, "touchStart", (x, y))
    fingers(session, "touchMove", (x, y - 40))
    expect(hand.page.locator(".dragged")).to_have_count(1)
    fingers(session, "touchStart", (x, y - 40), other)
    fingers(session, "touchMove", (x, y - 60), (other[0], other[1] - 30))
    fingers(session, "touchEnd")
    expect(hand.page.locator(".dragged")).to_have_count(0)


def test_a_line_of_chat_that_never_arrives_is_not_lost(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit(new_visitor, site)
    hand.visitor.line.silence()
    field = hand.page.locator("#chat-text")
    field.fill("Hello there")
    field.press("Enter")
    expect(field).to_have_value("")
    expect(field).to_have_value("Hello there")
    expect(hand.page.locator("#connection-state")).to_be_hidden()
    field.press("Enter")
    expect(hand.page.locator("#messages")).to_contain_text("Hello there")
    expect(field).to_have_value("")


def test_a_place_that_was_pressed_shows_it_at_once(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit(new_visitor, site)
    hand.fitting_twice.click()
    expect(hand.places).to_have_count(2)
    with hand.visitor.line.paused():
        hand.places.first.click()
        expect(hand.places.first).to_have_class(re.compile("asked"))


def test_a_name_in_large_letters_does_not_widen_the_page(new_visitor: NewVisitor) -> None:
    visitor = new_visitor(width=360, height=740)
    people.enter_as_guest(visitor, "Alexander the Great")
    visitor.visit("/")
    # The browser's own setting of 24 px: a style sheet would not change the media queries, too.
    session = visitor.page.context.new_cdp_session(visitor.page)
    large = {"width": 240, "height": 493, "deviceScaleFactor": 1.5, "mobile": False}
    session.send("Emulation.setDeviceMetricsOverride", large)
    visitor.page.wait_for_function("() => innerWidth === 240")
    assert not visitor.scrolls_sideways()
