"""Compares a window with a fresh load of its page at every revision it shows."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from tests.browser.visitor import Visitor

SCRIPT = Path(__file__).with_suffix(".js")
TIMEOUT_SECONDS = 15
POLL_MS = 15


class Mirror:
    """Collects the reports of a window.

    ``shown``: its revisions; ``compared``: those compared with a fresh load; ``outdated_loads``: those whose fresh
    load came too late or failed on a cut connection; ``differences``: descriptions of mismatches.
    """

    def __init__(self, visitor: Visitor) -> None:
        self.page = visitor.page
        self.shown: set[int] = set()
        self.compared: set[int] = set()
        self.outdated_loads: set[int] = set()
        self.differences: list[str] = []
        # Scripts injected by the debugger bypass the page's Content-Security-Policy.
        self.page.expose_binding("mirrored", self.on_report)
        self.page.add_init_script(path=SCRIPT)

    def on_report(self, _source: dict[str, Any], revision: int, state: str, difference: str = "") -> None:
        if state == "differs":
            self.differences.append(f"revision {revision}: {difference}")
        {"shown": self.shown, "overtaken": self.outdated_loads}.get(state, self.compared).add(revision)

    def missing(self, first: int) -> set[int]:
        """Wait for pending loads, and return the revisions after ``first`` that were shown but never compared."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while (
            missing := self.shown - self.compared - self.outdated_loads - {*range(first + 1)}
        ) and time.monotonic() < end:
            self.page.wait_for_timeout(POLL_MS)
        return missing
