"""Spectators come and go during a match, and see it later if its host chose a delay."""

from __future__ import annotations

import re
import time

from playwright.sync_api import expect

from games.enums import Delay
from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.test_pages import WINDOWS
from tests.browser.visitor import Visitor

TIMEOUT_MS = 60_000
DELAY_SECONDS = 30
NOTE_THE_FIRST_MOVE = """() => document.addEventListener("htmx:after:swap", () => {
    if (document.getElementById("version").value !== "0") document.documentElement.dataset.moved ??= Date.now();
})"""


def open_delayed_table(visitor: Visitor, delay: str) -> str:
    """Open a table with this delay, fill it with bots, and visit it."""
    # Without a clock: nobody plays for a host who only watches.
    address = visitor.send("/tables/new/", "Open the table", delay=delay, clock="none")
    visitor.send(address, "Fill with bots")
    people.visit_table(visitor, address)
    expect(visitor.page.get_by_role("button", name="Start the match")).to_be_visible()
    return address


def start(visitor: Visitor) -> None:
    people.submit_at_table(visitor, "Start the match")
    expect(visitor.page.locator("#sync")).to_have_attribute("data-status", "running")
    expect(visitor.page.locator("#version")).not_to_have_value("0")


def test_delayed_match_is_shown_later_and_spectators_come_and_go(
    new_visitor: NewVisitor,
) -> None:
    host, spectator = (new_visitor() for _ in range(2))
    people.enter_as_guest(host, "Masha")
    people.visit_table(spectator, open_delayed_table(host, Delay.SHORT))
    expect(spectator.page.locator("#delayed")).to_contain_text("30 seconds behind")
    spectator.page.evaluate(NOTE_THE_FIRST_MOVE)
    begun = time.time()
    start(host)
    expect(spectator.page.locator("#sync")).to_have_attribute("data-status", "running")

    come_and_go(*(new_visitor() for _ in range(3)))  # the delay leaves time for it

    expect(spectator.page.locator("html[data-moved]")).to_be_attached(timeout=TIMEOUT_MS)
    moved = spectator.page.locator("html").get_attribute("data-moved")
    assert int(moved or 0) >= (begun + DELAY_SECONDS) * 1000
    assert spectator.accessibility_violations() == []


def test_watching_window_follows_when_the_person_sits_down_in_another(new_visitor: NewVisitor) -> None:
    host, watching = new_visitor(), new_visitor()
    people.enter_as_guest(host, "Masha")
    people.enter_as_guest(watching, "Anna")
    playing = Visitor(watching.context, watching.line)
    address = people.open_table(host)
    for window in (watching, playing):
        people.visit_table(window, address)
    match = watching.page.locator("#match")
    expect(match).to_have_class(re.compile(r"\baround-4-0\b"))

    people.submit_at_table(playing, "Sit here")
    expect(match).to_have_class(re.compile(r"\baround-4-1\b"))
    expect(match).to_have_attribute("data-viewer", "1")
    people.await_connection(watching)

    people.submit_at_table(playing, "Leave the table")
    expect(match).to_have_class(re.compile(r"\baround-4-0\b"))
    expect(match).not_to_have_attribute("data-viewer", re.compile("."))
    assert playing.errors == []


def test_tv_continues_with_the_next_match(new_visitor: NewVisitor) -> None:
    hosts, viewer = [new_visitor(), new_visitor()], new_visitor()
    for host, name in zip(hosts, ("Maya", "Mark"), strict=True):
        people.enter_as_guest(host, name)
        open_delayed_table(host, Delay.NONE)
        start(host)
    first = people.table_address(hosts[0])
    viewer.visit("/")
    expect(viewer.page.locator("#featured")).to_contain_text(re.compile("Maya|Mark"))
    expect(viewer.page.locator("#featured #board svg")).to_be_visible()
    assert viewer.complaints(WINDOWS) == []
    assert viewer.visit(f"/tv/?on={first.rstrip('/').rpartition('/')[2]}") == 200
    people.await_connection(viewer)
    expect(viewer.page.locator("#seats")).to_contain_text("Maya")
    assert viewer.accessibility_violations() == []
    hosts[0].page.locator(".leave > summary").click()
    hosts[0].page.get_by_role("button", name="Leave now").click()
    expect(viewer.page.get_by_role("button", name="Stay")).to_be_visible()
    assert viewer.accessibility_violations() == []
    expect(viewer.page.locator("#seats")).not_to_contain_text("Maya", timeout=TIMEOUT_MS)
    expect(viewer.page.locator("#sync")).to_have_attribute("data-status", "running")


def come_and_go(host: Visitor, *spectators: Visitor) -> None:
    """Watch a match without delay: the host sees the spectators."""
    people.enter_as_guest(host, "Masha")
    people.enter_as_guest(spectators[0], "Anna")
    address = open_delayed_table(host, Delay.NONE)
    start(host)
    for spectator in spectators:
        people.visit_table(spectator, address)
        expect(spectator.page.locator("#task")).to_contain_text("watching")
        expect(spectator.page.locator("#version")).not_to_have_value("0")
        expect(spectator.page.locator("#hand button")).to_have_count(0)
    menu, names = host.page.locator("#spectators"), host.page.locator("#spectator-names")
    expect(menu).to_have_text(re.compile("^2 watching$"), use_inner_text=True)
    before = host.position_of("#lens")
    menu.locator("summary").click()
    expect(names).to_have_text("Anna (guest) and 1 visitor")
    assert host.accessibility_violations() == []
    assert host.position_of("#lens") == before
    spectators[0].visit("/")
    expect(names).to_have_text("1 visitor")
    expect(names).to_be_visible()
    spectators[1].visit("/")
    expect(menu).to_be_hidden()
    expect(host.page.locator("#sync")).to_have_attribute("data-status", "running")
