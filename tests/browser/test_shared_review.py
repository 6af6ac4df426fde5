"""A shared review in two windows: one leads by keys, the other follows, and stops."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.test_review import expect_step
from tests.browser.visitor import Visitor
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

PLAY = """
from games.review import steps
from tests.games.reviewed import choice_at, play_random_moves, stop_match

match = stop_match(play_random_moves("kozel", 10))
running = [play_random_moves("kozel", 10).slug for _ in range(3)]
match_steps = steps.load_match_steps(match.pk, match.version)
choice = next(step.number for step in match_steps.steps if choice_at(match.pk, step))
answer = [f"/match/{match.slug}/review/", match_steps.last_number, choice, *running]
"""
STOP = """
from games.models import Match
from games.services import play

play.stop_match(match_id=Match.objects.get(slug="{slug}").pk)
"""
# What htmx adds, the window's address, and the personal parts of a shared review.
PERSONAL = re.compile(
    r' data-htmx-powered="[^"]*"|localhost:\d+| class=""|(?<=csrfmiddlewaretoken" value=")\w+|'
    r'<div id="together".*?(?=<(?:nav|div) class="review-)|<details class="unfold chat.*?</details>',
    re.DOTALL,
)


@pytest.fixture(scope="module")
def samples(site: Server) -> list[Any]:
    return site.run_code(PLAY)


@pytest.fixture(scope="module")
def review(samples: list[Any]) -> tuple[str, int]:
    """Return the address of a finished match's review and its last step."""
    return samples[0], samples[1]


@pytest.fixture
def running(samples: list[Any]) -> str:
    """Return the slug of an unused running match; a rerun takes another one."""
    return samples.pop()


def shared_markup(visitor: Visitor) -> str:
    """Return the markup of the review without the personal parts."""
    return PERSONAL.sub("", visitor.page.locator("#review").evaluate("review => review.outerHTML"))


def test_follower_sees_the_leaders_steps_until_she_stops(new_visitor: NewVisitor, review: tuple[str, int]) -> None:
    address, last = review
    anna, visitor = new_visitor(), new_visitor(width=360, height=740)
    people.enter_as_guest(anna, "Anna")
    anna.visit(address)
    expect(anna.page.locator("#shared-review")).to_be_hidden()
    visitor.visit(address)
    expect(visitor.page.get_by_text("2 people here: Anna (guest), 1 other")).to_be_visible()
    people.press(anna, "Lead the review")
    expect(visitor.page.get_by_text("Anna is leading, step 1")).to_be_visible()
    expect(visitor.page.locator("#shared-review-said")).to_have_text("Anna is leading. You can follow.")
    anna.page.keyboard.press("ArrowRight")
    expect(visitor.page.get_by_text("Anna is leading, step 2")).to_be_visible()
    expect_step(visitor.page, 1, last)
    people.press(visitor, "Follow")
    expect_step(visitor.page, 2, last)
    follows = visitor.page.get_by_role("button", name="Stop following")
    expect(follows).to_be_focused()
    for number in range(3, last + 1):
        anna.page.keyboard.press("ArrowRight")
        expect_step(anna.page, number, last)
    expect_step(visitor.page, last, last)
    expect(follows).to_be_focused()
    anna.page.locator("#review-perspective").select_option("public")
    expect(visitor.page.locator("#review-perspective")).to_have_value("public")
    for window in (anna, visitor):
        expect(window.page.locator("#review [class*=htmx-]")).to_have_count(0)
    assert shared_markup(anna) == shared_markup(visitor)
    assert visitor.accessibility_violations() == []
    assert not visitor.scrolls_sideways()
    follows.click()
    expect(visitor.page.get_by_text(f"Anna is leading, step {last}")).to_be_visible()
    anna.page.keyboard.press("Home")
    expect(visitor.page.get_by_text("Anna is leading, step 1")).to_be_visible()
    expect_step(visitor.page, last, last)


