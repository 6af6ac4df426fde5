"""A page that was hidden or asleep shows the current table once it is visible again."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.play import Match
from tests.browser.player import Player

pytestmark = pytest.mark.site(PACE="0.1")

HIDE = """hidden => {
    Object.defineProperty(document, "hidden", {get: () => hidden, configurable: true});
    Object.defineProperty(document, "visibilityState", {get: () => hidden ? "hidden" : "visible", configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def duel(new_visitor: NewVisitor) -> Match:
    """Anna and Bela at a table for two."""
    ann, ben = Player(new_visitor(), mirrored=True), Player(new_visitor(width=360, height=740))
    people.enter_as_guest(ann.visitor, "Anna")
    address = people.open_table(ann.visitor, "Duel")
    people.accept(ben.visitor, address, "Bela")
    people.submit_at_table(ann.visitor, "Start the match")
    return Match(ann, ben)


def test_hidden_page_keeps_updating(duel: Match) -> None:
    ann, ben = duel.players
    ann.page.evaluate(HIDE, True)
    duel.play_until(lambda: ann.state.mine)
    duel.play_until(lambda: ben.state.mine)
    ann.page.evaluate(HIDE, False)
    assert ann.read().revision == ben.read().revision
    assert ann.mirror.differences == []


def test_page_disconnected_during_sleep_reconnects(duel: Match) -> None:
    ann, ben = duel.players
    duel.play_until(lambda: ben.state.mine)
    ann.page.evaluate(HIDE, True)
    with ann.visitor.without_line():
        duel.play_until(lambda: ben.state.to_move == "Anna", ben)
    ann.page.evaluate(HIDE, False)
    duel.wait_again()
    assert ann.mirror.differences == []


def test_dead_connection_is_detected_when_the_page_becomes_visible(duel: Match) -> None:
    ann, ben = duel.players
    duel.play_until(lambda: ben.state.mine)
    ann.page.evaluate(HIDE, True)
    ann.visitor.line.silence()
    missed = ann.read().version
    duel.play_until(lambda: ben.state.to_move == "Anna", ben)
    assert ann.read().version == missed
    ann.page.evaluate(HIDE, False)
    # Not the revision: the site shows a player without a connection as away.
    expect(ann.page.locator("#version")).to_have_value(str(ben.state.version))
    expect(ann.page.locator("#connection-state")).to_be_hidden()
