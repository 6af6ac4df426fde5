"""Development serves every script as a file of its own, and the order in which they arrive does not matter."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import NewVisitor
from tests.browser.hands import sit_at_prepared_table, tile_name
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock", bundles=False)


def test_table_is_live_even_if_the_socket_extension_loads_late(new_visitor: NewVisitor, site: Server) -> None:
    def delay(route: Route) -> None:
        time.sleep(0.5)
        route.continue_()

    visitor = new_visitor(first_visit=True)  # other sites have other files
    visitor.page.route("**/hx-ws*.js", delay)
    hand = sit_at_prepared_table(lambda: visitor, site)
    expect(hand.page.locator("#choose")).to_have_attribute("data-htmx-powered", "true")
    tile = tile_name(hand.fitting_once)
    hand.fitting_once.click()
    hand.expect_played(tile)
