"""All pages: no violations found by axe, no console errors, nothing wider than a phone."""

from __future__ import annotations

import pytest

from games.words import offered
from tests.browser import people
from tests.browser.visitor import Visitor, Window

pytestmark = pytest.mark.site(alone=True)

FOR_ALL = [
    "/",
    "/?game=kozel",
    "/tables/new/?game=all_fives",
    "/rules/",
    *(f"/rules/{game}/" for game in offered()),
    "/fair-dealing/",
    "/fair-dealing/statistics/",
    "/puzzles/",
    "/puzzles/kozel/",
    "/tv/",
    "/review/import/",
    "/privacy/",
    "/moderation/figures/",
    "/matches/",
    "/leaderboard/kozel/",
    "/leaderboard/triominoes/?time=week",
    "/matches/?game=kozel&player=Anna&result=won&from=2026-01-01&to=2026-12-31",
    "/accounts/guest/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
]
FOR_GUESTS = [
    *("/", "/tables/new/", "/accounts/settings/", "/accounts/blocks/", "/accounts/follows/"),
    *("/accounts/data/", "/accounts/guest/upgrade/", "/accounts/sanctions/", "/conduct/", "/report/done/"),
]
WINDOWS = (Window("phone-light", 360, 740), Window("desk-dark", 1280, 800, "dark", colours_only=True))


def test_public_pages_are_accessible(visitor: Visitor) -> None:
    assert {path: complaints(visitor, path) for path in FOR_ALL} == {path: [] for path in FOR_ALL}


def test_guest_pages_are_accessible(visitor: Visitor) -> None:
    people.fill_in_name(visitor, "Anna")
    assert {path: complaints(visitor, path) for path in FOR_GUESTS} == {path: [] for path in FOR_GUESTS}


def test_error_page_is_accessible(visitor: Visitor) -> None:
    with visitor.expecting_errors("404"):
        assert complaints(visitor, "/no-such-page/", status=404) == []


def complaints(visitor: Visitor, path: str, status: int = 200) -> list[str]:
    """Open a page and return its problems."""
    problems = [] if (answered := visitor.visit(path)) == status else [f"status {answered}"]
    return problems + visitor.complaints(WINDOWS)
