"""Stepping through a review: no press is lost, steps need no request, failures leave the board."""

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
from tests.games.reviewed import choice_at, import_recording, recording_files

[path] = [path for path in recording_files("kozel") if path.stem == "three-all-goats"]
match = import_recording(path)
match_steps = steps.load_match_steps(match.pk, match.version)
choice, other = [step.number for step in match_steps.steps if choice_at(match.pk, step)][:2]
rounds = sorted(match_steps.round_starts().values())
answer = {"review": f"/match/{match.slug}/review/", "last": match_steps.last_number, "rounds": rounds,
          "choice": choice, "other": other}
"""
HOLD_SECONDS = 2
MIN_PRESSES = 10  # even the busiest machine processes more presses
# Repeats a key as a keyboard does, and returns the number of presses.
HOLD_KEY = """seconds => new Promise(resolve => {
    let presses = 0;
    const holding = setInterval(() => {
        const press = new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true });
        document.body.dispatchEvent(press);
        presses += 1;
    }, 33);
    setTimeout(() => { clearInterval(holding); resolve(presses); }, 1000 * seconds);
})"""
# Goes to the next step, and returns how many frames the browser drew until it was shown.
FRAMES = """async number => {
    const text = () => document.querySelector(".review-at").textContent;
    let frames = 0;
    document.getElementById("review-after").click();
    for (; !text().includes(` ${number} /`); frames += 1) await new Promise(requestAnimationFrame);
    return frames;
}"""
# Records the changes of the announced text.
RECORD_ANNOUNCEMENTS = """() => {
    window.heard = [];
    const status = document.getElementById("said");
    new MutationObserver(() => heard.push(status.innerText)).observe(
        status, { childList: true, characterData: true, subtree: true });
}"""


@pytest.fixture(scope="module")
def sample(site: Server) -> dict[str, Any]:
    return site.run_code(PLAY)


@pytest.fixture
def visitor(new_visitor: NewVisitor, sample: dict[str, Any]) -> Visitor:
    return open_review(new_visitor(), sample)


def open_review(visitor: Visitor, sample: dict[str, Any], at: int = 1) -> Visitor:
    """Open the review, and wait until the neighbouring rounds are loaded."""
    with visitor.page.expect_response(re.compile(r"/round/\?at=")):
        visitor.visit(f"{sample['review']}?at={at}&as=open")
    visitor.page.wait_for_load_state("networkidle")
    return visitor


def record_requests(page: Page) -> list[Request]:
    """Return the list to which later requests are added."""
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request))  # noqa: PLW0108 - no built-in methods
    return requests


def test_held_key_steps_as_often_as_it_repeats(visitor: Visitor, sample: dict[str, Any]) -> None:
    presses = visitor.page.evaluate(HOLD_KEY, HOLD_SECONDS)
    assert presses > MIN_PRESSES
    expect_step(visitor.page, 1 + presses, sample["last"])


def test_forty_steps_take_no_request_and_one_history_entry(visitor: Visitor, sample: dict[str, Any]) -> None:
    page, last = visitor.page, sample["last"]
    entries = page.evaluate("history.length")
    requests = record_requests(page)
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


def test_failed_steps_leave_the_board_and_show_a_message(new_visitor: NewVisitor, sample: dict[str, Any]) -> None:
    visitor = open_review(new_visitor(), sample, at=5)
    page, last = visitor.page, sample["last"]
    far = sample["rounds"][4]
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


def test_playback_runs_until_the_reader_steps(visitor: Visitor, sample: dict[str, Any]) -> None:
    page, last = visitor.page, sample["last"]
    page.locator("#review-speed").select_option("4")
    page.locator("#review-steps").click(position={"x": 1, "y": 1})
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator(".review-at")).to_have_text(re.compile(rf" ([4-9]|\d\d+) / {last}$"))
    page.keyboard.press("Home")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect_step(page, 1, last)


def test_brackets_step_by_turns_and_a_question_mark_shows_the_keys(visitor: Visitor, sample: dict[str, Any]) -> None:
    page = visitor.page
    leader = page.locator("#step-2 .who-did").inner_text()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("]")
    line = page.locator('#review-steps a[aria-current="step"]')
    expect(line).to_have_count(1)
    expect(page.locator("#step-2")).not_to_have_attribute("aria-current", "step")
    assert line.locator(".who-did").inner_text() == leader
    page.keyboard.press("[")
    expect_step(page, 2, sample["last"])
    page.keyboard.press("?")
    expect(page.get_by_text("one turn round the table")).to_be_visible()
    assert visitor.accessibility_violations() == []


def test_swipes_and_taps_step_and_the_analysis_is_visible(new_visitor: NewVisitor, sample: dict[str, Any]) -> None:
    visitor = open_review(new_visitor(width=360, height=740, touch=True), sample, at=sample["choice"])
    page, last, at = visitor.page, sample["last"], sample["choice"]
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
    answer = page.get_by_role("columnheader", name="All hands open")
    expect(answer).to_be_visible(timeout=60_000)
    expect(answer).to_be_in_viewport()
    # Returning to the step shows the answer again.
    page.keyboard.press("ArrowRight")
    expect(answer).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    expect(answer).to_be_visible()


def test_page_header_and_focus_stay_while_stepping(new_visitor: NewVisitor, sample: dict[str, Any]) -> None:
    visitor = open_review(new_visitor(), sample)
    page = visitor.page
    page.evaluate(RECORD_ANNOUNCEMENTS)
    page.locator("#review-after").focus()
    for number in (2, 3):
        page.keyboard.press("Enter")
        expect_step(page, number, sample["last"])
        expect(page.locator("#review-after")).to_be_focused()
    # The same element announces all steps once: a replaced one would be silent, or heard twice.
    heard = page.evaluate("heard")
    assert len(heard) == 2
    assert heard[-1] == page.locator("#said").inner_text()
    page.locator("#review-perspective").select_option("1")
    expect(page.locator(".review-hand")).to_be_visible()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("scrollY") == 0


def test_review_fits_a_phone_in_landscape(visitor: Visitor, sample: dict[str, Any]) -> None:
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


# Returns the width of the smallest open tile with seven in all hands, with six, and so on.
SMALLEST = """() => {
    const hands = [...document.querySelectorAll(".face-up")];
    const tiles = hands.map((hand) => [...hand.children]);
    const smallest = [...Array(5).keys()].map(() => {
        const widths = [...document.querySelectorAll(".face-up svg")].map(tile => tile.getBoundingClientRect().width);
        for (const hand of hands) hand.lastElementChild.remove();
        return Math.min(...widths);
    });
    hands.forEach((hand, at) => hand.replaceChildren(...tiles[at]));
    return smallest;
}"""


def test_fewer_open_tiles_are_not_smaller(visitor: Visitor, sample: dict[str, Any]) -> None:
    for width, height, least in ((1440, 900, 30), (820, 1180, 30), (360, 740, 20), (740, 360, 12)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        widths = visitor.page.evaluate(SMALLEST)
        assert widths[0] >= least, (width, widths)
        assert widths == sorted(widths), (width, widths)


def test_board_is_fitted_to_steps_on_request(visitor: Visitor, sample: dict[str, Any]) -> None:
    """The usual view box is twice as wide as that of a single tile; keys still step from the checkbox."""
    page = visitor.page
    step_to(page, 2, sample["last"])
    usual = widths(page)
    page.get_by_label("Fit the board to each step").check()
    assert widths(page) == [width / 2 for width in usual]
    page.keyboard.press("ArrowRight")
    expect_step(page, 3, sample["last"])
    assert all(close < width for close, width in zip(widths(page), usual, strict=True))
    expect(page).to_have_url(re.compile(r"at=3&"))
    page.reload()
    assert all(close < width for close, width in zip(widths(page), usual, strict=True))
    page.get_by_label("Fit the board to each step").uncheck()
    step_to(page, 2, sample["last"])
    assert widths(page) == usual


def step_to(page: Page, number: int, last: int) -> None:
    page.locator("#review-slider").fill(str(number))
    expect_step(page, number, last)


def widths(page: Page) -> list[float]:
    """Return the widths of the board's view boxes for all shapes of felt."""
    view_boxes: list[float] = page.evaluate(
        "[...document.querySelectorAll('#board svg')].map(s => s.viewBox.baseVal.width)"
    )
    return view_boxes
