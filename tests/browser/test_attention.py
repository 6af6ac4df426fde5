"""A table alerts its player: title, icon, sounds and a short vibration."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.player import Player
from tests.server import Server

pytestmark = pytest.mark.site(PACE="0.1")

PREPARE_TABLE = """
from tests.browser import stages
from tests.games import tables
ann = tables.person("Ann")
has_choice = lambda state: stages.has_a_choice(state) and state.round.plays
answer = [stages.log_in(ann), stages.match_in_state([ann], has_choice, bots=3, clock="none").slug]
"""
LISTEN = """
const mark = (what) => { document.documentElement.dataset[what] = "yes"; };
const start = AudioScheduledSourceNode.prototype.start;
AudioScheduledSourceNode.prototype.start = function (...when) { mark("heard"); return start.apply(this, when); };
Navigator.prototype.vibrate = () => mark("felt");
"""
SCREEN = """
Object.defineProperty(Navigator.prototype, "wakeLock", { value: { request: async (what) => {
    document.documentElement.dataset.awake = what;
    return Object.assign(new EventTarget(), { release: () => {} });
} } });
"""
DEFAULT_TITLE = "Kozel · Dominoes online"
ALERT_TITLE = "● Your turn – Kozel"


def test_title_icon_sound_and_vibration_announce_the_turn(site: Server, new_visitor: NewVisitor) -> None:
    session, slug = site.run_code(PREPARE_TABLE)
    player = Player(new_visitor())
    page, html = player.page, player.page.locator("html")
    page.add_init_script(LISTEN)
    player.visitor.enter(session)
    people.visit_table(player.visitor, f"/match/{slug}/")
    icon, switch = page.locator("link[rel=icon]"), page.get_by_role("checkbox", name="Sound and vibration")

    expect(page).to_have_title(ALERT_TITLE)
    expect(icon).to_have_attribute("href", re.compile("favicon-turn"))
    expect(page.locator(".comfort label")).to_be_in_viewport(ratio=1)

    switch.uncheck()
    before = player.read().version
    player.act()
    expect(page).to_have_title(DEFAULT_TITLE)
    expect(icon).not_to_have_attribute("href", re.compile("favicon-turn"))
    act_until(player, lambda: player.state.version > before + 1)
    assert html.get_attribute("data-heard") is None
    assert html.get_attribute("data-felt") is None

    switch.check()
    act_until(player, lambda: html.get_attribute("data-felt") == "yes")
    expect(html).to_have_attribute("data-heard", "yes")


def act_until(player: Player, done: Callable[[], bool]) -> None:
    """Make all possible actions until the condition holds."""
    while not done():
        state = player.read()
        if state.round_is_over or (state.is_own_turn and state.can_act):
            player.act()
        player.page.wait_for_timeout(50)


def test_felt_and_tiles_chosen_at_the_table_are_saved(site: Server, new_visitor: NewVisitor) -> None:
    session, slug = site.run_code(PREPARE_TABLE)
    visitor = new_visitor()
    page, html = visitor.page, visitor.page.locator("html")
    visitor.enter(session)
    people.visit_table(visitor, f"/match/{slug}/")
    for choice, name, value in (("blue", "felt", "blue"), ("coloured pips", "tiles", "colours")):
        if page.locator("#looks").is_hidden():
            page.get_by_role("button", name="Felt and tiles").click()
        with page.expect_response("**/accounts/looks/"):
            page.get_by_role("radio", name=choice).check()
        expect(html).to_have_attribute(f"data-{name}", value)
    page.reload()
    expect(html).to_have_attribute("data-felt", "blue")
    expect(html).to_have_attribute("data-tiles", "colours")


def test_screen_stays_awake_during_play_and_full_screen_works(site: Server, new_visitor: NewVisitor) -> None:
    session, slug = site.run_code(PREPARE_TABLE)
    player, spectator = new_visitor(), new_visitor()
    player.enter(session)
    for visitor in (player, spectator):
        visitor.page.add_init_script(SCREEN)
        people.visit_table(visitor, f"/match/{slug}/")
    expect(player.page.locator("html")).to_have_attribute("data-awake", "screen")
    assert spectator.page.locator("html").get_attribute("data-awake") is None

    whole = player.page.get_by_role("button", name="Full screen")
    for pressed in ("true", "false"):
        whole.click()
        expect(whole).to_have_attribute("aria-pressed", pressed)
        assert player.page.evaluate("String(document.fullscreenElement !== null)") == pressed

    player.page.locator(".leave > summary").click()
    people.submit(player, "Leave now")
    people.await_connection(player)
    assert player.page.locator("html").get_attribute("data-awake") is None
