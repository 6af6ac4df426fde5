"""Every page: no violation found by axe, no console error, nothing wider than a phone."""

from __future__ import annotations

import pytest

from games.words import offered
from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.visitor import Visitor

FOR_ALL = [
    "/",
    "/?game=kozel",
    "/tables/new/?game=all_fives",
    "/rules/",
    *(f"/rules/{game}/" for game in offered()),
    "/fair-dealing/",
    "/matches/",
    "/matches/?game=kozel&player=Anna&result=won&from=2026-01-01&to=2026-12-31",
    "/accounts/guest/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
]
FOR_GUESTS = [
    *("/", "/tables/new/", "/accounts/settings/", "/accounts/blocks/", "/accounts/data/"),
    "/accounts/guest/upgrade/",
]
WINDOWS = [
    pytest.param({"width": 360, "height": 740, "scheme": "light"}, id="phone-light"),
    pytest.param({"width": 1280, "height": 800, "scheme": "dark"}, id="desk-dark"),
    pytest.param({"width": 360, "height": 740, "scheme": "dark", "colours_only": True}, id="phone-dark"),
]


@pytest.mark.parametrize("window", WINDOWS)
def test_the_pages_for_everybody(new_visitor: NewVisitor, window: dict):
    visitor = new_visitor(**window)
    assert {path: complaints(visitor, path) for path in FOR_ALL} == {path: [] for path in FOR_ALL}


@pytest.mark.parametrize("window", WINDOWS)
def test_the_pages_for_guests(new_visitor: NewVisitor, window: dict):
    visitor = new_visitor(**window)
    people.come_as_guest(visitor, "Anna")
    assert {path: complaints(visitor, path) for path in FOR_GUESTS} == {path: [] for path in FOR_GUESTS}


@pytest.mark.parametrize("window", WINDOWS)
def test_the_error_page(new_visitor: NewVisitor, window: dict):
    visitor = new_visitor(**window)
    with visitor.expecting_errors("404"):
        assert complaints(visitor, "/no-such-page/", status=404) == []


def complaints(visitor: Visitor, path: str, status: int = 200) -> list[str]:
    """Open a page and say what is wrong with it."""
    found = [] if (got := visitor.visit(path)) == status else [f"status {got}"]
    if visitor.scrolls_sideways():
        found.append("wider than the window")
    return found + visitor.accessibility_violations()
