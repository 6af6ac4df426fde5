"""Sharing a match: embedded in another site, addresses copied with a button and without scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.visitor import Visitor
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

PLAY = """
from tests.games.reviewed import play_random_moves, stop_match
answer = stop_match(play_random_moves("kozel", 6)).slug
"""
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"


@pytest.fixture(scope="module")
def match(site: Server) -> str:
    return f"/match/{site.run_code(PLAY)}"


@pytest.fixture
def other_site(visitor: Visitor, match: str) -> Iterator[str]:
    """Run another site, whose pages embed the match in the size of their address: ``480x360``."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            width, _, height = self.path.strip("/").partition("x")
            frame = (
                f'<iframe src="{visitor.network.url}{match}/embed/?at=1" width="{width}" height="{height}"></iframe>'
            )
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f'<link rel="icon" href="data:,">{frame}'.encode())

        def log_message(self, *_words: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.mark.parametrize("size", ["480x360", "360x400"])
def test_embedded_match_shows_the_board_and_steps(visitor: Visitor, match: str, other_site: str, size: str) -> None:
    page = visitor.page
    page.goto(other_site + size)
    frame = page.frame_locator("iframe")
    expect(frame.locator("#board use:visible")).to_have_count(0)
    frame.get_by_role("link", name="Next step").click()
    expect(frame.locator(".review-at")).to_have_text(re.compile("2 / 8"))
    expect(frame.locator("#board use:visible")).to_have_count(1)
    for place in (frame.get_by_role("heading", name="Kozel"), frame.get_by_role("link", name="Last step")):
        expect(place).to_be_in_viewport(ratio=1)
    with page.context.expect_page() as opened:
        frame.get_by_role("link", name="The whole match").click()
    expect(opened.value).to_have_url(re.compile(rf"{match}/review/\?at=2"))


def test_embedded_match_and_its_error_page_are_accessible(visitor: Visitor, match: str) -> None:
    assert visitor.visit(f"{match}/embed/") == 200
    assert visitor.accessibility_violations() == []
    assert visitor.own_context.cookies() == []
    with visitor.expecting_errors("404"):
        assert visitor.visit(f"{match}/embed/?at=99") == 404
    expect(visitor.page.get_by_text("this match has steps 1 to 8")).to_be_visible()
    assert visitor.accessibility_violations() == []


def test_step_address_and_embed_code_are_copied(visitor: Visitor, match: str) -> None:
    page = visitor.page
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.visit(f"{match}/review/?at=3")
    page.locator("#share summary").click()
    address, frame = page.locator("#share .copy").all()
    address.get_by_role("button", name="Copy").click()
    expect(address.get_by_role("status")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"{visitor.network.url}{match}/review/?at=3&as=open"
    assert visitor.accessibility_violations() == []
    page.locator("#review-after").click()
    expect(page.locator(".review-at")).to_have_text(re.compile("4 / 8"))
    frame.get_by_role("button", name="Copy").click()
    expect(frame.get_by_role("status")).to_have_text("Copied")
    assert f'src="{visitor.network.url}{match}/embed/?at=4&as=open"' in page.evaluate("navigator.clipboard.readText()")


def test_text_is_selected_without_clipboard_access(visitor: Visitor, match: str) -> None:
    page = visitor.page
    page.add_init_script(NO_CLIPBOARD)
    visitor.visit(f"{match}/")
    page.locator("#share summary").click()
    address = page.locator("#share .copy").first
    address.get_by_role("button", name="Copy").click()
    expect(address.get_by_role("status")).to_have_text("Selected: copy it now")
    assert page.evaluate("document.getSelection().toString()") == f"{visitor.network.url}{match}/"


def test_without_scripts_texts_are_selectable_and_buttons_hidden(new_visitor: NewVisitor, match: str) -> None:
    visitor = new_visitor(width=360, height=740, javascript=False)
    visitor.visit(f"{match}/review/")
    visitor.page.locator("#share summary").click()
    expect(visitor.page.get_by_label("Link to this step")).to_be_visible()
    expect(visitor.page.get_by_label("Link to this step")).not_to_be_editable()
    expect(visitor.page.locator("[data-copy]:visible")).to_have_count(0)
    assert not visitor.scrolls_sideways()
