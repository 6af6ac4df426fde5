"""A round of every game played to its end by keyboard; the focus is never lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.words import offered_variants
from tests.browser.conftest import NewVisitor
from tests.browser.typist import finish_round, sit_at_table
from tests.server import Server

pytestmark = pytest.mark.site(PACE="0.1")


@pytest.mark.parametrize("key", [key for key in offered_variants() if key != "triominoes"])
def test_round_is_played_by_keyboard(new_visitor: NewVisitor, site: Server, key: str) -> None:
    typist = sit_at_table(new_visitor(), site, f'late_table(ann, "{key}")')
    finish_round(typist)
    if typist.state.round_is_over:
        typist.act()
        expect(typist.page.locator("#result")).to_be_hidden()
        expect(typist.page.locator("#hand:focus, #hand :focus")).to_be_visible()


def test_match_is_played_by_keyboard(new_visitor: NewVisitor, site: Server) -> None:
    typist = sit_at_table(new_visitor(), site, "last_table(ann)")
    finish_round(typist)
    assert typist.state.status == "finished"
    expect(typist.page.locator("#result .headline")).to_be_visible()
    typist.press("Tab")
    expect(typist.page.locator("#hand :focus")).to_be_visible()
