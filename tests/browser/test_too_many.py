"""More pages than an address may have open; the site's limit is small here."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import people
from tests.browser.conftest import NewVisitor

pytestmark = pytest.mark.site("--no-clock", SOCKETS_PLACES="1 address")
SHORTEST_DELAY = "Math.random = () => 0"  # makes htmx's extension wait shortest before it reconnects


def test_page_above_the_limit_connects_when_another_closes(new_visitor: NewVisitor) -> None:
    ann, other = new_visitor(), new_visitor()
    other.network.address = ann.network.address
    for visitor in (ann, other):
        visitor.page.add_init_script(SHORTEST_DELAY)
    people.enter_as_guest(ann, "Ann")
    address = people.open_table(ann, "Duel")
    state, anns = other.page.locator("#connection-state"), ann.page.locator("#connection-state")
    expect(anns).to_be_hidden()
    other.visit(address)
    expect(state).to_contain_text("Reconnecting")
    expect(anns).to_be_hidden()
    ann.visit("/rules/")
    expect(state).to_be_hidden()
