"""Spectators talk among themselves, and one of them blocks another."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.visitor import Visitor


def post(visitor: Visitor, text: str) -> None:
    visitor.page.locator("#chat-text").fill(text)
    people.press(visitor, "Send")


def test_blocking_hides_a_spectators_lines_and_players_see_none(
    new_visitor: NewVisitor,
) -> None:
    host, eve, fay = new_visitor(), new_visitor(), new_visitor(width=360, height=740, scheme="dark")
    for visitor, name in ((host, "Masha"), (eve, "Eve"), (fay, "Fay")):
        people.enter_as_guest(visitor, name)
    address = people.open_table(host)
    people.await_connection(host)
    for visitor in (eve, fay):
        people.visit_table(visitor, address)
    post(eve, "The five will not come again")
    messages = fay.page.locator("#spectator-chat-messages")
    expect(messages).to_contain_text("Eve (guest) The five will not come again")
    post(host, "Good luck")
    expect(fay.page.locator("#messages")).to_contain_text("Masha (guest) Good luck")
    expect(host.page.locator("#messages")).to_contain_text("Good luck")
    assert "five will not come" not in host.page.content()
    assert fay.accessibility_violations() == []
    assert not fay.scrolls_sideways()
    with fay.page.expect_popup() as opened:
        messages.get_by_role("link", name="Eve").click()
    page = opened.value
    page.locator(".block summary").click()
    page.get_by_role("button", name="Block", exact=True).click()
    expect(page.get_by_text("Blocked: Eve.")).to_be_visible()
    expect(messages).not_to_contain_text("five will not come")
    expect(fay.page.locator("#messages")).to_contain_text("Good luck")
