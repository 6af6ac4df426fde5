"""Whole matches of every game in degraded browsers: ``make matches``."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from games.engine.variants import rules_for
from games.words import offered_variants
from tests.browser import solo
from tests.browser.conftest import CHROMIUM_FLAGS, NewVisitor
from tests.browser.firefox import Firefox
from tests.server import Server

pytestmark = [pytest.mark.site(PACE="0.05"), pytest.mark.matches]

MATCH_SECONDS = 1200
POLLING_SIGN = "every few seconds"
BLOCK_COOKIES = {"profile": {"default_content_setting_values": {"cookies": 2}}}
COOKIES_WORK = """() => {
    document.cookie = "tried=1";
    return navigator.cookieEnabled && document.cookie.includes("tried");
}"""


@pytest.mark.parametrize("key", offered_variants())
def test_firefox_plays_a_whole_match(site: Server, tmp_path: Path, key: str) -> None:
    with Firefox(tmp_path / "profile") as firefox:
        firefox.goto(site.url + solo.start_match(firefox, site.url, rules_for(key)))
        signs = solo.play_match(firefox, seconds=MATCH_SECONDS)
        assert signs == [""]
        assert firefox.errors == []


@pytest.mark.parametrize("key", offered_variants())
def test_whole_match_is_played_without_websockets(new_visitor: NewVisitor, site: Server, key: str) -> None:
    visitor = new_visitor()
    visitor.block_sockets()
    visitor.visit(solo.start_match(visitor.page, visitor.network.url, rules_for(key)))
    signs = solo.play_match(visitor.page, seconds=MATCH_SECONDS)
    assert POLLING_SIGN in signs[-1]


@pytest.fixture
def without_cookies(chromium: Browser, tmp_path: Path) -> Iterator[BrowserContext]:
    """A Chromium that blocks all cookies, and with them all storage."""
    installed = chromium.browser_type.executable_path
    path = installed if Path(installed).exists() else shutil.which("chromium")
    if path is None:
        pytest.skip("only the Chromium without windows is installed, which has no such setting")
    preferences = tmp_path / "profile" / "Default" / "Preferences"
    preferences.parent.mkdir(parents=True)
    preferences.write_text(json.dumps(BLOCK_COOKIES))
    # Playwright's headless mode would use the headless shell.
    context = chromium.browser_type.launch_persistent_context(
        tmp_path / "profile", executable_path=path, args=[*CHROMIUM_FLAGS, "--headless=new"], headless=False
    )
    yield context
    context.close()


@pytest.mark.parametrize("key", offered_variants())
def test_whole_match_is_watched_without_cookies(
    without_cookies: BrowserContext, new_visitor: NewVisitor, site: Server, key: str
) -> None:
    player = new_visitor()
    address = solo.start_match(player.page, player.network.url, rules_for(key))
    spectator, errors = without_cookies.new_page(), list[str]()
    spectator.on("pageerror", lambda error: errors.append(str(error)))
    spectator.goto(site.url + address)
    assert not spectator.evaluate(COOKIES_WORK)
    expect(spectator.locator(".keys-help")).to_be_visible()
    player.visit(address)
    end, versions = time.monotonic() + MATCH_SECONDS, {0}
    while spectator.evaluate(solo.READ_PAGE_STATE)["status"] != "finished":
        assert time.monotonic() < end
        solo.play_match(player.page, seconds=MATCH_SECONDS, versions=max(versions) + 5)
        versions.add(spectator.evaluate(solo.READ_PAGE_STATE)["version"])
    assert len(versions) > 2
    assert errors == []
