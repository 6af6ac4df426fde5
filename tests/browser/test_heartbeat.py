"""A page's heartbeat: a player's never stops, a spectator's pauses while moves arrive."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.player import Player

pytestmark = pytest.mark.site("--no-clock")

COUNT = """document.addEventListener("htmx:ws:after:message:outgoing", ({target}) => {
    if (target.id === "seen") document.body.dataset.beats = Number(document.body.dataset.beats ?? 0) + 1;
});"""
FORGET = "() => delete document.body.dataset.beats"
CLOSE_FOR_GOOD = """document.getElementById("match").dispatchEvent(
    new CustomEvent("htmx:ws:close", {bubbles: true, detail: {code: 4001, reason: "", connection: {}}})
)"""
A_MINUTE_LATER = """() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 60_000;
}"""
LOADED_MS = 3500  # ms; a player's page sends the first heartbeat after three seconds
BEAT = "document.getElementById('seen').dispatchEvent(new Event('wake'))"


def test_only_players_send_heartbeats_while_moves_arrive(new_visitor: NewVisitor) -> None:
    ann, ben, watching = (new_visitor() for _ in range(3))
    people.enter_as_guest(ann, "Anna")
    address = people.open_table(ann, "Duel")
    people.accept_invitation(ben, address, "Bela")
    people.visit_table(watching, address)
    for visitor in (ben, watching):
        people.await_connection(visitor)
        visitor.page.evaluate(COUNT)
    people.submit_at_table(ann, "Start the match")
    for visitor in (ann, ben, watching):
        expect(visitor.page.locator("#sync")).to_have_attribute("data-status", "running")
    before = watching.page.locator("#version").input_value()
    next(player for player in map(Player, (ann, ben)) if player.read().is_own_turn).act()
    expect(watching.page.locator("#version")).not_to_have_value(before)
    for visitor in (watching, ben):
        visitor.page.evaluate(FORGET)  # one may have been due before the move
        visitor.page.evaluate(BEAT)
    expect(ben.page.locator("body")).to_have_attribute("data-beats", "1")
    expect(watching.page.locator("body[data-beats]")).to_have_count(0)
    watching.page.evaluate(A_MINUTE_LATER)
    watching.page.evaluate(BEAT)
    expect(watching.page.locator("body")).to_have_attribute("data-beats", "1")


def test_page_with_a_finally_closed_connection_sends_no_heartbeats(new_visitor: NewVisitor) -> None:
    ann = new_visitor()
    people.enter_as_guest(ann, "Anna")
    people.open_table(ann, "Duel")
    people.await_connection(ann)
    ann.page.evaluate(CLOSE_FOR_GOOD)
    expect(ann.page.locator("#seen")).to_have_count(0)
    ann.page.wait_for_timeout(LOADED_MS)
    assert ann.errors == []
