"""Chromium and a site to look at. Everything goes over real sockets to a ``manage.py serve``."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Literal

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.line import Line
from tests.browser.visitor import Visitor
from tests.server import Server

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TIMEOUT_MS = 15_000
NewVisitor = Callable[..., Visitor]
expect.set_options(timeout=TIMEOUT_MS)


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a site for the tests of one module, as its mark ``site`` says; its log must be free of errors at the end."""
    said = request.node.get_closest_marker("site") or pytest.mark.site.mark
    with Server(tmp_path_factory.mktemp("site"), *said.args, **said.kwargs) as server:
        yield server
    assert server.errors() == [], server.log()


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    # No longer: while it runs, Playwright's event loop stands in the way of asynchronous tests.
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


def chromium_path() -> str | None:
    """Return where Chromium is, the kind without windows; None for the one that Playwright has installed itself."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell")


@pytest.fixture
def new_visitor(site: Server, chromium: Browser) -> Iterator[NewVisitor]:
    """Open windows: ``new_visitor(width=360, height=740, scheme="dark", javascript=False, language="en")``.

    The test fails on any console error, page error or violation of the Content-Security-Policy in them.
    """
    visitors: list[Visitor] = []
    with ExitStack() as stack:

        def open_window(
            *,
            width: int = 1280,
            height: int = 800,
            scheme: Literal["light", "dark"] = "light",
            javascript: bool = True,
            language: str = "en",
            reduced_motion: Literal["no-preference", "reduce"] = "no-preference",
            touch: bool = False,
        ) -> Visitor:
            line = stack.enter_context(Line(site.port))
            context = chromium.new_context(
                viewport={"width": width, "height": height},
                color_scheme=scheme,
                java_script_enabled=javascript,
                locale=language,
                reduced_motion=reduced_motion,
                has_touch=touch,
            )
            context.set_default_timeout(TIMEOUT_MS)
            stack.callback(context.close)
            visitors.append(Visitor(context, line))
            return visitors[-1]

        yield open_window
    assert [error for visitor in visitors for error in visitor.errors] == []


@pytest.fixture
def visitor(new_visitor: NewVisitor) -> Visitor:
    return new_visitor()
