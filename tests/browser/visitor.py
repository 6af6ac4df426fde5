"""A browser window that records its errors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import BrowserContext, ConsoleMessage, Page

from tests.browser.network import NetworkRelay
from tests.plain_browser import ParsedPage as Forms

AXE_SOURCE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
# Style sheets would be preloaded for a rule that is not checked.
AXE_OPTIONS = {"resultTypes": ["violations"], "preload": {"assets": ["media"]}}
COLOUR_OPTIONS = {"runOnly": ["color-contrast", "link-in-text-block"]}
READ_POSITION = """element => {
    const box = element.getBoundingClientRect();
    return [box.x + scrollX, box.y + scrollY, box.width, box.height];
}"""
RUN_AXE = "options => axe.run(document, options).then(result => result.violations)"
# Reported by the browser and htmx when the connection is cut, whatever the page does.
OFFLINE_ERRORS = re.compile(r"WebSocket connection to|htmx:ws:error|net::ERR_|Failed to fetch|NetworkError")
# Reports policy violations, and marks the page once a frame was swapped in.
REPORT_EVENTS = """
document.addEventListener("securitypolicyviolation", event => console.error(
    `CSP violation: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
document.addEventListener("htmx:after:swap", () => document.documentElement.setAttribute("data-swapped", ""));
"""
WAIT_FOR_ANIMATIONS = """async () => {
    const moving = () => document.getAnimations().filter(
        (animation) => animation.playState === "running" && animation.effect.getTiming().iterations !== Infinity);
    for (let times = 0; times < 20 && moving().length; times++) {
        await Promise.allSettled(moving().map((animation) => animation.finished));
    }
}"""


@dataclass(frozen=True, slots=True)
class Window:
    """The size and colour scheme of a window.

    ``colours_only``: axe checks only colours, because it checks the same page fully in another window.
    """

    name: str
    width: int
    height: int
    scheme: Literal["light", "dark"] = "light"
    colours_only: bool = False


PHONE = Window("phone-light", 360, 740)
# The dark theme changes colours only, so that axe need not check the structure again.
PHONE_DARK = Window("phone-dark", 360, 740, "dark", colours_only=True)
THEMES = (PHONE, PHONE_DARK)


class Visitor:
    """One person's window: ``page`` is Playwright's page, ``network`` the connection, which can be cut."""

    def __init__(self, context: BrowserContext, line: NetworkRelay) -> None:
        self.own_context = context
        self.network = line
        self.changed = False
        self.colours_only = False
        self.errors: list[str] = []
        self.was_offline = False
        self.page: Page = context.new_page()
        self.page.on("console", self.on_console)
        self.page.on("pageerror", lambda error: self.errors.append(f"page error: {error}"))

    @property
    def context(self) -> BrowserContext:
        """Playwright's context. Its user may change it for good, so it is not reused by other tests."""
        self.changed = True
        return self.own_context

    def enter(self, session: str) -> None:
        """Become the person of this session."""
        self.own_context.add_cookies([{"name": "sessionid", "value": session, "url": self.network.url}])

    def on_console(self, message: ConsoleMessage) -> None:
        if message.type != "error" or (self.was_offline and OFFLINE_ERRORS.search(message.text)):
            return
        self.errors.append(f"{message.text} ({message.location['url']})")

    def visit(self, path: str) -> int:
        """Open a page of the site and return its status."""
        response = self.page.goto(self.network.url + path)
        assert response is not None
        return response.status

    def send(self, path: str, button: str, **filled: str) -> str:
        """Press a button of a page without rendering it, ten times as fast, and return the redirect's target."""
        request = self.own_context.request
        forms = Forms(request.get(self.network.url + path).text())
        form_button = next(candidate for candidate in forms.buttons if re.search(button, candidate.text))
        form = forms.form_sent_by(form_button, path)
        fields: dict[str, str | float | bool] = {**form.fields, **filled}
        answer = request.post(self.network.url + form.action, form=fields, max_redirects=0)
        assert answer.status in (302, 303), f"{answer.status} {answer.text()}"
        return answer.headers["location"]

    @contextmanager
    def offline(self) -> Iterator[None]:
        """Cut the connection during the block."""
        self.was_offline = True
        self.network.disconnect()
        yield
        self.network.reconnect()

    def block_sockets(self, how: Literal["refused", "unanswered"] = "refused") -> None:
        """Simulate a network that blocks WebSockets; current connections are dropped."""
        self.was_offline = True
        self.network.sockets = how
        self.network.disconnect()
        self.network.reconnect()

    @contextmanager
    def expecting_errors(self, pattern: str) -> Iterator[None]:
        """Ignore the console errors of the block that match, such as the status of an error page."""
        before = len(self.errors)
        yield
        self.errors[before:] = [error for error in self.errors[before:] if not re.search(pattern, error)]

    def await_animations(self) -> None:
        """Wait until all animations have finished."""
        self.page.evaluate(WAIT_FOR_ANIMATIONS)

    def resize_to(self, window: Window) -> None:
        """Give the window this size and scheme at once, without transitions. The page stays open."""
        self.page.emulate_media(color_scheme=window.scheme, reduced_motion="reduce")
        self.page.set_viewport_size({"width": window.width, "height": window.height})
        self.colours_only = window.colours_only

    def each_window(self, windows: Iterable[Window]) -> Iterator[Window]:
        """Show the page in these windows one after the other."""
        for window in windows:
            self.resize_to(window)
            yield window

    def page_problems(self, windows: Iterable[Window]) -> list[str]:
        """Return the accessibility violations of the page, or that it is too wide, with the names of the windows."""
        violations = []
        for window in self.each_window(windows):
            sideways = ["wider than the window"] if self.scrolls_sideways() else []
            violations += [f"{window.name}: {problem}" for problem in sideways + self.accessibility_violations()]
        return violations

    def accessibility_violations(self) -> list[str]:
        """Return the violations found by axe, with their elements."""
        # Elements that are still fading in do not have their final colours.
        self.await_animations()
        self.load_axe()
        violations: list[dict[str, Any]] = self.page.evaluate(
            RUN_AXE, AXE_OPTIONS | (COLOUR_OPTIONS if self.colours_only else {})
        )
        return [
            f"{violation['id']}: {violation['help']} at {node['target']}: {node['failureSummary']}"
            for violation in violations
            for node in violation["nodes"]
        ]

    def load_axe(self) -> None:
        """Load axe into the page, once."""
        if self.page.evaluate("() => 'axe' in window"):
            return
        # The debugger's evaluation bypasses the page's Content-Security-Policy.
        session = self.own_context.new_cdp_session(self.page)
        session.send("Runtime.evaluate", {"expression": AXE_SOURCE.read_text(), "returnByValue": False})
        session.detach()

    def position_of(self, selector: str) -> list[float]:
        """Return the position of an element on the page, independent of scrolling."""
        position: list[float] = self.page.locator(selector).evaluate(READ_POSITION)
        return position

    def scrolls_sideways(self) -> bool:
        """Return whether the page is wider than the window."""
        return bool(
            self.page.evaluate("() => document.documentElement.scrollWidth > document.documentElement.clientWidth")
        )
