"""A browser window that remembers everything that went wrong in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import BrowserContext, ConsoleMessage, Page

from tests.browser.line import Line
from tests.plain_browser import Page as Forms

AXE_SOURCE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
# Style sheets would be fetched for a rule that is not among the ones asked.
AXE_OPTIONS = {"resultTypes": ["violations"], "preload": {"assets": ["media"]}}
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
PLACE = """element => {
    const box = element.getBoundingClientRect();
    return [box.x + scrollX, box.y + scrollY, box.width, box.height];
}"""
LOOK = "options => axe.run(document, options).then(result => result.violations)"
# The browser and htmx say this of a line that is cut, whatever the page does.
CUT_LINE = re.compile(r"WebSocket connection to|htmx:ws:error|net::ERR_|Failed to fetch|NetworkError")
TELL = """
document.addEventListener("securitypolicyviolation", event => console.error(
    `CSP violation: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
document.addEventListener("htmx:after:swap", () => document.documentElement.setAttribute("data-swapped", ""));
"""
"""What every page tells: violations of the policy, and that a first frame is shown."""
AT_REST = """async () => {
    const moving = () => document.getAnimations().filter(
        (one) => one.playState === "running" && one.effect.getTiming().iterations !== Infinity);
    for (let times = 0; times < 20 && moving().length; times++) {
        await Promise.allSettled(moving().map((one) => one.finished));
    }
}"""


@dataclass(frozen=True, slots=True)
class Window:
    """The size and the colours of a window.

    ``colours_only``: axe judges nothing else, for it judges all of the same page in a window of other colours.
    """

    name: str
    width: int
    height: int
    scheme: Literal["light", "dark"] = "light"
    colours_only: bool = False


class Visitor:
    """One person's window: ``page`` is Playwright's, ``line`` the connection that can be cut."""

    def __init__(self, context: BrowserContext, line: Line) -> None:
        self.own_context = context
        self.line = line
        self.changed = False
        self.colours_only = False
        self.errors: list[str] = []
        self.line_cut = False
        self.page: Page = context.new_page()
        self.page.on("console", self.note_console)
        self.page.on("pageerror", lambda error: self.errors.append(f"page error: {error}"))

    @property
    def context(self) -> BrowserContext:
        """Playwright's; who asks for it may change it for good, so no other test gets it afterwards."""
        self.changed = True
        return self.own_context

    def enter(self, session: str) -> None:
        """Become the person of this session."""
        self.own_context.add_cookies([{"name": "sessionid", "value": session, "url": self.line.url}])

    def note_console(self, message: ConsoleMessage) -> None:
        if message.type != "error" or (self.line_cut and CUT_LINE.search(message.text)):
            return
        self.errors.append(f"{message.text} ({message.location['url']})")

    def visit(self, path: str) -> int:
        """Open a page of the site and return its status."""
        response = self.page.goto(self.line.url + path)
        assert response is not None
        return response.status

    def send(self, path: str, button: str, **filled: str) -> str:
        """Press a button of a page without showing either, at a tenth of the cost; return where it leads to."""
        request = self.own_context.request
        forms = Forms(request.get(self.line.url + path).text())
        pressed = next(each for each in forms.buttons if re.search(button, each.text))
        form = forms.sent_by(pressed, path)
        fields: dict[str, str | float | bool] = {**form.fields, **filled}
        answer = request.post(self.line.url + form.action, form=fields, max_redirects=0)
        assert answer.status in (302, 303), f"{answer.status} {answer.text()}"
        return answer.headers["location"]

    @contextmanager
    def without_line(self) -> Iterator[None]:
        """Cut the line for the time of the block."""
        self.line_cut = True
        self.line.cut()
        yield
        self.line.mend()

    def block_sockets(self, how: Literal["refused", "unanswered"] = "refused") -> None:
        """Be on a network that lets no WebSocket through; present connections are dropped."""
        self.line_cut = True
        self.line.sockets = how
        self.line.cut()
        self.line.mend()

    @contextmanager
    def expecting_errors(self, pattern: str) -> Iterator[None]:
        """Forgive the console errors of the block that match, such as the status of an error page."""
        before = len(self.errors)
        yield
        self.errors[before:] = [error for error in self.errors[before:] if not re.search(pattern, error)]

    def come_to_rest(self) -> None:
        """Wait until nothing moves or appears any more."""
        self.page.evaluate(AT_REST)

    def show_in(self, window: Window) -> None:
        """Let the window have this size and these colours at once, for what turns into others is not to be judged yet.

        The page stays open.
        """
        self.page.emulate_media(color_scheme=window.scheme, reduced_motion="reduce")
        self.page.set_viewport_size({"width": window.width, "height": window.height})
        self.colours_only = window.colours_only

    def in_each(self, windows: Iterable[Window]) -> Iterator[Window]:
        """Show the page in one window after the other."""
        for window in windows:
            self.show_in(window)
            yield window

    def complaints(self, windows: Iterable[Window]) -> list[str]:
        """Return what is wrong with the page, and in which window: what axe objects to, or that it is too wide."""
        found = []
        for window in self.in_each(windows):
            sideways = ["wider than the window"] if self.scrolls_sideways() else []
            found += [f"{window.name}: {wrong}" for wrong in sideways + self.accessibility_violations()]
        return found

    def accessibility_violations(self) -> list[str]:
        """Let axe look at the page and return what it objects to, with the places."""
        # What is still appearing has not its colours yet.
        self.come_to_rest()
        self.bring_axe()
        found: list[dict[str, Any]] = self.page.evaluate(LOOK, AXE_OPTIONS | (COLOURS if self.colours_only else {}))
        return [
            f"{violation['id']}: {violation['help']} at {node['target']}: {node['failureSummary']}"
            for violation in found
            for node in violation["nodes"]
        ]

    def bring_axe(self) -> None:
        """Load axe into the page, once."""
        if self.page.evaluate("() => 'axe' in window"):
            return
        # The debugger's evaluation is not bound by the page's Content-Security-Policy.
        session = self.own_context.new_cdp_session(self.page)
        session.send("Runtime.evaluate", {"expression": AXE_SOURCE.read_text(), "returnByValue": False})
        session.detach()

    def place_of(self, selector: str) -> list[float]:
        """Return where an element is on the page, however far a press has scrolled this."""
        place: list[float] = self.page.locator(selector).evaluate(PLACE)
        return place

    def scrolls_sideways(self) -> bool:
        """Say whether the page is wider than the window."""
        return bool(
            self.page.evaluate("() => document.documentElement.scrollWidth > document.documentElement.clientWidth")
        )
