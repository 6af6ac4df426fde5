"""Zooming and panning the table with wheel, keys, buttons and fingers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from playwright.sync_api import CDPSession, FloatRect, Locator, expect

from tests.browser.conftest import NewVisitor
from tests.browser.hands import Hand, sit_at_prepared_table, tile_name
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")


@pytest.fixture
def hand(new_visitor: NewVisitor, site: Server) -> Hand:
    return sit_at_prepared_table(new_visitor, site, reduced_motion="reduce")


def first_tile(hand: Hand) -> Locator:
    return hand.page.locator("#board use").first


def box(locator: Locator) -> FloatRect:
    bounding_box = locator.bounding_box()
    assert bounding_box is not None
    return bounding_box


def middle(locator: Locator) -> tuple[float, float]:
    point = box(locator)
    return point["x"] + point["width"] / 2, point["y"] + point["height"] / 2


def near(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(a - b) < 2 for a, b in zip(one, other, strict=True))


def view(hand: Hand) -> str:
    return str(hand.page.evaluate("() => document.getElementById('lens').style.getPropertyValue('--view')"))


def magnification(hand: Hand, before: FloatRect) -> float:
    return box(first_tile(hand))["width"] / before["width"]


def test_wheel_keys_and_mouse_zoom_pan_and_reset(hand: Hand) -> None:
    wheel_zooms_about_the_pointer(hand)
    keys_zoom_and_move(hand)
    board_cannot_be_dragged_out_of_sight(hand)


def wheel_zooms_about_the_pointer(hand: Hand) -> None:
    before, point = box(first_tile(hand)), middle(first_tile(hand))
    hand.page.mouse.move(*point)
    hand.page.mouse.wheel(0, -150)
    expect(hand.page.locator(".felt.zoomed")).to_be_attached()
    assert magnification(hand, before) > 1.4
    assert near(middle(first_tile(hand)), point)
    hand.page.mouse.wheel(0, 150)
    expect(hand.page.locator(".felt.zoomed")).to_have_count(0)
    assert box(first_tile(hand)) == before


def keys_zoom_and_move(hand: Hand) -> None:
    before = box(first_tile(hand))
    for _ in range(2):
        hand.page.keyboard.press("+")
    assert magnification(hand, before) == pytest.approx(2.25, abs=0.05)
    zoomed = box(first_tile(hand))
    hand.page.keyboard.press("Shift+ArrowRight")
    assert box(first_tile(hand))["x"] == pytest.approx(zoomed["x"] - 80, abs=1)
    hand.page.keyboard.press("-")
    assert magnification(hand, before) == pytest.approx(1.5, abs=0.05)
    hand.page.keyboard.press("0")
    assert box(first_tile(hand)) == before


def board_cannot_be_dragged_out_of_sight(hand: Hand) -> None:
    before = box(first_tile(hand))
    hand.page.get_by_role("button", name="Zoom in").click()
    felt = box(hand.page.locator("#lens"))
    mouse = hand.page.mouse
    mouse.move(felt["x"] + 40, felt["y"] + 40)
    mouse.down()
    mouse.move(felt["x"] + 2000, felt["y"] + 2000, steps=5)
    mouse.up()
    board = box(hand.page.locator("#board > svg"))
    assert near((board["x"], board["y"]), (felt["x"], felt["y"]))
    hand.page.get_by_role("button", name="Show the whole table").click()
    assert box(first_tile(hand)) == before
    expect(hand.page.get_by_role("button", name="Zoom in")).to_be_focused()


def test_place_can_be_pressed_while_zoomed_and_frames_keep_the_view(hand: Hand) -> None:
    tile = tile_name(hand.fitting_twice)
    hand.fitting_twice.click()
    expect(hand.marks).to_have_count(2)
    hand.page.mouse.move(*middle(hand.marks.last))
    hand.page.mouse.wheel(0, -150)
    expect(hand.page.locator(".felt.zoomed")).to_be_attached()
    zoomed = view(hand)
    hand.marks.last.click()
    hand.expect_played(tile)
    assert view(hand) == zoomed


def touch(session: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def test_two_fingers_zoom_one_pans_and_a_double_tap_resets(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit_at_prepared_table(new_visitor, site, width=360, height=740, reduced_motion="reduce")
    session = hand.page.context.new_cdp_session(hand.page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
    before, (x, y) = box(first_tile(hand)), middle(hand.page.locator("#lens"))
    touch(session, "touchStart", (x - 30, y), (x + 30, y))
    for spread in (40, 50, 60):
        touch(session, "touchMove", (x - spread, y), (x + spread, y))
    touch(session, "touchEnd")
    assert magnification(hand, before) == pytest.approx(2, abs=0.1)
    zoomed = box(first_tile(hand))
    touch(session, "touchStart", (x, y))
    for step in (10, 20, 30):
        touch(session, "touchMove", (x + step, y))
    touch(session, "touchEnd")
    assert box(first_tile(hand))["x"] == pytest.approx(zoomed["x"] + 30, abs=1)
    for _ in range(2):
        touch(session, "touchStart", (x, y))
        touch(session, "touchEnd")
    expect(hand.page.locator(".felt.zoomed")).to_have_count(0)
    assert box(first_tile(hand)) == before
