"""Choosing and playing a tile by tap, two taps, keys, dragging, and without scripts."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.hands import Hand, sit_at_prepared_table, tile_name
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")


# A table where drawing is the only move of a player who has tiles drawn.
PREPARE_DRAW = """
from games.engine.moves import Draw
from games.match import record
from tests.browser import stages
from tests.games import tables
ann = tables.person("Ann", auto_draw=True)
must_draw = lambda state: state.round.to_move == 0 and stages.legal_moves(state) == (Draw(),)
match = stages.match_in_state([ann], must_draw, variant="all_fives")
answer = [stages.log_in(ann), f"/match/{match.slug}/", len(record.load_state(match.pk).hands[0])]
"""


def test_one_tap_plays_a_tile_with_one_place(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit_at_prepared_table(new_visitor, site, width=360, height=740)
    tile = tile_name(hand.fitting_once)
    hand.fitting_once.click()
    hand.expect_played(tile)
    expect(hand.page.locator("#hand :focus")).to_be_attached()


def test_two_taps_play_a_tile_with_that_setting(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit_at_prepared_table(new_visitor, site, two_taps=True)
    tile = tile_name(hand.fitting_once)
    hand.fitting_once.click()
    expect(hand.marks).to_have_count(1)
    expect(hand.page.locator(f"#h{tile.replace('-', '')}")).to_have_attribute("aria-pressed", "true")
    hand.fitting_once.click()
    hand.expect_played(tile)


def test_tiles_are_drawn_for_a_player_with_that_setting(new_visitor: NewVisitor, site: Server) -> None:
    visitor = new_visitor()
    session, address, number = site.run_code(PREPARE_DRAW)
    visitor.enter(session)
    people.visit_table(visitor, address)
    expect(visitor.page.locator("#hand .tiles li").nth(number)).to_be_attached()


def test_keys_choose_a_tile_and_an_end_and_play(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit_at_prepared_table(new_visitor, site)
    tile = tile_name(hand.fitting_twice)
    digit = hand.digit(hand.fitting_twice)
    hand.page.keyboard.press(digit)
    expect(hand.marks).to_have_count(2)
    hand.page.keyboard.press("Escape")
    expect(hand.marks).to_have_count(0)
    expect(hand.fitting_twice).to_be_focused()
    hand.page.keyboard.press(digit)
    hand.page.keyboard.press("ArrowRight")
    expect(hand.places.last).to_be_focused()
    hand.page.keyboard.press("ArrowLeft")
    expect(hand.places.first).to_be_focused()
    hand.page.keyboard.press("Enter")
    hand.expect_played(tile)


def test_tile_is_dragged_to_its_place_and_only_there(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit_at_prepared_table(new_visitor, site, width=360, height=740)
    tile = tile_name(hand.fitting_twice)
    count = hand.tiles.count()
    drag(hand, hand.fitting_twice, to=(30, 90))
    expect(hand.marks).to_have_count(0)
    assert hand.tiles.count() == count
    hand.fitting_twice.click()
    expect(hand.marks).to_have_count(2)
    hand.visitor.await_animations()
    place = hand.marks.last.bounding_box()
    assert place is not None
    drag(hand, hand.fitting_twice, to=(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2))
    hand.expect_played(tile)


def drag(hand: Hand, tile: Locator, *, to: tuple[float, float]) -> None:
    hand.visitor.await_animations()
    box = tile.bounding_box()
    assert box is not None
    mouse = hand.page.mouse
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.down()
    mouse.move(*to, steps=6)
    expect(hand.page.locator(".dragged")).to_have_count(1)
    mouse.up()
    expect(hand.page.locator(".dragged")).to_have_count(0)


def test_choosing_and_playing_take_one_message_each_and_load_nothing(new_visitor: NewVisitor, site: Server) -> None:
    message_types: list[str] = []
    requested_urls: list[str] = []

    visitor = new_visitor()
    visitor.page.on(
        "websocket", lambda line: line.on("framesent", lambda text: message_types.append(json.loads(text)["type"]))
    )
    hand = sit_at_prepared_table(lambda **_window: visitor, site)
    tile = tile_name(hand.fitting_twice)
    hand.page.on("request", lambda request: requested_urls.append(request.url))
    message_types.clear()
    hand.fitting_twice.click()
    expect(hand.marks).to_have_count(2)
    hand.marks.first.click()
    hand.expect_played(tile)
    assert [kind for kind in message_types if kind in ("choose", "move")] == ["choose", "move"]
    assert requested_urls == []


def test_chosen_tile_is_raised_at_once_on_a_slow_line_and_keys_are_queued(
    new_visitor: NewVisitor, site: Server
) -> None:
    hand = sit_at_prepared_table(new_visitor, site)
    tile = tile_name(hand.fitting_twice)
    keys = (hand.digit(hand.fitting_twice), "ArrowRight", "Enter")
    with hand.visitor.network.paused():
        for key in keys:
            hand.page.keyboard.press(key)
        expect(hand.page.locator("#hand .asked")).to_have_attribute("id", f"h{tile.replace('-', '')}")
    hand.expect_played(tile)


def test_tile_dropped_before_its_places_arrive_is_still_played(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit_at_prepared_table(new_visitor, site, width=360, height=740)
    tile = tile_name(hand.fitting_twice)
    hand.fitting_twice.click()
    expect(hand.marks).to_have_count(2)
    hand.visitor.await_animations()
    place = hand.marks.last.bounding_box()
    hand.page.keyboard.press("Escape")
    expect(hand.marks).to_have_count(0)
    assert place is not None
    with hand.visitor.network.paused():
        drag(hand, hand.fitting_twice, to=(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2))
        expect(hand.marks).to_have_count(0)
    hand.expect_played(tile)


def test_tile_that_does_not_fit_shows_the_rule(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit_at_prepared_table(new_visitor, site)
    hand.page.locator("#hand .tiles button:not(.fits)").first.click()
    notice = hand.page.locator("#notice")
    expect(notice).to_contain_text("doesn’t fit")
    expect(notice.get_by_role("link")).to_have_attribute("href", "/rules/kozel/#kozel.turn")


def test_tile_with_two_places_is_played_without_scripts(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit_at_prepared_table(new_visitor, site, javascript=False, width=360, height=740)
    tile = tile_name(hand.fitting_twice)
    hand.fitting_twice.click()
    expect(hand.places).to_have_count(2)
    hand.places.last.click()
    hand.expect_played(tile)
