"""What people do in a browser, by the words on the page."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests import seeds
from tests.browser.visitor import Visitor

PASSWORD = "seven-spotted-goats"
NAMES = seeds.Source("names")
AT_A_TABLE = re.compile(r"/match/([a-z0-9]+)/")


def new_name(start: str) -> str:
    """Return a user name that nobody has taken on a site, not even an attempt at the same test before."""
    return f"{start}-{NAMES.token_hex(3)}"


def come_as_guest(visitor: Visitor, name: str) -> None:
    """Be on the site with a name. No page is shown for it: ``fill_in_name`` is for who looks at that form."""
    visitor.send("/accounts/guest/", "Play", name=name)


def fill_in_name(visitor: Visitor, name: str) -> None:
    """Enter the site with a name."""
    visitor.visit("/accounts/guest/")
    visitor.page.get_by_label("Name").fill(name)
    visitor.page.get_by_role("button", name="Play", exact=True).click()
    expect(visitor.page.get_by_role("banner")).to_contain_text(name)


def sign_up(visitor: Visitor, username: str) -> None:
    """Make an account."""
    visitor.visit("/accounts/signup/")
    visitor.page.get_by_label("User name").fill(username)
    visitor.page.get_by_label("Email address").fill(f"{username}@example.org")
    visitor.page.get_by_label("Password", exact=True).fill(PASSWORD)
    visitor.page.get_by_label("Password, again").fill(PASSWORD)
    press(visitor, "Sign up")
    expect(visitor.page.get_by_role("banner")).to_contain_text(username)


def open_table(visitor: Visitor, preset: str = "Full table", game: str = "kozel") -> str:
    """Open a ready-made table of a game, come to it, and return its address."""
    address = visitor.send(f"/?game={game}", preset)
    visitor.visit(address)
    return address


def accept(visitor: Visitor, address: str, name: str) -> None:
    """Follow an invitation with a name, sit down, and see the table from there."""
    come_as_guest(visitor, name)
    visitor.send(address, "Sit here")
    visitor.visit(address)


def start(host: Visitor, guest: Visitor) -> None:
    """Start the match at a table where both sit; bots take the seats that are free."""
    expect(host.page.locator("#seats .seat:not(.free)")).to_have_count(2)
    for fill in ("Fill with bots", "Start now with bots"):
        if host.page.get_by_role("button", name=fill).count():
            act_at_table(host, fill)
    expect(guest.page.locator("#seats .free")).to_have_count(0)
    if host.page.get_by_role("button", name="Start the match").count():
        act_at_table(host, "Start the match")
    expect(guest.page.locator("#hand .tiles")).to_be_visible()


def come_to_table(visitor: Visitor, address: str) -> None:
    """Open the page of a table, and wait until the line to the server stands and its first frame is shown."""
    assert visitor.visit(address) == 200
    await_line(visitor)


def await_line(visitor: Visitor) -> None:
    """Wait until a page that was opened has got a frame over its line: before that nothing that is clicked is sent."""
    expect(visitor.page.locator("html[data-swapped]")).to_be_attached()


def act_at_table(visitor: Visitor, name: str) -> None:
    """Press a button that loads the page of the table anew, and wait until its line stands."""
    submit(visitor, name)
    await_line(visitor)


def address_of_table(visitor: Visitor) -> str:
    found = AT_A_TABLE.search(visitor.page.url)
    assert found, visitor.page.url
    return found[0]


def press(visitor: Visitor, name: str) -> None:
    """Press the button with these words."""
    visitor.page.get_by_role("button", name=name, exact=True).first.click()


def submit(visitor: Visitor, name: str) -> None:
    """Press a button that loads a page, and wait for it: what is asked of the page before may get lost."""
    with visitor.page.expect_navigation():
        press(visitor, name)


def follow(visitor: Visitor, link: Locator) -> None:
    """Follow a link, and wait for the page it leads to."""
    with visitor.page.expect_navigation():
        link.click()
