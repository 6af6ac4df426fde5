"""A match report: clicking the graph or a key moment opens that step, from the table too."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.visitor import PHONE
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

PLAY = """
from games.match import record
from games.match_reports import computation, reports
from games.match_reports.rendering import step_of_event
from games.review import steps
from tests.browser import stages
from tests.games.reviewed import import_recording, recording_files

match = import_recording(recording_files("kozel")[0])
reports.store_report(match.pk, *computation.make_report_timed(record.events(match.pk)))
match_steps = steps.load_match_steps(match.pk, match.version)
choices = reports.report_of(match).key_moments
moments = [step_of_event(match_steps, choice.seq).number - 1 for choice in choices]
answer = {
    "table": f"/match/{match.slug}/",
    "last": match_steps.last_number,
    "moments": moments,
    "session": stages.log_in(match.seats.get(index=choices[0].seat).user),
}
"""


@pytest.fixture(scope="module")
def reported(site: Server) -> Any:
    return site.run_code(PLAY)


def test_click_on_a_key_moment_or_the_graph_opens_the_step(new_visitor: NewVisitor, reported: dict[str, Any]) -> None:
    visitor = new_visitor()
    visitor.visit(f"{reported['table']}review/?at=3")
    page, moments = visitor.page, reported["moments"]
    page.locator("#moment-1").click()
    expect(page).to_have_url(re.compile(rf"\?at={moments[0]}&as=open$"))
    page.locator(f'.report-plot a[href^="?at={moments[1]}&"]:not([tabindex])').focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"\?at={moments[1]}&as=open$"))
    assert visitor.accessibility_violations() == []


def test_result_card_links_to_the_key_moments(new_visitor: NewVisitor, reported: dict[str, Any]) -> None:
    visitor = new_visitor()
    visitor.visit(reported["table"])
    visitor.page.locator("#key-moments .key-moments").get_by_role("link").first.click()
    expect(visitor.page.locator(".review-at")).to_have_text(re.compile(rf"{reported['moments'][0]} / \d+$"))


def test_one_press_on_a_phone_shows_the_costliest_own_choice(
    new_visitor: NewVisitor, reported: dict[str, Any]
) -> None:
    visitor = new_visitor(width=360, height=740)
    visitor.enter(reported["session"])
    visitor.visit(reported["table"])
    page, moments = visitor.page, reported["moments"]
    page.locator(f'#key-moments .button[href$="?at={moments[0]}"]').click()
    expect(page.locator(".review-at")).to_have_text(re.compile(rf"{moments[0]} / \d+$"))
    expect(page.locator("#lens")).to_be_in_viewport(ratio=1)

    page.locator("#moment-2").click()
    expect(page.locator(".review-at")).to_have_text(re.compile(rf"{moments[1]} / \d+$"))
    expect(page.locator("#lens")).to_be_in_viewport(ratio=1)
    assert visitor.page_problems([PHONE]) == []
    page.get_by_role("link", name="Back to the report").click()
    expect(page.locator("#moment-2")).to_be_in_viewport()
    expect(page.locator("#moment-2")).to_be_focused()
