"""More pages than one address may have open: the site is small here."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import people
from tests.browser.conftest import NewVisitor

pytestmark = pytest.mark.site("--no-clock", SOCKETS_PLACES="1 address")
SOON = "Math.random = () => 0"
"""The extension of htmx waits shortest before it dials again."""


def test_a_page_that_is_one_too_many_comes_in_by_itself_when_another_goes(new_visitor: NewVisitor) -> None:
    ann, other = new_visitor(), new_visitor()
    other.line.address = ann.line.address
    for visitor in (ann, other):
        visitor.context.add_init_script(SOON)
    people.enter_as_guest(ann, "Ann")
    address = people.open_table(ann, "Duel")
    state, anns = other.page.locator("#connection-state"), ann.page.locator("#connection-state")
    expect(anns).to_be_hidden()
    other.visit(address)
    expect(state).to_contain_text("Reconnecting")
    expect(anns).to_be_hidden()
    ann.visit("/rules/")
    expect(state).to_be_hidden()
