"""Production serves one script and one style sheet for a page, and they work."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from games.lessons import lesson_of
from tests.browser.conftest import NewVisitor
from tests.domino_site.test_settings import PRODUCTION
from tests.programs import ROOT
from tests.server import Server


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    production = {**PRODUCTION, "ALLOWED_HOSTS": "localhost", "BEHIND_PROXY": "1", "EMAIL_URL": "dummymail://"}
    server = Server(tmp_path_factory.mktemp("production"), root=ROOT, **production)
    server.manage("collectstatic", "--no-input")
    with server:
        yield server


def test_lesson_works_with_the_bundles(new_visitor: NewVisitor, site: Server) -> None:
    visitor = new_visitor(first_visit=True)  # other sites have other files
    page = visitor.page
    requested_files: list[str] = []
    page.on("request", lambda request: requested_files.append(request.url.rpartition("/")[2]))
    page.set_extra_http_headers({"X-Forwarded-Proto": "https"})
    assert visitor.visit("/learn/kozel/1/") == 200
    move = page.locator(f'#hand button[name="move"][value="{lesson_of("kozel")[0].solutions[0]}"]')
    move.click()
    expect(page.locator("#lesson-next")).to_be_focused()  # only scripts move the focus
    sources = [name.split(".") for name in requested_files if name.endswith((".css", ".js"))]
    assert sorted((kind, extension) for kind, _digest, extension in sources) == [("lesson", "css"), ("lesson", "js")]
