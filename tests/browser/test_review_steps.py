"""Leafing through a review: no press is lost, steps need no request, and what cannot be had leaves the board."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.conftest import NewVisitor
from tests.browser.test_review import expect_step
from tests.browser.visitor import Visitor
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

PLAY = """
from games.review import steps
from tests.games.reviewed import brought_in, decision, recordings

[path] = [path for path in recordings("kozel") if path.stem == "three-all-goats"]
match = brought_in(path)
past = steps.past(match.pk, match.version)
choice, other = [step.number for step in past.steps if decision(match.pk, step)][:2]
answer = {"review": f"/match/{match.slug}/review/", "last": past.last, "rounds": sorted(past.rounds().values()),
          "choice": choice, "other": other}
"""
HELD_SECONDS = 4
FEW = 10
"""Even the busiest machine lets more presses through."""
HELD = """seconds => new Promise(resolve => {
    let presses = 0;
    const holding = setInterval(() => {
        const press = new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true });
        document.body.dispatchEvent(press);
        presses += 1;
    }, 33);
    setTimeout(() => { clearInterval(holding); resolve(presses); }, 1000 * seconds);
})"""
"""Holds a key down as a keyboard repeats it, and returns how many presses that were."""
FRAMES = """async number => {
    const text = () => document.querySelector(".review-at").textContent;
    let frames = 0;
    document.getElementById("review-after").click();
    for (; !text().includes(` ${number} /`); frames += 1) await new Promise(requestAnimationFrame);
    return frames;
}"""
"""Goes a step on, and returns how many frames the browser drew until it was shown."""
HEAR = """() => {
    window.heard = [];
    const status = document.getElementById("said");
    new MutationObserver(() => heard.push(status.innerText)).observe(
        status, { childList: true, characterData: true, subtree: true });
}"""
"""Notes what the line that is read aloud says, whenever it changes."""


@pytest.fixture(scope="module")
def laid(site: Server) -> dict[str, Any]:
    found: dict[str, Any] = site.answer(PLAY)
    return found


@pytest.fixture
def visitor(new_visitor: NewVisitor, laid: dict[str, Any]) -> Visitor:
    return opened(new_visitor(), laid)


def opened(visitor: Visitor, laid: dict[str, Any], at: int = 1) -> Visitor:
    """Open the review, and wait until the rounds beside the one that is shown are there."""
    with visitor.page.expect_response(re.compile(r"/round/\?at=")):
        visitor.visit(f"{laid['review']}?at={at}&as=open")
    visitor.page.wait_for_load_state("networkidle")
    return visitor


def asked(page: Page) -> list[Request]:
    """Return the list to which requests are added from now on."""
    found: list[Request] = []
    page.on("request", lambda request: found.append(request))  # noqa: PLW0108 (Playwright marks what it is handed)
    return found


def test_a_key_held_for_four_seconds_goes_as_many_steps_as_presses(visitor: Visitor, laid: dict[str, Any]) -> None:
    presses = visitor.page.evaluate(HELD, HELD_SECONDS)
    assert presses > FEW
    expect_step(visitor.page, 1 + presses, laid["last"])


def test_forty_steps_take_no_request_and_one_entry_of_the_history(visitor: Visitor, laid: dict[str, Any]) -> None:
    page, last = visitor.page, laid["last"]
    entries = page.evaluate("history.length")
    requests = asked(page)
    frames = [page.evaluate(FRAMES, number) for number in range(2, 12)]
    assert requests == []
    assert frames == [1] * len(frames)
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    expect_step(page, 41, last)
    expect(page).to_have_url(re.compile(r"\?at=41&as=open$"))
    assert page.evaluate("history.length") == entries
    expect(page.locator("#share-address")).to_have_value(re.compile(r"\?at=41&as=open$"))
    expect(page).to_have_title(re.compile("step 41"))
    page.reload()
    expect_step(page, 41, last)


def test_steps_that_cannot_be_had_leave_the_board_and_are_told(new_visitor: NewVisitor, laid: dict[str, Any]) -> None:
    visitor = opened(new_visitor(), laid, at=5)
    page, last = visitor.page, laid["last"]
    far = laid["rounds"][4]
    with visitor.expecting_errors("502|ERR_INTERNET"):
        page.route("**/round/**", lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>"))
        page.locator(f'.review-round[href^="?at={far}&"]').click()
        state = page.locator("#review-state")
        expect(state).to_have_text("This step could not be loaded. Please try again.")
        expect_step(page, 5, last)
        expect(page.locator("#board :has(+ [data-by])").first).to_be_attached()
        page.unroute("**/round/**")
        visitor.own_context.set_offline(True)
        page.keyboard.press("End")
        expect(state).to_have_text("You are offline: this step could not be loaded.")
        visitor.own_context.set_offline(False)
        page.route("**/review/?**", lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>"))
        page.locator("#review-perspective").select_option("1")
        expect(state).to_have_text("This step could not be loaded. Please try again.")
        expect(page.locator("#review-perspective")).to_have_value("open")
        page.unroute("**/review/?**")
    expect(page.locator("#board :has(+ [data-by])").first).to_be_attached()
    page.keyboard.press("End")
    expect_step(page, last, last)
    expect(state).to_be_hidden()


def test_a_review_plays_by_itself_until_the_reader_steps(visitor: Visitor, laid: dict[str, Any]) -> None:
    page, last = visitor.page, laid["last"]
    page.locator("#review-speed").select_option("4")
    page.locator("#review-steps").click(position={"x": 1, "y": 1})
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect_step(page, 4, last)
    page.keyboard.press("Home")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect_step(page, 1, last)


def test_brackets_go_one_turn_round_the_table_and_a_question_mark_shows_the_keys(
    visitor: Visitor, laid: dict[str, Any]
) -> None:
    page = visitor.page
    leader = page.locator("#step-2 .who-did").inner_text()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("]")
    line = page.locator('#review-steps a[aria-current="step"]')
    expect(line).to_have_count(1)
    expect(page.locator("#step-2")).not_to_have_attribute("aria-current", "step")
    assert line.locator(".who-did").inner_text() == leader
    page.keyboard.press("[")
    expect_step(page, 2, laid["last"])
    page.keyboard.press("?")
    expect(page.get_by_text("one turn round the table")).to_be_visible()
    assert visitor.accessibility_violations() == []


def test_fingers_swipe_and_tap_and_the_answer_of_the_bot_is_in_sight(
    new_visitor: NewVisitor, laid: dict[str, Any]
) -> None:
    visitor = opened(new_visitor(width=360, height=740, touch=True), laid, at=laid["choice"])
    page, last, at = visitor.page, laid["last"], laid["choice"]
    box = page.locator(".felt").bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.touchscreen.tap(box["x"] + 0.9 * box["width"], middle)
    expect_step(page, at + 1, last)
    page.touchscreen.tap(box["x"] + 0.1 * box["width"], middle)
    expect_step(page, at, last)
    page.evaluate(
        """([x, y]) => {
        const felt = document.querySelector(".lens");
        const touch = (at) => new Touch({ identifier: 1, target: felt, clientX: at, clientY: y });
        const send = (kind, at, touches) => felt.dispatchEvent(
            new TouchEvent(kind, { bubbles: true, touches, changedTouches: [touch(at)] }));
        send("touchstart", x, [touch(x)]);
        send("touchend", x - 90, []);
    }""",
        [box["x"] + box["width"] / 2, middle],
    )
    expect_step(page, at + 1, last)
    page.keyboard.press("ArrowLeft")
    expect_step(page, at, last)
    page.get_by_role("button", name="Ask the bot").click()
    answer = page.get_by_role("columnheader", name="With all hands open")
    expect(answer).to_be_visible(timeout=60_000)
    expect(answer).to_be_in_viewport()
    # Who comes back to the step sees the answer again.
    page.keyboard.press("ArrowRight")
    expect(answer).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    expect(answer).to_be_visible()


def test_the_header_of_the_page_stays_and_so_does_the_focus(new_visitor: NewVisitor, laid: dict[str, Any]) -> None:
    visitor = opened(new_visitor(), laid)
    page = visitor.page
    page.evaluate(HEAR)
    page.locator("#review-after").focus()
    for number in (2, 3):
        page.keyboard.press("Enter")
        expect_step(page, number, laid["last"])
        expect(page.locator("#review-after")).to_be_focused()
    # The same element says each step, and says it once: to replace it would be silent, or heard twice.
    heard = page.evaluate("heard")
    assert len(heard) == 2
    assert heard[-1] == page.locator("#said").inner_text()
    page.locator("#review-perspective").select_option("1")
    expect(page.locator(".review-hand")).to_be_visible()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("scrollY") == 0


def test_a_review_fits_a_phone_on_its_side(visitor: Visitor, laid: dict[str, Any]) -> None:
    page = visitor.page
    for width, height in ((740, 360), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        assert not visitor.scrolls_sideways()
        own = page.locator(".own").bounding_box()
        for way in page.locator(".review-ways .way").all():
            box = way.bounding_box()
            assert own is not None
            assert box is not None
            assert own["x"] <= box["x"]
            assert box["x"] + box["width"] <= own["x"] + own["width"] + 1


SMALLEST = """() => [...Array(5).keys()].map(() => {
    const widths = [...document.querySelectorAll(".face-up svg")].map(tile => tile.getBoundingClientRect().width);
    for (const hand of document.querySelectorAll(".face-up")) hand.lastElementChild.remove();
    return Math.min(...widths);
})"""
"""Returns how wide the smallest open tile is with seven in each hand, with six, and so on."""


def test_fewer_tiles_of_the_others_are_not_smaller_than_many(visitor: Visitor, laid: dict[str, Any]) -> None:
    for width, height, least in ((1440, 900, 30), (820, 1180, 30), (360, 740, 20), (740, 360, 12)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.page.reload()
        widths = visitor.page.evaluate(SMALLEST)
        assert widths[0] >= least, (width, widths)
        assert widths == sorted(widths), (width, widths)


def test_the_board_is_fitted_to_each_step_where_that_is_wanted(visitor: Visitor, laid: dict[str, Any]) -> None:
    """The usual window is twice as wide as the one that holds a single tile; a key goes on from the switch."""
    page = visitor.page
    step_to(page, 2, laid["last"])
    usual = widths(page)
    page.get_by_label("Fit the board to each step").check()
    assert widths(page) == [width / 2 for width in usual]
    page.keyboard.press("ArrowRight")
    expect_step(page, 3, laid["last"])
    assert all(close < width for close, width in zip(widths(page), usual, strict=True))
    expect(page).to_have_url(re.compile(r"at=3&"))
    page.reload()
    assert all(close < width for close, width in zip(widths(page), usual, strict=True))
    page.get_by_label("Fit the board to each step").uncheck()
    step_to(page, 2, laid["last"])
    assert widths(page) == usual


def step_to(page: Page, number: int, last: int) -> None:
    page.locator("#review-slider").fill(str(number))
    expect_step(page, number, last)


def widths(page: Page) -> list[float]:
    """Return how wide the windows of the drawings of the board are, each for a shape of felt."""
    found: list[float] = page.evaluate(
        "[...document.querySelectorAll('#board svg')].map(s => s.viewBox.baseVal.width)"
    )
    return found
