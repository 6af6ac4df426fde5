"""Previewing a placement before playing it: by thumb, mouse and keys, with hints, on phone and desktop."""

from __future__ import annotations

from math import dist
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewVisitor
from tests.browser.hands import Hand
from tests.browser.people import await_connection, visit_table
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

# Prepares a table where seat 0 is to move: with a ``two_way`` tile, which fits both ways in a slot and elsewhere, or
# with many tiles on the table and one that fits in ``one_field`` only.
PREPARE_TABLE = """
from collections import Counter
from django.test import Client
from games.engine.layout.slots import parse_place
from games.engine.moves import Play
from games.engine.tiles import tile_text
from games.engine.variants import rules_for
from tests.games import tables

def two_way(state):
    if state.round.to_move != 0:
        return ""
    placed_tiles = {placed.tile for placed in state.round.layout.tiles}
    plays = [move for move in rules_for("rytmino").legal_moves(state) if isinstance(move, Play)]
    slots = Counter((move.tile, parse_place(move.place)[0]) for move in plays)
    for tile, slot in slots:
        both = slots[tile, slot] == 2 and len({s for t, s in slots if t == tile}) > 1
        if both and state.hands[0].count(tile) == 1 and tile not in placed_tiles:
            return tile_text(tile)
    return ""

def one_field(state):
    if state.round.to_move != 0 or len(state.round.plays) < 14:
        return ""
    plays = [move for move in rules_for("rytmino").legal_moves(state) if isinstance(move, Play)]
    fields = {tile: {parse_place(move.place)[0] for move in plays if move.tile == tile} for tile in state.hands[0]}
    once = (tile for tile, slots in fields.items() if len(slots) == 1 and state.hands[0].count(tile) == 1)
    return next(map(tile_text, once), "")

def prepare(condition):
    while True:
        match = tables.running_table([ann], bots=1, variant="rytmino", clock="none")
        if tile := condition(tables.play_until(match, condition)):
            return match.slug, tile

ann = tables.person("Ann")
client = Client()
client.force_login(ann)
answer = [client.cookies["sessionid"].value, *prepare(%s)]
"""


def choose_tile(new_visitor: NewVisitor, site: Server, condition: str = "two_way", **window: Any) -> tuple[Hand, str]:
    """Sit down, wait for the connection, and choose the tile of the table."""
    visitor = new_visitor(**window)
    session, slug, tile = site.run_code(PREPARE_TABLE % condition)
    visitor.enter(session)
    visit_table(visitor, f"/match/{slug}/")
    visitor.page.locator(f"#hand [aria-label^='{tile}']").click()
    expect(visitor.page.locator("#spots .place").first).to_be_attached()
    visitor.await_animations()
    return Hand(visitor), tile


def middle(page: Page, place: int) -> tuple[float, float]:
    """Return the middle of a placement's handle on the screen."""
    box = page.locator("#spots .place:visible").nth(place).locator("use").first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def isolated_mark(page: Page) -> tuple[int, tuple[float, float]]:
    """Return the placement without highlight whose handle is farthest from all others, and its middle."""
    page.locator("#lens").evaluate("lens => lens.scrollIntoView({block: 'start', behavior: 'instant'})")
    marks = page.locator("#spots .place:visible")
    middles = [middle(page, place) for place in range(marks.count())]
    dimmed = [row for row in enumerate(middles) if "near" not in (marks.nth(row[0]).get_attribute("class") or "")]
    return max(dimmed, key=lambda row: min((dist(row[1], point) for point in middles if point != row[1]), default=0))


