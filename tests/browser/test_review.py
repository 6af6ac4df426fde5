"""The review: keys, slider and links, with and without scripts, and the bot's analysis."""

from __future__ import annotations

import re
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from games.words import offered_variants
from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.visitor import Visitor
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

PLAY = """
import json
from games.review import analysis, steps
from games.words import offered_variants
from tests.games.reviewed import choice_at, play_random_moves, stop_match

def address(variant):
    match = stop_match(play_random_moves(variant, 10))
    match_steps = steps.load_match_steps(match.pk, match.version)
    choice = next(step.number for step in match_steps.steps if choice_at(match.pk, step))
    return {"table": f"/match/{match.slug}/", "last": match_steps.last_number, "choice": choice}

answer = {variant: address(variant) for variant in offered_variants()}
"""
ZONES = ("board", "seats", "result")
HTMX_ATTRIBUTES = re.compile(r' (?:data-htmx-powered="[^"]*"|class="")')
ANALYSIS_MS = 60_000
# depends on the deal, which differs between runs
ANALYSIS_TEXT = re.compile("The bot’s choice: |The bot finds several moves equally good")
FULL_WIDTH_PX = 300  # pixels of a phone's 360; anything squeezed into a column is narrower


# Returns the colours of the focus ring on the felt and of the felt: red, green, blue from 0 to 255.
FOCUS_RING = """() => {
    const focused = document.activeElement;
    const felt = focused.closest(".table");
    if (!felt) return null;
    const parts = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
    const probe = felt.appendChild(document.createElement("i"));
    probe.style.color = "var(--felt)";
    const colours = [parts(getComputedStyle(focused).outlineColor), parts(getComputedStyle(probe).color)];
    probe.remove();
    return colours;
}"""


@pytest.fixture(scope="module")
def samples(site: Server) -> dict[str, dict[str, Any]]:
    return site.run_code(PLAY)


def expect_step(page: Page, number: int, last: object) -> None:
    expect(page.locator(".review-at")).to_have_text(re.compile(rf"{number} / {last}$"))


# Returns the markup without the given parts and without the drawings for other shapes of felt, which a review
# contains.
MARKUP = """(zone, without) => {
    const copy = zone.cloneNode(true);
    for (const part of without ? copy.querySelectorAll(`:scope > :is(${without})`) : []) part.remove();
    copy.normalize();
    if (copy.lastChild?.nodeType === Node.TEXT_NODE) copy.lastChild.data = copy.lastChild.data.trim();
    const drawings = (element) => [...element.querySelectorAll(":scope > svg[class]")];
    const hidden = drawings(zone).map((drawing) => !drawing.checkVisibility());
    drawings(copy).filter((_, at) => hidden[at]).forEach((drawing) => drawing.remove());
    return copy.outerHTML;
}"""


def markup_of_zones(page: Page, without: str = "") -> dict[str, str]:
    """Return the markup of the zones once no swap is under way."""
    expect(page.locator("main [class*=htmx-]")).to_have_count(0)
    zones = {zone: page.locator(f"#{zone}").evaluate(MARKUP, without) for zone in ZONES}
    return {zone: HTMX_ATTRIBUTES.sub("", text) for zone, text in zones.items()}


@pytest.mark.parametrize("variant", offered_variants())
def test_review_stepped_to_its_end_shows_the_final_table(
    new_visitor: NewVisitor, samples: dict[str, Any], variant: str
) -> None:
    visitor = new_visitor(width=360, height=740)
    table, last = samples[variant]["table"], samples[variant]["last"]
    assert visitor.visit(f"{table}review/") == 200
    for number in range(2, last + 1):
        visitor.page.keyboard.press("ArrowRight")
        expect_step(visitor.page, number, last)
    assert not visitor.scrolls_sideways()
    if variant == "triominoes":  # all games have the same page around the table
        assert visitor.accessibility_violations() == []
    assert visitor.page.locator("#result").bounding_box()["width"] > FULL_WIDTH_PX
    stepped = markup_of_zones(visitor.page)
    people.visit_table(visitor, table)
    expect(visitor.page.locator("#result > .match-facts")).to_be_visible()
    # Only the table shows the match in figures and the key moments.
    assert stepped == markup_of_zones(visitor.page, without=".match-facts, #key-moments")


@pytest.fixture
def review(new_visitor: NewVisitor, samples: dict[str, Any]) -> Visitor:
    visitor = new_visitor()
    visitor.visit(f"{samples['kozel']['table']}review/?at=3")
    return visitor


def test_steps_have_addresses_and_the_pressed_link_keeps_the_focus(review: Visitor, samples: dict[str, Any]) -> None:
    page, last = review.page, samples["kozel"]["last"]
    page.get_by_role("link", name="Previous step").focus()
    page.keyboard.press("Enter")
    expect_step(page, 2, last)
    expect(page).to_have_url(re.compile(r"\?at=2&as=open$"))
    page.keyboard.press("Enter")
    expect_step(page, 1, last)
    # There is no step before the first; the focus stays all the same.
    expect(page.locator("#review-before")).to_be_focused()
    page.keyboard.press("End")
    expect_step(page, last, last)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_focus_ring_contrasts_with_the_felt(new_visitor: NewVisitor, samples: dict[str, Any], scheme: str) -> None:
    visitor = new_visitor(scheme=scheme)
    visitor.visit(f"{samples['kozel']['table']}review/?at=5")
    reached = 0
    for _ in range(30):
        visitor.page.keyboard.press("Tab")
        if ring := visitor.page.evaluate(FOCUS_RING):
            reached += 1
            assert contrast(*ring) >= 3
    assert reached > 8


