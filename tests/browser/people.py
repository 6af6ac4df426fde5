"""Common actions of visitors, by the texts on the page."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests import seeds
from tests.browser.visitor import Visitor

PASSWORD = "seven-spotted-goats"
NAME_SOURCE = seeds.SeededSource("names")
TABLE_PATH = re.compile(r"/match/([a-z0-9]+)/")


def new_name(start: str) -> str:
    """Return a user name that is free on any site, even after an earlier run of the same test."""
    return f"{start}-{NAME_SOURCE.token_hex(3)}"


def enter_as_guest(visitor: Visitor, name: str) -> None:
    """Enter the site as a guest without rendering the form; ``fill_in_name`` uses the form."""
    visitor.send("/accounts/guest/", "Play", name=name)


def fill_in_name(visitor: Visitor, name: str) -> None:
    """Enter the site as a guest by its form."""
    visitor.visit("/accounts/guest/")
    visitor.page.get_by_label("Name").fill(name)
    visitor.page.get_by_role("button", name="Play", exact=True).click()
    expect(visitor.page.get_by_role("banner")).to_contain_text(name)


def sign_up(visitor: Visitor, username: str) -> None:
    """Create an account."""
    visitor.visit("/accounts/signup/")
    visitor.page.get_by_label("User name").fill(username)
    visitor.page.get_by_label("Email address").fill(f"{username}@example.org")
    visitor.page.get_by_label("Password", exact=True).fill(PASSWORD)
    visitor.page.get_by_label("Password, again").fill(PASSWORD)
    press(visitor, "Sign up")
    expect(visitor.page.get_by_role("banner")).to_contain_text(username)


def open_table(visitor: Visitor, preset: str = "Full table", game: str = "kozel") -> str:
    """Open a ready-made table of a game, visit it, and return its address."""
    address = visitor.send(f"/?game={game}", preset)
    visitor.visit(address)
    return address


def open_private_table(visitor: Visitor, seats: int = 2) -> str:
    """Open a table for friends and a full match, visit it, and return its address."""
    terms = {"seats": str(seats), "option_length": "full"}
    address = visitor.send("/tables/new/?game=kozel&friends=1", "Get a link", **terms)
    visitor.visit(address)
    return address


def accept_invitation(visitor: Visitor, address: str, name: str) -> None:
    """Enter as a guest, sit down at the table of an invitation, and visit it."""
    enter_as_guest(visitor, name)
    visitor.send(address, "Sit here")
    visitor.visit(address)


def start_match(host: Visitor, guest: Visitor) -> None:
    """Start the match at a table where both sit; bots fill the free seats."""
    expect(host.page.locator("#seats .seat:not(.free)")).to_have_count(2)
    for start in ("Start now with bots", "Start the match"):
        if host.page.get_by_role("button", name=start).count():
            submit_at_table(host, start)
    expect(guest.page.locator("#hand .tiles")).to_be_visible()


def visit_table(visitor: Visitor, address: str) -> None:
    """Open the page of a table, and wait for its connection and first frame."""
    assert visitor.visit(address) == 200
    await_connection(visitor)


def await_connection(visitor: Visitor) -> None:
    """Wait until the page has received a frame: clicks before that are not sent."""
    expect(visitor.page.locator("html[data-swapped]")).to_be_attached()


def submit_at_table(visitor: Visitor, name: str) -> None:
    """Press a button that reloads the page of the table, and wait for its connection."""
    submit(visitor, name)
    await_connection(visitor)


def table_address(visitor: Visitor) -> str:
    match = TABLE_PATH.search(visitor.page.url)
    assert match, visitor.page.url
    return match[0]


def press(visitor: Visitor, name: str) -> None:
    visitor.page.get_by_role("button", name=name, exact=True).first.click()


def submit(visitor: Visitor, name: str) -> None:
    """Press a button that loads a page, and wait for it: requests to the old page may get lost."""
    with visitor.page.expect_navigation():
        press(visitor, name)


def follow_link(visitor: Visitor, link: Locator) -> None:
    """Follow a link, and wait for the page it leads to."""
    with visitor.page.expect_navigation():
        link.click()
