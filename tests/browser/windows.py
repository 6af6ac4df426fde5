"""Windows of Chromium, reused between tests: a new one requests all files of the site, which takes a second."""

from __future__ import annotations

from typing import Literal, NamedTuple, Self

from playwright.sync_api import Browser

from tests import seeds
from tests.browser.network import NetworkRelay
from tests.browser.visitor import REPORT_EVENTS, Visitor

TIMEOUT_MS = 15_000
# Makes the page's part of a shuffle depend on the run's seed, the table and the visitor's name.
SEED_RANDOM = """
let drawn = 0;
crypto.getRandomValues = (array) => {
    const text = `SEED ${location.pathname} ${document.querySelector("header")?.textContent} ${drawn++}`;
    let state = [...text].reduce((hash, letter) => Math.imul(hash ^ letter.codePointAt(), 16777619), 2166136261);
    array.set(Array.from(array, () => (state = Math.imul(state, 1664525) + 1013904223) >>> 24));
    return array;
};
"""
STORAGE_TYPES = "cookies,local_storage,indexeddb,service_workers,cache_storage"


class WindowOptions(NamedTuple):
    """The fixed settings of a window. Its size, colour scheme and motion are set each time it is opened."""

    javascript: bool
    language: str
    touch: bool


class Windows:
    """Opens windows on the site at a port of this machine. Reused windows keep only the cached files of the site."""

    def __init__(self, chromium: Browser) -> None:
        self.chromium = chromium
        self.port = 0
        self.options: dict[Visitor, WindowOptions] = {}
        self.unused: dict[WindowOptions, list[Visitor]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        for visitors in self.unused.values():
            for visitor in visitors:
                close_context(visitor)
        self.unused.clear()

    def use_site(self, port: int) -> None:
        """Open the next windows on this site; all sites have the same files."""
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
        """Open a window, for a ``first_visit`` without cached files.

        Motion is reduced by default, so that expected changes come at once.
        """
        options = WindowOptions(javascript, language, touch)
        if (unused := self.unused.get(options)) and not first_visit:
            used = unused.pop()
            used.network.target = self.port
            visitor = Visitor(used.own_context, used.network)
            clear_storage(visitor)
        else:
            context = self.chromium.new_context(
                viewport={"width": 1280, "height": 800},  # of further pages, which links open
                reduced_motion="reduce",
                java_script_enabled=javascript,
                locale=language,
                has_touch=touch,
            )
            context.set_default_timeout(TIMEOUT_MS)
            context.add_init_script(REPORT_EVENTS)
            context.add_init_script(SEED_RANDOM.replace("SEED", seeds.run_seed()))
            visitor = Visitor(context, NetworkRelay(self.port).__enter__())
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.page.emulate_media(color_scheme=scheme, reduced_motion=reduced_motion)
        self.options[visitor] = options
        return visitor

    def close(self, visitor: Visitor, *, reuse: bool) -> None:
        """Close a window for good, or empty it for reuse."""
        options = self.options.pop(visitor)
        if reuse and not visitor.changed:
            close_pages(visitor)
            self.unused.setdefault(options, []).append(visitor)
        else:
            close_context(visitor)


def close_pages(visitor: Visitor) -> None:
    """Close all pages and connections of a window."""
    for page in visitor.own_context.pages:
        page.close()
    visitor.own_context.clear_cookies()
    visitor.network.reset()


def clear_storage(visitor: Visitor) -> None:
    """Clear what another visitor's pages have stored in the window."""
    session = visitor.own_context.new_cdp_session(visitor.page)
    session.send("Storage.clearDataForOrigin", {"origin": visitor.network.url, "storageTypes": STORAGE_TYPES})
    session.detach()


def close_context(visitor: Visitor) -> None:
    visitor.own_context.close()
    visitor.network.__exit__()
