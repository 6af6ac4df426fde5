"""A window that compares itself, at every revision it shows, with a fresh load of its own page."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from tests.browser.visitor import Visitor

SCRIPT = Path(__file__).with_suffix(".js")
PATIENCE_SECONDS = 15
POLL_MS = 15


class Mirror:
    """What a window reports of itself.

    ``shown``: its revisions; ``compared``: those at which it was held against a fresh load; ``overtaken``: those at
    which the fresh load came too late, or not over a cut connection; ``differences``: in words.
    """

    def __init__(self, visitor: Visitor) -> None:
        self.page = visitor.page
        self.shown: set[int] = set()
        self.compared: set[int] = set()
        self.overtaken: set[int] = set()
        self.differences: list[str] = []
        # Scripts that the debugger brings along are not bound by the page's Content-Security-Policy.
        visitor.context.expose_binding("mirrored", self.note)
        visitor.context.add_init_script(path=SCRIPT)

    def note(self, _source: dict[str, Any], revision: int, state: str, difference: str = "") -> None:
        if state == "differs":
            self.differences.append(f"revision {revision}: {difference}")
        {"shown": self.shown, "overtaken": self.overtaken}.get(state, self.compared).add(revision)

    def missing(self, first: int) -> set[int]:
        """Wait for loads that are under way, and return the later revisions that were shown and never compared."""
        end = time.monotonic() + PATIENCE_SECONDS
        while (
            missing := self.shown - self.compared - self.overtaken - {*range(first + 1)}
        ) and time.monotonic() < end:
            self.page.wait_for_timeout(POLL_MS)
        return missing
