"""A window that compares itself, at every revision it shows, with a fresh load of its own page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.browser.visitor import Visitor

SCRIPT = Path(__file__).with_suffix(".js")


class Mirror:
    """``compared``: the revisions at which the window was held against a fresh load; ``differences``: in words."""

    def __init__(self, visitor: Visitor) -> None:
        self.compared: set[int] = set()
        self.differences: list[str] = []
        # Scripts that the debugger brings along are not bound by the page's Content-Security-Policy.
        visitor.context.expose_binding("mirrored", self.note)
        visitor.context.add_init_script(path=SCRIPT)

    def note(self, _source: dict[str, Any], revision: int, difference: str) -> None:
        self.compared.add(revision)
        if difference:
            self.differences.append(f"revision {revision}: {difference}")
