"""Lists of finished matches with rows: in all windows, and filtered without scripts."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser.test_pages import complaints
from tests.browser.visitor import THEMES, Visitor
from tests.server import Server

pytestmark = pytest.mark.site(alone=True)

PREPARE_TABLE = """
from django.db import transaction
from django.utils import timezone
from games.models import Match, RatingChange
from games.ratings import changes
from tests.browser import stages
from tests.games import finished, tables
from tests.games.history.test_match_table import add_report, report_of
with transaction.atomic():
    widest, ann = tables.person("W" * 20), tables.person("Ann")
    for number in range(30):
        variant = ["kozel", "all_fives", "rytmino"][number % 3]
        over = {"reason": "left", "leaver": 0} if number % 7 == 0 else {"places": (2, 1, 3)}
        match = finished.create_finished_match([widest, ann], bots=1, variant=variant, rated=True, **over)
        match.seats.filter(index=0).update(points_gain=12)
        add_report(match, report_of(lost=2.5, luck=number - 15, play=1.25, seats=3))
        results = [changes.PlayerResult(user.pk, seat, seat, seat + 1) for seat, user in enumerate((ann, widest))]
        changes.rate_match(match.pk, variant, results, timezone.now())
    RatingChange.objects.update(sigma=2)
answer = [widest.pk, stages.log_in(ann)]
"""


class Sample(NamedTuple):
    """The page of a person with a wide name and thirty rated matches, and their opponent's session."""

    person: str
    session: str


@pytest.fixture(scope="module")
def sample(site: Server) -> Sample:
    number, session = site.run_code(PREPARE_TABLE)
    return Sample(f"/people/{number}/", session)


def test_match_lists_are_accessible(visitor: Visitor, sample: Sample) -> None:
    visitor.enter(sample.session)
    by_page = {path: complaints(visitor, path) for path in ("/matches/", "/leaderboard/kozel/")}
    expect(visitor.page.locator(".leaders")).to_contain_text("W" * 20)
    visitor.visit(sample.person)
    visitor.page.get_by_text("Changes", exact=True).first.focus()
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_role("columnheader", name="Expected").first).to_be_visible()
    expect(visitor.page.get_by_role("button", name="Follow")).to_be_visible()
    by_page["person"] = visitor.page_problems(THEMES)
    by_page["person, filtered"] = complaints(visitor, f"{sample.person}?game=kozel")
    expect(visitor.page.locator(".chart .bar-luck").first).to_be_visible()
    assert by_page == {path: [] for path in by_page}
    visitor.visit("/matches/")
    first = visitor.page.locator(".match-line time").first
    expect(first.locator(".ago-words")).to_be_visible()
    visitor.page.get_by_label("Exact dates").check()
    expect(first.locator(".ago-words")).to_be_hidden()
    with visitor.expecting_errors("400"):
        assert complaints(visitor, "/matches/?from=x&result=won&game=x", status=400) == []
