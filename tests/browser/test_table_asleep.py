"""A page that was hidden or asleep shows the current table once it is visible again."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.play import Match
from tests.browser.player import Player
from tests.server import Server

pytestmark = pytest.mark.site(PACE="0.1")

HIDE = """hidden => {
    Object.defineProperty(document, "hidden", {get: () => hidden, configurable: true});
    Object.defineProperty(document, "visibilityState", {get: () => hidden ? "hidden" : "visible", configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""


PREPARE_TABLE = """
from tests.browser import stages
from tests.games import tables
pair = [tables.person(name) for name in ("Anna", "Bela")]
match = tables.running_table(pair, clock="relaxed")
answer = [f"/match/{match.slug}/", *map(stages.log_in, pair)]
"""


def test_hidden_page_keeps_updating_and_shows_the_current_table_after_sleep(
    new_visitor: NewVisitor, site: Server
) -> None:
    ann, ben = Player(new_visitor(), mirrored=True), Player(new_visitor(width=360, height=740))
    address, *sessions = site.run_code(PREPARE_TABLE)
    for player, session in zip((ann, ben), sessions, strict=True):
        player.visitor.enter(session)
        people.visit_table(player.visitor, address)
    duel = Match(ann, ben)
    hidden_page_keeps_updating(duel)
    page_disconnected_during_sleep_reconnects(duel)
    dead_connection_is_detected_when_the_page_becomes_visible(duel)
    assert ann.mirror.differences == []


def hidden_page_keeps_updating(duel: Match) -> None:
    ann, ben = duel.players
    ann.page.evaluate(HIDE, True)
    duel.play_until(lambda: ann.state.is_own_turn)
    duel.play_until(lambda: ben.state.is_own_turn)
    ann.page.evaluate(HIDE, False)
    assert ann.read().revision == ben.read().revision


def page_disconnected_during_sleep_reconnects(duel: Match) -> None:
    ann, ben = duel.players
    duel.play_until(lambda: ben.state.is_own_turn)
    ann.page.evaluate(HIDE, True)
    with ann.visitor.offline():
        duel.play_until(lambda: ben.state.to_move == "Anna", ben)
    ann.page.evaluate(HIDE, False)
    duel.wait_again()


def dead_connection_is_detected_when_the_page_becomes_visible(duel: Match) -> None:
    ann, ben = duel.players
    duel.play_until(lambda: ben.state.is_own_turn)
    ann.page.evaluate(HIDE, True)
    ann.visitor.network.silence()
    missed = ann.read().version
    duel.play_until(lambda: ben.state.to_move == "Anna", ben)
    assert ann.read().version == missed
    ann.page.evaluate(HIDE, False)
    # Not the revision: the site shows a player without a connection as away.
    expect(ann.page.locator("#version")).to_have_value(str(ben.state.version))
    expect(ann.page.locator("#connection-state")).to_be_hidden()
