"""Windows of Chromium, handed from test to test: a new one asks for every file of the site, which takes a second."""

from __future__ import annotations

from typing import Literal, Self

from playwright.sync_api import Browser

from tests import seeds
from tests.browser.line import Line
from tests.browser.visitor import TELL, Visitor

TIMEOUT_MS = 15_000
DRAW = """
let drawn = 0;
crypto.getRandomValues = (array) => {
    const text = `SEED ${location.pathname} ${document.querySelector("header")?.textContent} ${drawn++}`;
    let state = [...text].reduce((hash, letter) => Math.imul(hash ^ letter.codePointAt(), 16777619), 2166136261);
    array.set(Array.from(array, () => (state = Math.imul(state, 1664525) + 1013904223) >>> 24));
    return array;
};
"""
"""The page's part of a shuffle follows from the seed of the run, the table and the name of the visitor."""
KEPT_BY_PAGES = "cookies,local_storage,indexeddb,service_workers,cache_storage"
Kind = tuple[object, ...]


class Windows:
    """Opens windows on the site at a port of this machine. All that a used one remembers are the files of any site."""

    def __init__(self, chromium: Browser) -> None:
        self.chromium = chromium
        self.port = 0
        self.kinds: dict[Visitor, Kind] = {}
        self.unused: dict[Kind, list[Visitor]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        for visitors in self.unused.values():
            for visitor in visitors:
                end(visitor)
        self.unused.clear()

    def look_at(self, port: int) -> None:
        """Open the next windows on this site, whose files are those of every other."""
        self.port = port

    def open(
        self,
        *,
        width: int = 1280,
        height: int = 800,
        scheme: Literal["light", "dark"] = "light",
        javascript: bool = True,
        language: str = "en",
        reduced_motion: Literal["no-preference", "reduce"] = "reduce",
        touch: bool = False,
        first_visit: bool = False,
    ) -> Visitor:
        """Open a window; for a ``first_visit`` it has no file of the site yet.

        Nothing moves in it, for what is waited for comes at once then, unless motion itself is looked at.
        """
        kind: Kind = (width, height, scheme, javascript, language, reduced_motion, touch)
        if (unused := self.unused.get(kind)) and not first_visit:
            used = unused.pop()
            used.line.target = self.port
            visitor = Visitor(used.own_context, used.line)
            forget(visitor)
        else:
            context = self.chromium.new_context(
                viewport={"width": width, "height": height},
                color_scheme=scheme,
                java_script_enabled=javascript,
                locale=language,
                reduced_motion=reduced_motion,
                has_touch=touch,
            )
            context.set_default_timeout(TIMEOUT_MS)
            context.add_init_script(TELL)
            context.add_init_script(DRAW.replace("SEED", seeds.run_seed()))
            visitor = Visitor(context, Line(self.port).__enter__())
        self.kinds[visitor] = kind
        return visitor

    def close(self, visitor: Visitor, *, again: bool) -> None:
        """Close a window, for good or until it is wanted again with nothing in it."""
        kind = self.kinds.pop(visitor)
        if again and not visitor.changed:
            leave(visitor)
            self.unused.setdefault(kind, []).append(visitor)
        else:
            end(visitor)


def leave(visitor: Visitor) -> None:
    """Close all pages of a window, and its connections."""
    for page in visitor.own_context.pages:
        page.close()
    visitor.own_context.clear_cookies()
    visitor.line.renew()


def forget(visitor: Visitor) -> None:
    """Take away what the pages of another visitor have left in the window."""
    session = visitor.own_context.new_cdp_session(visitor.page)
    session.send("Storage.clearDataForOrigin", {"origin": visitor.line.url, "storageTypes": KEPT_BY_PAGES})
    session.detach()


def end(visitor: Visitor) -> None:
    visitor.own_context.close()
    visitor.line.__exit__()