def tap(page: Page, x: float, y: float) -> None:
    """Touch the screen as a thumb does."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


def test_first_tap_previews_a_place_and_the_second_plays(new_visitor: NewVisitor, site: Server) -> None:
    hand, tile = choose_tile(new_visitor, site, width=360, height=740)
    page = hand.page
    place, (x, y) = isolated_mark(page)
    move = page.locator("#spots .place:visible").nth(place).get_attribute("data-move")
    expect(page.locator("#spots .near .sum")).to_be_visible()  # the first place is previewed automatically
    expect(page.locator("#choice .try")).to_be_visible()
    tap(page, x - 3, y - 9)
    previewed = page.locator("#spots .near")
    expect(previewed).to_have_attribute("data-move", move or "")
    expect(previewed.locator(".sum")).to_be_visible()
    expect(page.locator("#choice .try")).to_be_hidden()
    expect(page.locator("#choice .on")).to_have_attribute("value", move or "")
    expect(page.locator(f"#hand [aria-label^='{tile}']")).to_be_visible()
    tap(page, x - 3, y - 9)
    hand.expect_played(tile)


def test_field_has_one_mark_and_a_button_turns_its_tile(new_visitor: NewVisitor, site: Server) -> None:
    hand, tile = choose_tile(new_visitor, site, width=360, height=740)
    page = hand.page
    handles = page.locator("#spots .place > use:visible")
    both = page.locator("#spots .place:has(.turn):visible").first
    field = (both.get_attribute("data-move") or "").partition("=")[0]
    ways = page.locator(f"#spots .place[data-move^='{field}=']")
    assert ways.count() == 2
    assert ways.locator("> use:visible").count() == 1
    count = handles.count()
    if "near" not in (both.get_attribute("class") or ""):
        places = [
            page.locator("#spots .place:visible").nth(place).get_attribute("data-move") for place in range(count)
        ]
        tap(page, *middle(page, places.index(both.get_attribute("data-move"))))
    ghost = page.locator("#spots .near .ghost")
    turn = page.get_by_role("button", name="Turn the tile")
    previews, moves = [], []
    for press in (turn, page.locator("#spots .near .look > .turn"), None):
        previews.append([ghost.get_attribute(name) for name in ("href", "x", "y")])
        moves.append(page.locator("#choice .on").get_attribute("value"))
        assert handles.count() == count
        expect(page.locator("#spots .sum:visible")).to_have_count(1)
        if press:
            press.click()
            expect(page.locator("#choice .on")).not_to_have_attribute("value", moves[-1] or "")
    assert previews[0] == previews[2]
    assert previews[0][0] != previews[1][0]
    assert previews[0][1:] == previews[1][1:]
    assert (page.locator("#spots .near").get_attribute("data-move") or "").startswith(f"{field}=")
    assert hand.visitor.accessibility_violations() == []
    page.locator("#choice .on").click()
    hand.expect_played(tile)


def test_field_is_highlighted_wherever_the_mouse_points_in_it(new_visitor: NewVisitor, site: Server) -> None:
    hand, _ = choose_tile(new_visitor, site)
    page = hand.page
    _, (x, y) = isolated_mark(page)
    place = page.locator("#spots .place:visible:not(.near)")
    boxes = [mark.locator("> use").bounding_box() for mark in place.all()]
    box = next(box for box in boxes if box and abs(box["x"] + box["width"] / 2 - x) < 2 and box["y"] < y)
    page.mouse.move(x + box["width"] * 0.4, y + box["height"] * 0.4)
    highlighted = page.locator("#spots .near > use").bounding_box()
    assert highlighted is not None
    assert 0 <= x + box["width"] * 0.4 - highlighted["x"] <= highlighted["width"]
    expect(page.locator("#spots .near .lit")).to_be_visible()


def test_mouse_previews_by_hovering_and_plays_by_clicking(new_visitor: NewVisitor, site: Server) -> None:
    hand, tile = choose_tile(new_visitor, site)
    x, y = middle(hand.page, 1)
    hand.page.mouse.move(x, y)
    expect(hand.page.locator("#spots .near .lit")).to_be_visible()
    hand.page.mouse.click(x, y)
    hand.expect_played(tile)


def test_arrow_keys_preview_the_places(new_visitor: NewVisitor, site: Server) -> None:
    hand, tile = choose_tile(new_visitor, site)
    moves = []
    for _ in range(2):
        hand.page.keyboard.press("ArrowRight")
        focused = hand.page.locator("#choice .act:focus")
        expect(focused).to_have_count(1)
        moves.append(focused.get_attribute("value"))
        expect(hand.page.locator("#spots .near")).to_have_attribute("data-move", moves[-1] or "")
    assert len(set(moves)) == 2
    hand.page.keyboard.press("Enter")
    hand.expect_played(tile)


# The places and the parts of previews that the camera does not show.
CUT_OFF = """() => {
    const felt = document.getElementById("lens").getBoundingClientRect();
    const drawn = [...document.querySelectorAll("#spots .place, #spots .look > *")];
    const visible = drawn.filter((element) => element.getBoundingClientRect().width);
    const inside = (box) => box.left > felt.left && box.right < felt.right && box.top > felt.top
        && box.bottom < felt.bottom;
    const cutOff = visible.filter((element) => !inside(element.getBoundingClientRect()));
    return cutOff.map((element) => element.outerHTML.slice(0, 60));
}"""


def box_of_the_board(page: Page) -> list[float]:
    box = page.locator("#board > svg").bounding_box()
    assert box is not None
    return [box["x"], box["y"], box["width"], box["height"]]


def test_camera_zooms_to_the_places_and_back_on_a_phone(new_visitor: NewVisitor, site: Server) -> None:
    hand, tile = choose_tile(
        new_visitor, site, "one_field", width=375, height=553, reduced_motion="reduce", touch=True
    )
    page, closer = hand.page, hand.page.locator(".felt.zoomed")
    expect(closer).to_be_attached()
    for place in range(hand.places.count()):
        hand.places.nth(place).focus()
        assert page.evaluate(CUT_OFF) == []
    view = box_of_the_board(page)
    other = page.locator(f"#hand .fits:not([aria-label^='{tile}'])").first
    for button in (other, page.locator(f"#hand [aria-label^='{tile}']").first):
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        assert page.evaluate(CUT_OFF) == []
    assert box_of_the_board(page) == pytest.approx(view, abs=1)
    page.keyboard.press("Escape")
    expect(closer).to_have_count(0)
    page.get_by_role("button", name="Zoom in").click()
    chosen = box_of_the_board(page)
    other.click()
    expect(other).to_have_attribute("aria-pressed", "true")
    assert box_of_the_board(page) == pytest.approx(chosen, abs=1)


def test_hints_toggled_by_key_survive_a_move_and_are_remembered(new_visitor: NewVisitor, site: Server) -> None:
    hand, tile = choose_tile(new_visitor, site, width=360, height=740)
    page = hand.page
    switch = page.get_by_role("checkbox", name="Possible numbers")
    switch.focus()
    page.keyboard.press("Space")
    layer = page.locator("#hints svg .hints")
    expect(layer).to_be_visible()
    assert hand.visitor.accessibility_violations() == []
    assert not hand.visitor.scrolls_sideways()
    page.locator("#choice .act").first.focus()
    page.keyboard.press("Enter")
    hand.expect_played(tile)
    expect(layer).to_be_visible()
    page.reload()
    expect(layer).to_be_visible()
    expect(switch).to_be_checked()
    await_connection(hand.visitor)
    with hand.visitor.offline():
        switch.focus()
        page.keyboard.press("Space")
        expect(switch).not_to_be_checked()
    expect(layer).to_have_count(0)
