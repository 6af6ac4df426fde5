"""Browsers that lack or forbid an interface: only the features that need it are missing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser import people
from tests.browser.typist import PREPARE_TABLE, finish_round, sit_at_table
from tests.browser.visitor import Visitor
from tests.server import Server

pytestmark = pytest.mark.site(PACE="0.1")

FORBID = """Object.defineProperty(window, "{}", {{
    configurable: true, get() {{ throw new DOMException("denied", "SecurityError"); }}}});"""
MISSING = {
    "local storage": ["window.localStorage"],
    "session storage": ["window.sessionStorage"],
    "matchMedia": ["window.matchMedia"],
    "ResizeObserver": ["window.ResizeObserver"],
    "AudioContext": ["window.AudioContext"],
    "notifications": ["window.Notification", "window.PushManager", "Navigator.prototype.serviceWorker"],
    "performance entries": ["Performance.prototype.getEntriesByType"],
    "fingerprints": ["Crypto.prototype.subtle"],
    "wake lock": ["Navigator.prototype.wakeLock"],
    "vibration": ["Navigator.prototype.vibrate", "Navigator.prototype.userActivation"],
    "clipboard": ["Navigator.prototype.clipboard"],
    "sharing": ["Navigator.prototype.share"],
    "full screen": ["Document.prototype.fullscreenEnabled", "Element.prototype.requestFullscreen"],
    "animations": [f"{owner}.prototype.getAnimations" for owner in ("Document", "Element")]
    + ["Element.prototype.animate"],
    "popovers": [
        f"HTMLElement.prototype.{name}" for name in ("popover", "showPopover", "hidePopover", "togglePopover")
    ],
    # No script of the site uses these; htmx may.
    "unused interfaces": [
        "window.BroadcastChannel",
        "window.IntersectionObserver",
        "window.PerformanceObserver",
        "window.requestIdleCallback",
        "window.structuredClone",
        "Document.prototype.startViewTransition",
        "Element.prototype.checkVisibility",
        "Element.prototype.moveBefore",
        "HTMLDialogElement.prototype.showModal",
    ],
}
BROKEN = {
    **{name: "".join(f"delete {path};" for path in paths) for name, paths in MISSING.items()},
    "permission for local storage": FORBID.format("localStorage"),
    "permission for session storage": FORBID.format("sessionStorage"),
    "room in the storages": """
        Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };""",
    "navigation timing": "performance.getEntriesByType = () => [];",
}
ALL_BROKEN = "\n".join(BROKEN.values())
# Four are broken at a time; none of them hides the effect of another.
GROUPS = [list(BROKEN)[start::5] for start in range(5)]
FIRST_WITH_PLACES = """() => {
    const tiles = [...document.querySelectorAll("#hand .tiles button")];
    return tiles.findIndex((tile) => tile.classList.contains("fits") && tile.form.id === "choose") + 1;
}"""


@pytest.fixture(scope="module")
def table(site: Server) -> list[str]:
    """Return the session of a player to move, and the address of the table."""
    return site.run_code(PREPARE_TABLE.format('late_table(ann, "kozel")'))


@pytest.mark.parametrize("interfaces", GROUPS, ids=", ".join)
def test_keys_choose_a_tile_without_interfaces(visitor: Visitor, table: list[str], interfaces: list[str]) -> None:
    session, address = table
    visitor.page.add_init_script("\n".join(BROKEN[name] for name in interfaces))
    visitor.enter(session)
    people.visit_table(visitor, address)
    expect(visitor.page.locator(".keys-help")).to_be_visible()
    number = visitor.page.evaluate(FIRST_WITH_PLACES)
    visitor.page.keyboard.press(str(number))
    expect(visitor.page.locator("#hand [aria-pressed]")).to_be_focused()
    visitor.page.keyboard.press("Escape")
    expect(visitor.page.locator("#hand [aria-pressed]")).to_have_count(0)


def test_round_is_played_without_interfaces(visitor: Visitor, site: Server) -> None:
    visitor.page.add_init_script(ALL_BROKEN)
    finish_round(sit_at_table(visitor, site, 'late_table(ann, "kozel")'))


def test_other_pages_open_without_interfaces(visitor: Visitor, table: list[str]) -> None:
    visitor.page.add_init_script(ALL_BROKEN)
    for path in ("/", "/tv/kozel/", "/learn/kozel/", f"{table[1]}review/"):
        assert visitor.visit(path) == 200


def test_clock_runs_without_navigation_timing(visitor: Visitor, site: Server) -> None:
    session, address = site.run_code(
        PREPARE_TABLE.format('match_in_state([ann], stages.has_a_choice, variant="kozel")')
    )
    visitor.page.add_init_script(BROKEN["navigation timing"])
    visitor.enter(session)
    people.visit_table(visitor, address)
    clock = visitor.page.locator("#clock")
    expect(clock).to_have_text(re.compile(r"^\d+:\d\d( \+ \d+:\d\d)?$|^\d+$"))
    before = clock.inner_text()
    expect(clock).not_to_have_text(before)
