"""The lists of matches that are over, with rows in them: in every window, and filtered without a script."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.test_pages import complaints
from tests.browser.visitor import Visitor
from tests.server import Server

pytestmark = pytest.mark.site(alone=True)

LAY = """
from django.db import transaction
from games.models import Match
from tests.games import finished, tables
with transaction.atomic():
    widest = tables.person("W" * 20)
    for number in range(30):
        variant = ["kozel", "all_fives", "rytmino"][number % 3]
        over = {"reason": "left", "leaver": 0} if number % 7 == 0 else {"places": (2, 1, 3)}
        match = finished.finished([widest, tables.person("Ann")], bots=1, variant=variant, rated=True, **over)
        match.seats.filter(index=0).update(rating_gain=12)
answer = widest.pk
"""


@pytest.fixture(scope="module")
def person(site: Server) -> str:
    """The page of somebody with a wide name who has played thirty matches."""
    return f"/people/{site.answer(LAY)}/"


def test_the_lists_shut_nobody_out(visitor: Visitor, person: str) -> None:
    paths = ["/matches/", person]
    assert {path: complaints(visitor, path) for path in paths} == {path: [] for path in paths}
    with visitor.expecting_errors("400"):
        assert complaints(visitor, "/matches/?from=x&result=won&game=x", status=400) == []


def test_a_list_is_filtered_and_paged_without_a_script(new_visitor: NewVisitor, person: str) -> None:
    page = (visitor := new_visitor(javascript=False)).page
    visitor.visit("/matches/")
    rows = page.locator(".match-line")
    expect(rows).to_have_count(25)
    page.get_by_role("link", name="Older matches").click()
    expect(rows).to_have_count(5)
    page.get_by_label("Player’s name").fill("ann")
    page.get_by_label("Result").select_option("won")
    page.get_by_label("Game").select_option("kozel")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_label("Player’s name")).to_have_value("ann")
    expect(rows).to_have_count(10)
    first = rows.first.locator("time")
    expect(first.locator(".ago-words")).to_be_visible()
    page.get_by_label("Exact dates").check()
    expect(first.locator(".ago-words")).to_be_hidden()
    expect(first).to_have_text(re.compile("Mar"), use_inner_text=True)
    rows.first.get_by_role("link", name="W" * 20).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("W" * 20)
    expect(page.get_by_role("row", name="Ann").get_by_role("cell")).to_contain_text(["30", "26", "4", "ago"])
