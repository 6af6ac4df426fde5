"""The players' chat: a bubble at the seat, and on a phone a sheet that opens by a button."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser import people
from tests.browser.conftest import NewVisitor


def test_chat_line_appears_at_the_writers_seat_and_is_marked_unread_on_a_phone(new_visitor: NewVisitor) -> None:
    host, guest = new_visitor(), new_visitor(width=360, height=640, scheme="dark")
    people.enter_as_guest(host, "Masha")
    address = people.open_table(host)
    people.accept_invitation(guest, address, "Alex")
    sign = guest.page.locator(".chat-sign")
    expect(sign).to_have_accessible_description("")
    host.page.locator("#chat-text").fill("Good luck")
    people.press(host, "Send")
    for visitor in (host, guest):
        expect(visitor.page.locator(".bubble")).to_have_text("Good luck")
    expect(sign).to_have_accessible_description("New messages")
    sign.click()
    expect(guest.page.locator("#messages")).to_be_in_viewport()
    expect(sign).to_have_accessible_description("")
    guest.page.get_by_text("More phrases", exact=True).click()
    assert guest.accessibility_violations() == []
    assert not guest.scrolls_sideways()
    people.press(guest, "Thanks!")
    expect(host.page.locator(".bubble", has_text="Thanks!")).to_be_visible()
    people.press(guest, "Mute this table")
    unmute = guest.page.get_by_role("button", name="Unmute")
    expect(unmute).to_be_focused()
    host.page.locator("#chat-text").fill("Not for you")
    people.press(host, "Send")
    expect(host.page.locator(".bubble", has_text="Not for you")).to_be_visible()
    expect(guest.page.get_by_text("Not for you")).to_have_count(0)
    guest.page.keyboard.press("Enter")
    expect(guest.page.locator("#messages")).to_contain_text("Not for you")
    expect(guest.page.locator(".bubble", has_text="Not for you")).to_have_count(0)
    expect(guest.page.get_by_role("button", name="Mute this table")).to_be_focused()
    guest.page.keyboard.press("Escape")
    expect(guest.page.locator("#messages")).not_to_be_in_viewport()
    guest.page.locator(".rules-sign").click()
    expect(guest.page.locator("#rules-sheet")).to_be_visible()
    assert guest.accessibility_violations() == []
