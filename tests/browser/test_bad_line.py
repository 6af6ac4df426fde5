"""A bad phone connection: double taps, late answers, extra fingers, interruptions."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from games.rendering.moves import MAX_NEWEST_MOVES
from tests.browser.conftest import NewVisitor
from tests.browser.hands import Hand, sit_at_prepared_table, tile_name
from tests.browser.test_camera import middle, touch
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

LONGEST_DELAY = "Math.random = () => 0.99"  # makes htmx's extension wait longest before it reconnects
PLAY = """
from games.models import Match
from tests.games import tables
tables.play_until(Match.objects.get(slug="{}"), lambda state: len(state.round.moves) == {})
"""

# As if the last frame had been lost.
REMOVE_LAST_TILE = """() => {
    const [tile, end] = [...document.querySelectorAll("#board > svg > g > *")].slice(-2);
    end.id = end.id.replace(/\\d+/, (number) => number - 1);
    tile.remove();
}"""
# Marks the tiles on the table, and counts those that animate in.
WATCH_TILES = """tiles => {
    document.arrivals = [];
    for (const tile of tiles) tile.isOld = true;
    document.addEventListener("animationstart", ({ animationName, target }) => {
        if (animationName === "arrive") document.arrivals.push(target.isOld ?? false);
    });
}"""


def await_answers(hand: Hand) -> None:
    """Send a chat line and read it: it arrives after the answers to all earlier messages."""
    hand.page.locator("#chat-text").fill("Hello")
    hand.page.locator("#chat-text").press("Enter")
    expect(hand.page.locator("#messages")).to_contain_text("Hello")


def test_keys_play_the_tile_chosen_last(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit_at_prepared_table(new_visitor, site)
    first, last = tile_name(hand.fitting_twice), tile_name(hand.fitting_once)
    keys = (hand.digit(hand.fitting_twice), hand.digit(hand.fitting_once), "ArrowRight", "Enter")
    with hand.visitor.network.paused():
        for key in keys:
            hand.page.keyboard.press(key)
    hand.expect_played(last)
    expect(hand.page.locator(f"#h{first.replace('-', '')}")).to_have_count(1)


def test_tile_tapped_twice_is_played_without_a_notice(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit_at_prepared_table(new_visitor, site, width=360, height=740)
    tile = tile_name(hand.fitting_once)
    hand.page.evaluate(
        "() => document.addEventListener('htmx:after:swap', () => "
        "{ window.noticeTexts = (window.noticeTexts ?? '') + document.getElementById('notice').textContent.trim(); })"
    )
    with hand.visitor.network.paused():
        hand.fitting_once.click()
        hand.fitting_once.click()
    hand.expect_played(tile)
    await_answers(hand)
    assert hand.page.evaluate("() => window.noticeTexts") == ""


def test_tile_tapped_during_a_pending_move_is_not_chosen_for_the_next_turn(
    new_visitor: NewVisitor, site: Server
) -> None:
    hand = sit_at_prepared_table(new_visitor, site, width=360, height=740)
    tile = tile_name(hand.fitting_once)
    with hand.visitor.network.paused():
        hand.fitting_once.click()
        hand.fitting_twice.click()
    hand.expect_played(tile)
    await_answers(hand)
    expect(hand.page.locator("#hand [aria-pressed]")).to_have_count(0)


def test_tile_chosen_in_one_tab_is_deselected_when_another_tab_plays(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit_at_prepared_table(new_visitor, site)
    other = hand.visitor.own_context.new_page()
    other.goto(hand.page.url)
    expect(other.locator("html[data-swapped]")).to_be_attached()
    tile = tile_name(hand.fitting_once)
    other.locator("#hand .fits[form=choose]").first.click()
    expect(other.locator("#hand [aria-pressed]")).to_have_count(1)
    hand.fitting_once.click()
    hand.expect_played(tile)
    expect(other.locator(f"#h{tile.replace('-', '')}")).to_have_count(0)
    expect(other.locator("#hand [aria-pressed]")).to_have_count(0)


def test_online_event_reconnects_before_the_next_attempt(new_visitor: NewVisitor, site: Server) -> None:
    visitor = new_visitor()
    visitor.page.add_init_script(LONGEST_DELAY)
    hand = sit_at_prepared_table(lambda: visitor, site)
    state = hand.page.locator("#connection-state")
    with visitor.offline():
        expect(state).to_be_visible()
        hand.page.wait_for_timeout(6_500)  # it tried after 2 and 6 seconds, and would again after 13
    hand.page.evaluate("() => window.dispatchEvent(new Event('online'))")
    expect(state).to_be_hidden(timeout=6_000)


def test_missed_moves_appear_on_the_board_and_in_the_list(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit_at_prepared_table(new_visitor, site)
    lines, tiles = hand.page.locator("#move-list li"), hand.page.locator("#board > svg > g > use")
    tile_count = tiles.count()
    hand.page.evaluate(REMOVE_LAST_TILE)
    hand.fitting_once.click()
    expect(tiles).to_have_count(tile_count + 1)
    before, missed = lines.count(), MAX_NEWEST_MOVES + 2
    with hand.visitor.offline():
        expect(hand.page.locator("#connection-state")).to_be_visible()
        site.run_code(PLAY.format(hand.page.url.split("/")[-2], before + missed))
    hand.page.evaluate("() => window.dispatchEvent(new Event('online'))")
    expect(lines).to_have_count(before + missed)
    numbers = lines.evaluate_all("lines => lines.map((line) => Number(line.dataset.number))")
    assert numbers == list(range(1, before + missed + 1))


def test_only_the_new_tile_animates(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit_at_prepared_table(new_visitor, site, reduced_motion="no-preference")
    tiles = hand.page.locator("#board > svg > g > use")
    tiles.evaluate_all(WATCH_TILES)
    tile = tile_name(hand.fitting_once)
    hand.fitting_once.click()
    hand.expect_played(tile)
    assert tiles.evaluate_all("tiles => tiles.filter((tile) => !tile.isOld).length") == 1
    hand.page.wait_for_function("() => document.arrivals.length > 0")
    assert hand.page.evaluate("document.arrivals") == [False]


def test_second_finger_leaves_no_dragged_tile_behind(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit_at_prepared_table(new_visitor, site, width=360, height=740, reduced_motion="reduce")
    session = hand.page.context.new_cdp_session(hand.page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
    hand.visitor.await_animations()
    tiles = hand.page.locator("#hand .fits")
    (x, y), other = middle(tiles.first), middle(tiles.nth(1))
    touch(session, "touchStart", (x, y))
    touch(session, "touchMove", (x, y - 40))
    expect(hand.page.locator(".dragged")).to_have_count(1)
    touch(session, "touchStart", (x, y - 40), other)
    touch(session, "touchMove", (x, y - 60), (other[0], other[1] - 30))
    touch(session, "touchEnd")
    expect(hand.page.locator(".dragged")).to_have_count(0)


def test_chat_line_that_never_arrives_returns_to_its_field(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit_at_prepared_table(new_visitor, site)
    hand.visitor.network.silence()
    field = hand.page.locator("#chat-text")
    field.fill("Hello there")
    field.press("Enter")
    expect(field).to_have_value("")
    expect(field).to_have_value("Hello there")
    expect(hand.page.locator("#connection-state")).to_be_hidden()
    field.press("Enter")
    expect(hand.page.locator("#messages")).to_contain_text("Hello there")
    expect(field).to_have_value("")


def test_pressed_place_is_marked_at_once(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit_at_prepared_table(new_visitor, site)
    hand.fitting_twice.click()
    expect(hand.places).to_have_count(2)
    with hand.visitor.network.paused():
        hand.places.first.click()
        expect(hand.places.first).to_have_class(re.compile("asked"))
