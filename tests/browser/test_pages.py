"""All pages: no violations found by axe, no console errors, nothing wider than a phone."""

from __future__ import annotations

import pytest

from games.words import offered_variants
from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.visitor import PHONE, THEMES, Visitor

pytestmark = pytest.mark.site(alone=True)

# One page of each kind. axe checks the structure and the light theme.
FOR_ALL = [
    "/",
    "/?game=kozel",
    "/tables/new/?game=all_fives",
    "/rules/",
    "/rules/kozel/",
    "/fair-dealing/",
    "/fair-dealing/statistics/",
    "/puzzles/",
    "/puzzles/kozel/",
    "/daily/",
    "/daily/kozel/",
    "/tournaments/",
    "/clubs/",
    "/tv/",
    "/review/import/",
    "/privacy/",
    "/moderation/figures/",
    "/open-data/",
    "/leaderboard/triominoes/?time=week",
    "/leaderboard/kozel/bots/",
    "/matches/?game=kozel&player=Anna&result=won&from=2026-01-01&to=2026-12-31",
    "/accounts/guest/",
    "/accounts/login/",
    "/accounts/password/reset/",
]
FOR_GUESTS = [
    *("/", "/accounts/settings/", "/accounts/blocks/", "/accounts/follows/", "/accounts/data/"),
    *("/accounts/guest/upgrade/", "/accounts/sanctions/", "/conduct/", "/report/done/"),
]
# axe also checks the colours of these pages in the dark theme. The other pages consist of the same parts.
IN_BOTH_THEMES = ("/", "/rules/kozel/", "/puzzles/kozel/", "/matches/", "/accounts/login/", "/accounts/settings/")


def test_public_pages_are_accessible(visitor: Visitor) -> None:
    assert {path: complaints(visitor, path) for path in FOR_ALL} == {path: [] for path in FOR_ALL}


def test_rules_of_all_games_fit_a_phone(new_visitor: NewVisitor) -> None:
    visitor = new_visitor(width=360, height=740)
    for game in offered_variants():
        assert visitor.visit(f"/rules/{game}/") == 200
        assert not visitor.scrolls_sideways(), game
        assert visitor.page.locator(".figure .gain").locator("visible=true").count() == 0  # captions have the points


def test_guest_pages_are_accessible(visitor: Visitor) -> None:
    people.fill_in_name(visitor, "Anna")
    assert {path: complaints(visitor, path) for path in FOR_GUESTS} == {path: [] for path in FOR_GUESTS}


def test_error_page_is_accessible(visitor: Visitor) -> None:
    with visitor.expecting_errors("404"):
        assert complaints(visitor, "/no-such-page/", status=404) == []


def complaints(visitor: Visitor, path: str, status: int = 200) -> list[str]:
    """Open a page and return its problems."""
    problems = [] if (answered := visitor.visit(path)) == status else [f"status {answered}"]
    windows = THEMES if path.partition("?")[0] in IN_BOTH_THEMES else [PHONE]
    return problems + visitor.page_problems(windows)