def test_page_opened_during_the_match_joins_after_its_end(new_visitor: NewVisitor, site: Server, running: str) -> None:
    anna, visitor = new_visitor(), new_visitor()
    people.enter_as_guest(anna, "Anna")
    anna.visit(f"/match/{running}/review/")
    expect(anna.page.locator("#together")).to_have_count(0)
    site.run_code(STOP.format(slug=running))
    anna.page.keyboard.press("ArrowRight")
    expect(anna.page.locator("#together")).to_have_count(1)
    visitor.visit(f"/match/{running}/review/")
    people.press(anna, "Lead the review")
    expect(visitor.page.get_by_text("Anna is leading, step 2")).to_be_visible()


def test_stepping_alone_or_losing_the_leader_ends_following(new_visitor: NewVisitor, review: tuple[str, int]) -> None:
    address, last = review
    anna, bela = new_visitor(), new_visitor()
    for visitor, name in ((anna, "Anna"), (bela, "Bela")):
        people.enter_as_guest(visitor, name)
        visitor.visit(address)
    people.press(anna, "Lead the review")
    people.press(bela, "Follow")
    expect(bela.page.get_by_text("Following: Anna")).to_be_visible()
    bela.page.keyboard.press("End")
    expect_step(bela.page, last, last)
    expect(bela.page.get_by_text("Anna is leading, step 1")).to_be_visible()
    people.press(bela, "Follow")
    expect_step(bela.page, 1, last)
    with bela.offline():
        expect(bela.page.get_by_text("Connection lost")).to_be_visible()
    expect(bela.page.get_by_text("Following: Anna")).to_be_visible()
    people.press(anna, "Stop leading")
    expect(bela.page.locator(".shared-review-leads")).to_have_text("Anna is no longer leading.")
    people.press(bela, "Lead the review")
    expect(anna.page.get_by_text("Bela is leading, step 1")).to_be_visible()
    people.press(bela, "Stop leading")
    expect(anna.page.locator("#shared-review-said")).to_have_text("Bela is no longer leading.")


def test_lead_survives_a_reload_is_handed_over_and_shares_the_analysis(
    new_visitor: NewVisitor, samples: list[Any]
) -> None:
    address, choice = samples[0], samples[2]
    anna, bela = new_visitor(), new_visitor(width=360, height=740)
    for visitor, name in ((anna, "Anna"), (bela, "Bela")):
        people.enter_as_guest(visitor, name)
        visitor.visit(address)
    people.press(anna, "Lead the review")
    people.press(bela, "Follow")
    anna.visit(f"{address}?at={choice}&as=open")
    expect(anna.page.get_by_role("button", name="Stop leading")).to_be_visible()
    expect_step(bela.page, choice, samples[1])
    expect(bela.page.get_by_text("Following: Anna")).to_be_visible()
    people.press(anna, "Ask the bot")
    expect(bela.page.locator("#ask-analysis")).to_have_count(0)
    expect(bela.page.locator("#analysis table")).to_be_visible()
    answer = anna.page.locator("#analysis")
    assert answer.evaluate("answer => answer.scrollHeight <= answer.clientHeight"), "It lies over what is below."
    anna.page.get_by_text("Write together").click()
    anna.page.get_by_label("Your message to everybody who reviews").fill("The other end was better.")
    anna.page.get_by_label("Your message to everybody who reviews").press("Enter")
    expect(bela.page.get_by_text("The other end was better.")).to_be_visible()
    expect(anna.page.get_by_label("Your message to everybody who reviews")).to_have_value("")
    people.press(anna, "Let Bela lead")
    expect(bela.page.get_by_role("button", name="Stop leading")).to_be_visible()
    assert bela.accessibility_violations() == []
    assert not bela.scrolls_sideways()
    bela.page.locator("body").press("ArrowLeft")
    expect(anna.page.get_by_text(f"Bela is leading, step {choice - 1}")).to_be_visible()


def test_without_scripts_no_script_features_are_shown(new_visitor: NewVisitor, review: tuple[str, int]) -> None:
    visitor = new_visitor(javascript=False)
    visitor.visit(review[0])
    expect(visitor.page.locator("#shared-review, #shared-review-state, #notice")).to_have_count(3)
    for part in visitor.page.locator("#shared-review, #shared-review-state, #notice").all():
        expect(part).to_be_hidden()
