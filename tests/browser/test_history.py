"""The lists of matches that are over, with rows in them: in every window, and filtered without a script."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.test_pages import WINDOWS, complaints
from tests.browser.visitor import Visitor
from tests.server import Server

pytestmark = pytest.mark.site(alone=True)

LAY = """
from django.db import transaction
from django.utils import timezone
from games.models import Match, RatingChange
from games.ratings import changes
from tests.browser import stages
from tests.games import finished, tables
with transaction.atomic():
    widest, ann = tables.person("W" * 20), tables.person("Ann")
    for number in range(30):
        variant = ["kozel", "all_fives", "rytmino"][number % 3]
        over = {"reason": "left", "leaver": 0} if number % 7 == 0 else {"places": (2, 1, 3)}
        match = finished.finished([widest, ann], bots=1, variant=variant, rated=True, **over)
        match.seats.filter(index=0).update(points_gain=12)
        results = [changes.Result(user.pk, seat, seat, seat + 1) for seat, user in enumerate((ann, widest))]
        changes.settle(match.pk, variant, results, timezone.now())
    RatingChange.objects.update(sigma=2)
answer = [widest.pk, stages.session(ann)]
"""


class Laid(NamedTuple):
    """The page of somebody with a wide name who has played thirty rated matches, and the session of the other one."""

    person: str
    session: str


@pytest.fixture(scope="module")
def laid(site: Server) -> Laid:
    number, session = site.answer(LAY)
    return Laid(f"/people/{number}/", session)


def test_the_lists_shut_nobody_out(visitor: Visitor, laid: Laid) -> None:
    visitor.enter(laid.session)
    found = {path: complaints(visitor, path) for path in ("/matches/", "/leaderboard/kozel/")}
    expect(visitor.page.locator(".leaders")).to_contain_text("W" * 20)
    visitor.visit(laid.person)
    visitor.page.get_by_text("Changes", exact=True).first.focus()
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_role("columnheader", name="Expected").first).to_be_visible()
    expect(visitor.page.get_by_role("button", name="Follow")).to_be_visible()
    found["person"] = visitor.complaints(WINDOWS)
    assert found == {path: [] for path in found}
    with visitor.expecting_errors("400"):
        assert complaints(visitor, "/matches/?from=x&result=won&game=x", status=400) == []


@pytest.mark.usefixtures("laid")
def test_a_list_is_filtered_and_paged_without_a_script(new_visitor: NewVisitor) -> None:
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
    # Every seventh of thirty matches was left by W, who comes first in these here, and second in the others.
    cells = page.get_by_role("row", name="Ann").get_by_role("cell")
    expect(cells).to_have_text(["30", "5", "25", re.compile("ago")])
