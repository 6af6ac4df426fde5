"""Looking closer at the table in a browser: by wheel, keys, buttons and fingers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from playwright.sync_api import CDPSession, FloatRect, Locator, expect

from tests.browser.conftest import NewVisitor
from tests.browser.hands import Hand, name_of, sit
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")


@pytest.fixture
def hand(new_visitor: NewVisitor, site: Server) -> Hand:
    return sit(new_visitor, site, reduced_motion="reduce")


def lead(hand: Hand) -> Locator:
    return hand.page.locator("#board use").first


def box(locator: Locator) -> FloatRect:
    found = locator.bounding_box()
    assert found is not None
    return found


def middle(locator: Locator) -> tuple[float, float]:
    at = box(locator)
    return at["x"] + at["width"] / 2, at["y"] + at["height"] / 2


def near(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(a - b) < 2 for a, b in zip(one, other, strict=True))


def view(hand: Hand) -> str:
    return str(hand.page.evaluate("() => document.getElementById('lens').style.getPropertyValue('--view')"))


def larger(hand: Hand, before: FloatRect) -> float:
    return box(lead(hand))["width"] / before["width"]


def test_wheel_keys_and_mouse_zoom_and_move_and_show_the_whole_table_again(hand: Hand) -> None:
    wheel_zooms_about_the_pointer(hand)
    keys_zoom_and_move(hand)
    board_cannot_be_dragged_out_of_sight(hand)


def wheel_zooms_about_the_pointer(hand: Hand) -> None:
    before, at = box(lead(hand)), middle(lead(hand))
    hand.page.mouse.move(*at)
    hand.page.mouse.wheel(0, -150)
    expect(hand.page.locator(".felt.zoomed")).to_be_attached()
    assert larger(hand, before) > 1.4
    assert near(middle(lead(hand)), at)
    hand.page.mouse.wheel(0, 150)
    expect(hand.page.locator(".felt.zoomed")).to_have_count(0)
    assert box(lead(hand)) == before


def keys_zoom_and_move(hand: Hand) -> None:
    before = box(lead(hand))
    for _ in range(2):
        hand.page.keyboard.press("+")
    assert larger(hand, before) == pytest.approx(2.25, abs=0.05)
    closer = box(lead(hand))
    hand.page.keyboard.press("Shift+ArrowRight")
    assert box(lead(hand))["x"] == pytest.approx(closer["x"] - 80, abs=1)
    hand.page.keyboard.press("-")
    assert larger(hand, before) == pytest.approx(1.5, abs=0.05)
    hand.page.keyboard.press("0")
    assert box(lead(hand)) == before


def board_cannot_be_dragged_out_of_sight(hand: Hand) -> None:
    before = box(lead(hand))
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
    assert box(lead(hand)) == before
    expect(hand.page.get_by_role("button", name="Zoom in")).to_be_focused()


def test_a_place_can_be_pressed_in_a_closer_view_and_the_frame_leaves_the_view_alone(hand: Hand) -> None:
    tile = name_of(hand.fitting_twice)
    hand.fitting_twice.click()
    expect(hand.marks).to_have_count(2)
    hand.page.mouse.move(*middle(hand.marks.last))
    hand.page.mouse.wheel(0, -150)
    expect(hand.page.locator(".felt.zoomed")).to_be_attached()
    closer = view(hand)
    hand.marks.last.click()
    hand.expect_played(tile)
    assert view(hand) == closer


def fingers(session: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def test_two_fingers_zoom_one_moves_and_a_double_tap_shows_all(new_visitor: NewVisitor, site: Server) -> None:
    hand = sit(new_visitor, site, width=360, height=740, reduced_motion="reduce")
    session = hand.page.context.new_cdp_session(hand.page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
    before, (x, y) = box(lead(hand)), middle(hand.page.locator("#lens"))
    fingers(session, "touchStart", (x - 30, y), (x + 30, y))
    for spread in (40, 50, 60):
        fingers(session, "touchMove", (x - spread, y), (x + spread, y))
    fingers(session, "touchEnd")
    assert larger(hand, before) == pytest.approx(2, abs=0.1)
    closer = box(lead(hand))
    fingers(session, "touchStart", (x, y))
    for step in (10, 20, 30):
        fingers(session, "touchMove", (x + step, y))
    fingers(session, "touchEnd")
    assert box(lead(hand))["x"] == pytest.approx(closer["x"] + 30, abs=1)
    for _ in range(2):
        fingers(session, "touchStart", (x, y))
        fingers(session, "touchEnd")
    expect(hand.page.locator(".felt.zoomed")).to_have_count(0)
    assert box(lead(hand)) == before
