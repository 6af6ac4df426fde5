"""Before its scripts have arrived a page works as it does without scripts, and no press is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from playwright.sync_api import Error, Page, Route, expect

from tests.browser import hands, people
from tests.browser.conftest import NewVisitor
from tests.browser.hands import Hand, tile_name
from tests.browser.visitor import Visitor
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

SCRIPTS = re.compile(r"/static/.*\.js")


@contextmanager
def withheld(page: Page) -> Iterator[None]:
    """Let the scripts arrive only at the end of the block."""
    waiting: list[Route] = []

    def withhold(route: Route) -> None:
        waiting.append(route)

    page.route(SCRIPTS, withhold)
    yield
    page.unroute(SCRIPTS)
    for route in waiting:
        with suppress(Error):  # the page that requested it is gone
            route.continue_()


def open_table(visitor: Visitor, site: Server) -> Hand:
    """Open a table without waiting for its scripts."""
    session, slug = site.run_code(f"{hands.PREPARE_TABLE}\nanswer = prepare_table()")
    visitor.enter(session)
    visitor.page.goto(f"{visitor.network.url}/match/{slug}/", wait_until="commit")
    return Hand(visitor)


def expect_on_table(hand: Hand, tile: str) -> None:
    """Expect the tile to be on the table. Without scripts the page keeps the layouts for all shapes of the felt."""
    expect(hand.page.locator(f"#h{tile.replace('-', '')}")).to_have_count(0)
    expect(hand.board_tile(tile).first).to_be_attached()


def test_tiles_pressed_before_the_scripts_arrive_are_played(new_visitor: NewVisitor, site: Server) -> None:
    visitor = new_visitor()
    with withheld(visitor.page):
        hand = open_table(visitor, site)
        tile = tile_name(hand.fitting_twice)
        hand.fitting_twice.click()
        expect(hand.page.locator("#hand [aria-pressed]")).to_have_count(1)
        hand.places.first.click()
        expect_on_table(hand, tile)
    people.await_connection(visitor)
    hand.expect_played(tile)


def test_tile_that_fits_once_is_played_by_a_press_before_the_scripts_arrive(
    new_visitor: NewVisitor, site: Server
) -> None:
    visitor = new_visitor()
    with withheld(visitor.page):
        hand = open_table(visitor, site)
        tile = tile_name(hand.fitting_once)
        hand.fitting_once.click()
        expect_on_table(hand, tile)


def test_tile_pressed_before_the_socket_opens_is_played(new_visitor: NewVisitor, site: Server) -> None:
    visitor = new_visitor()
    visitor.block_sockets("unanswered")
    hand = open_table(visitor, site)
    visitor.page.wait_for_load_state()
    tile = tile_name(hand.fitting_once)
    hand.fitting_once.click()
    hand.expect_played(tile)
