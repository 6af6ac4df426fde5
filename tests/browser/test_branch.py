"""A branch of a match in review: moves of the analysis on the board, and playing on from a step."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.test_review import expect_step
from tests.browser.test_review_steps import PLAY, open_review
from tests.browser.visitor import PHONE, Window
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

PHONES = (PHONE, Window("on its side", 740, 360, "dark", colours_only=True))
DESK = Window("desk", 1440, 900)


@pytest.fixture(scope="module")
def sample(site: Server) -> dict[str, Any]:
    return site.run_code(PLAY)


def test_analysis_line_previews_its_move_and_opens_a_branch(new_visitor: NewVisitor, sample: dict[str, Any]) -> None:
    visitor = open_review(new_visitor(reduced_motion="reduce"), sample, at=sample["other"])
    page = visitor.page
    page.get_by_role("button", name="Ask the bot").click()
    lines, ghost = page.locator("#analysis tr:has(template)"), page.locator("#ghost use:visible")
    expect(lines.nth(1)).to_be_visible()
    lines.nth(0).hover()
    expect(ghost).to_have_count(1)
    page.mouse.move(2, 2)
    expect(ghost).to_have_count(0)
    lines.nth(1).get_by_role("link").focus()
    expect(ghost).to_have_count(1)
    preview = ghost.first.bounding_box()
    assert visitor.accessibility_violations() == []
    page.keyboard.press("Enter")
    expect(page.locator(".branch-ways .review-at")).to_contain_text("1 / 1")
    visitor.await_animations()
    assert preview
    played = page.locator("#board :has(+ [data-by]):visible").first
    expect(played).to_be_visible()
    tile = played.bounding_box()
    assert tile
    assert abs(tile["width"] / tile["height"] - preview["width"] / preview["height"]) < 0.2
    page.get_by_role("link", name=f"Back to step {sample['other']}").click()
    expect_step(page, sample["other"], sample["last"])


def test_playing_on_against_bots_and_returning_to_the_step(new_visitor: NewVisitor, sample: dict[str, Any]) -> None:
    visitor = open_review(new_visitor(reduced_motion="reduce"), sample, at=sample["choice"])
    page = visitor.page
    page.get_by_role("link", name="Practise against bots").click()
    at = page.locator(".branch-ways .review-at")
    expect(at).to_contain_text("0 / 0")
    page.wait_for_load_state()
    tile = page.locator("#hand .fits").first
    is_choice = tile.get_attribute("form") == "choose"
    tile.press("Enter")
    if is_choice:
        page.locator("#choice .act").first.press("Enter")
    # The bots' moves appear one by one, until it is the reader's turn or the round is over.
    expect(at).not_to_contain_text("/ 0")
    expect(page.locator("#match:not([data-plays]) #hand:is(.mine, :has(#branch-again))")).to_be_visible()
    played = int(at.inner_text().rpartition("/")[2])
    assert played > 1
    expect(at).to_contain_text(f"{played} / {played}")
    assert visitor.page_problems(PHONES) == []
    address = page.url
    page.reload()
    expect(at).to_contain_text(f"{played} / {played}")
    page.keyboard.press("[")
    expect(at).to_contain_text(f"{played - 1} / {played}")
    with visitor.offline():
        page.keyboard.press("]")
        expect(page.locator("#notice")).to_contain_text("That did not work. Please try again.")
    page.keyboard.press("]")
    expect(at).to_contain_text(f"{played} / {played}")
    assert page.url == address
    page.get_by_role("button", name="Let bots finish").click()
    expect(page.locator("#task")).to_contain_text("; in the match: ")
    page.get_by_text("Points of this round").click()
    assert visitor.page_problems([DESK]) == []
    # The whole branch is one history entry.
    page.go_back()
    expect_step(page, sample["choice"], sample["last"])