def contrast(*colours: list[float]) -> float:
    """Return the contrast of two colours (WCAG 2.2, relative luminance of sRGB)."""
    lights = [
        sum(share * linear(part / 255) for share, part in zip((0.2126, 0.7152, 0.0722), colour, strict=True))
        for colour in colours
    ]
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def test_slider_and_perspective_work_by_keyboard_and_keep_the_focus(review: Visitor, samples: dict[str, Any]) -> None:
    page, last = review.page, samples["kozel"]["last"]
    slider = page.get_by_role("slider", name="Step")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect_step(page, 5, last)
    expect(slider).to_be_focused()
    page.locator("#review-after").click()
    expect_step(page, 6, last)
    expect(slider).to_have_value("6")
    perspective = page.get_by_role("combobox", name="Point of view")
    perspective.focus()
    perspective.select_option("1")
    expect(page.locator(".review-hand")).to_be_visible()
    expect(page.locator(".face-up")).to_have_count(0)
    expect(perspective).to_be_focused()
    expect(page.locator("#review-form").get_by_text("Show", exact=True)).to_be_hidden()


def test_zoom_is_kept_between_steps(review: Visitor, samples: dict[str, Any]) -> None:
    page = review.page
    page.keyboard.press("+")
    expect(page.locator(".felt.zoomed")).to_be_attached()
    page.keyboard.press("ArrowRight")
    expect_step(page, 4, samples["kozel"]["last"])
    expect(page.locator(".felt.zoomed")).to_be_attached()
    expect(page.get_by_role("button", name="Zoom out")).to_be_visible()
    page.keyboard.press("0")
    expect(page.locator(".felt.zoomed")).to_have_count(0)


def test_links_and_the_form_work_without_scripts(new_visitor: NewVisitor, samples: dict[str, Any]) -> None:
    visitor = new_visitor(javascript=False)
    page, last = visitor.page, samples["triominoes"]["last"]
    visitor.visit(f"{samples['triominoes']['table']}review/")
    page.get_by_role("link", name="Next step", exact=True).click()
    expect_step(page, 2, last)
    page.get_by_role("link", name="Last step").click()
    expect_step(page, last, last)
    page.locator("#review-perspective").select_option("public")
    page.get_by_role("button", name="Show").click()
    expect_step(page, last, last)
    assert page.url.endswith(f"?at={last}&as=public")
    page.locator(".review-round").first.click()
    expect_step(page, 1, last)


def test_analysis_appears_when_the_bot_has_finished(new_visitor: NewVisitor, samples: dict[str, Any]) -> None:
    choice, last = samples["rytmino"]["choice"], samples["rytmino"]["last"]
    visitor = new_visitor(width=360, height=740)
    visitor.visit(f"{samples['rytmino']['table']}review/?at={choice}")
    visitor.page.get_by_role("button", name="Ask the bot").press("Enter")
    values = visitor.page.get_by_role("columnheader", name="All hands open")
    expect(values).to_be_visible(timeout=ANALYSIS_MS)
    expect(visitor.page.locator("#analysis .badge").first).to_be_visible()
    expect_step(visitor.page, choice, last)
    assert not visitor.scrolls_sideways()
    assert visitor.accessibility_violations() == []
    # Keyboard and screen reader users continue where the button was, and hear the answer.
    expect(visitor.page.get_by_role("heading", name="to move")).to_be_focused()
    expect(visitor.page.locator("#analysis-said")).to_contain_text(ANALYSIS_TEXT)
    # The keys that step the review scroll the values instead.
    visitor.page.locator(".review-values").press("End")
    expect_step(visitor.page, choice, last)


# Returns how many tiles fall for a winner, and for how many milliseconds.
WIN_AGAIN = """() => {
    const headline = document.querySelector("#result > .headline");
    for (const won of [false, true]) {
        headline.classList.toggle("won", won);
        document.dispatchEvent(new CustomEvent("page:update", { detail: { zones: new Set(["result"]) } }));
    }
    const falling = document.querySelectorAll(".falling > .tile").length;
    const ends = document.getAnimations().map((animation) => animation.effect.getComputedTiming().endTime);
    return [falling, Math.max(0, ...ends)];
}"""


def test_tiles_fall_for_two_seconds_for_the_winner_unless_motion_is_reduced(
    new_visitor: NewVisitor, samples: dict[str, Any]
) -> None:
    visitor = new_visitor()
    visitor.visit(samples["kozel"]["table"])
    motions: dict[Literal["no-preference", "reduce"], int] = {"no-preference": 18, "reduce": 0}
    for motion, expected in motions.items():
        visitor.page.emulate_media(reduced_motion=motion)
        falling, milliseconds = visitor.page.evaluate(WIN_AGAIN)
        assert falling == expected
        assert milliseconds <= 2000
        expect(visitor.page.locator(".falling")).to_have_count(0)
