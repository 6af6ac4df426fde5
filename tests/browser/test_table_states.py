"""A table in every state: no violations found by axe, nothing too wide, the hand always visible."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from games.words import offered_variants
from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.visitor import PHONE, THEMES, Visitor, Window
from tests.games.reviewed import TWO_GAMES
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

DESK = Window("desk-dark", 1440, 900, "dark")
STATES = ("open", "theirs", "watched")
# states common to all games in which everything that the turn needs must be visible
TURNS = ("draw", "knock", "held", "absent", "out", "remembered")
RECORD_MOTION = """() => {
    const isMoving = (animation) => animation.effect.getComputedTiming().duration > 0;
    const moving = () => document.getAnimations().some(isMoving);
    for (const kind of ["transitionrun", "animationstart"])
        document.addEventListener(kind, () => { if (moving()) document.body.dataset.moved = kind; });
}"""
POINTS_SHOWN = """() => {
    const board = document.querySelector("#board > svg > g");
    board.innerHTML = "<g class='flash'><circle/><text>+5</text></g>";
    const flash = board.firstChild;
    return [flash, ...flash.children].map((part) => [getComputedStyle(part).opacity, part.getAnimations().length]);
}"""
# The points of the last tile stay for two seconds after a page is loaded.
POINTS_ARE_GONE = """() => {
    const isPoints = (animation) => animation.effect.target.closest(".flash") && animation.playState === "running";
    return !document.getAnimations().some(isPoints);
}"""
# after two frames all transitions have started and reported it
MAX_LAYOUT_PASSES = 5  # the zoom buttons move after the tiles
TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
# A window of another shape requests another layout.
HAS_FITTING_LAYOUT = """() => {
    const board = document.getElementById("board"), drawing = board.querySelector(":scope > svg[class]");
    return !drawing || drawing.getAttribute("class") === getComputedStyle(board).getPropertyValue("--shape");
}"""
# Adds more tiles and text than ever occur. Returns the height of the lowest tile backs.
OVERFILL = """() => {
    const hand = document.querySelector("#hand .tiles");
    while (hand.children.length < 24) hand.append(hand.firstElementChild.cloneNode(true));
    const texts = document.querySelectorAll("#task, #choice > span, #said, .round, .boneyard, .clock, .name, .mark");
    for (const element of texts) element.append(" and whatever else is said");
    const backs = [...document.querySelectorAll("[id^=held] > svg")];
    for (const element of backs) element.setAttribute("width", "27em");
    return Math.min(...backs.map((element) => element.firstElementChild.getBoundingClientRect().height));
}"""
MIN_BACK_HEIGHT_PX = 6
# Gives a finished match of Kozel the outcome with the longest sentence.
SHARE_FIRST_PLACE = """() => {
    document.querySelector(".outcome").textContent = "Benedikt and Bot 2 share first place. Bot 3 is the goat.";
}"""
# Viewports of phones, tablets and desktops, the smallest of each layout and the largest of all; 640 by 400 is a
# desktop zoomed to 200 %.
PHONES = ((375, 553), (360, 640), (667, 331), (640, 400))
LOW_TABLET = (1024, 768)
ALL_SIZES = (*PHONES, (820, 1180), LOW_TABLET, (1366, 650), (1920, 1080))
SMALLEST = (*PHONES, (1366, 650))
WITH_ALL_COLOURS = "kozel"  # the game whose tables axe checks in both themes
NOT_VISIBLE = (Path(__file__).parent / "out_of_sight.js").read_text().rstrip(";\n")


@dataclass(frozen=True, slots=True)
class Stage:
    """The tables of ``stages.prepare_tables``: addresses by state, sessions by name."""

    tables: dict[str, str]
    sessions: dict[str, str]
    eve: int = 0

    def enter(self, visitor: Visitor, name: str) -> None:
        """Make the visitor this person."""
        visitor.enter(self.sessions[name])

    def visit(self, visitor: Visitor, state: str) -> None:
        """Open a table, and wait for its connection."""
        people.visit_table(visitor, self.tables[state])


@pytest.fixture(scope="module")
def stage(site: Server) -> Stage:
    return Stage(**site.run_code("from tests.browser import stages; answer = stages.prepare_tables()"))


@pytest.fixture
def calm(new_visitor: NewVisitor) -> Visitor:
    """A visitor with reduced motion."""
    return new_visitor(reduced_motion="reduce")


def test_table_states_are_accessible_and_visible(calm: Visitor, stage: Stage) -> None:
    stage.enter(calm, "Ann")
    problems: dict[str, Any] = {}
    for state in (*STATES, *TURNS):
        stage.visit(calm, state)
        for window in calm.each_window((PHONE, DESK)):
            assert is_hand_visible(calm), f"{state} {window} {calm.page.locator('#hand').bounding_box()}"
        problems[state] = calm.page_problems([DESK])
        if state in TURNS:
            problems[f"{state}, in sight"] = invisible_parts(calm, SMALLEST)
    assert {state: wrong for state, wrong in problems.items() if wrong} == {}


@pytest.mark.parametrize("key", offered_variants())
def test_games_are_accessible_and_keep_the_turn_visible(calm: Visitor, stage: Stage, key: str) -> None:
    stage.enter(calm, "Ann")
    themes = THEMES if key == WITH_ALL_COLOURS else THEMES[:1]
    problems: dict[str, Any] = {}
    for state in ("pause", "over"):
        stage.visit(calm, f"{key} {state}")
        if (key, state) == ("kozel", "over"):
            calm.page.evaluate(SHARE_FIRST_PLACE)
        problems[f"{state}, in sight"] = invisible_parts(calm, (*PHONES, LOW_TABLET))
        if key in TWO_GAMES:
            problems[state] = calm.page_problems(themes)
    terms = calm.page.locator(".places button:not(.score)")
    if key in TWO_GAMES and terms.count():  # if places show points
        terms.first.click()
        problems["terms"] = calm.page_problems([PHONE])
    stage.visit(calm, f"{key} long")
    problems["long, in sight"] = invisible_parts(calm)
    boards = {window: calm.position_of("#lens") for window in calm.each_window((DESK, PHONE))}
    stage.visit(calm, f"{key} mine")
    for window in calm.each_window(boards):
        for case, result in try_tiles(calm, key):
            expect(result).to_be_visible()
            assert is_hand_visible(calm)
            assert calm.position_of("#lens") == boards[window], case
            if window == PHONE and (case == "a tile chosen" or key == WITH_ALL_COLOURS):
                problems[f"mine, {case}"] = calm.page_problems(themes)
            if window == DESK and case == "a tile chosen":
                problems["choosing, in sight"] = invisible_parts(calm, SMALLEST)
                calm.resize_to(window)
    for window in calm.each_window(boards):
        assert calm.page.evaluate(OVERFILL) > MIN_BACK_HEIGHT_PX
        assert calm.position_of("#lens") == boards[window]
    assert {state: wrong for state, wrong in problems.items() if wrong} == {}


def try_tiles(visitor: Visitor, key: str) -> Iterator[tuple[str, Locator]]:
    """Choose a tile with several places, then one that does not fit; yield what the page shows."""
    page = visitor.page
    page.locator("#hand .fits[form=choose]").first.click()
    yield "a tile chosen", page.locator("#choice")
    page.keyboard.press("Escape")
    page.locator("#hand .tiles button:not(.fits)").first.click()
    cited = page.get_by_role("alert").get_by_role("link")
    expect(cited).to_have_attribute("href", re.compile(rf"^/rules/{key}/#{key}\."))
    yield "a tile refused", cited


def test_suspension_during_a_match_is_shown_at_the_table(new_visitor: NewVisitor, site: Server) -> None:
    stage = Stage(**site.run_code("from tests.browser import stages; answer = stages.prepare_suspension()"))
    eve, root = new_visitor(reduced_motion="reduce"), new_visitor()
    stage.enter(eve, "Eve")
    stage.visit(eve, "doomed")
    stage.enter(root, "Root")
    root.visit(f"/admin/games/case/open/?user={stage.eve}")
    root.page.get_by_label("fair play").check()
    people.press(root, "Open a case")
    root.page.get_by_label("Suspend: they cannot play").check()
    root.page.get_by_role("textbox", name="Or in your own words").fill("Sold the match")
    people.press(root, "Decide and open the next case")
    expect(eve.page.locator("#notice")).to_contain_text("You are suspended until")
    expect(eve.page.locator("#notice")).to_contain_text("Reason: Sold the match")
    expect(eve.page.locator("#connection-state")).to_contain_text("The connection was closed")
    assert eve.page_problems([PHONE]) == []


def test_spectators_see_when_players_will_read_their_chat(new_visitor: NewVisitor, stage: Stage) -> None:
    visitor, key = new_visitor(), next(iter(offered_variants()))
    note = visitor.page.get_by_text("Players see this after the match.")
    stage.visit(visitor, "watched")
    expect(note).to_be_visible()
    stage.visit(visitor, f"{key} over")
    expect(visitor.page.get_by_role("heading", name="Spectators")).to_be_visible()
    expect(note).to_be_hidden()


def test_round_result_opens_its_points_and_terms(calm: Visitor, stage: Stage) -> None:
    stage.enter(calm, "Ann")
    stage.visit(calm, "triominoes pause")
    panel = calm.page.locator("#result")
    expect(panel.locator("table")).to_have_count(0)
    panel.locator("summary").first.press("Enter")
    expect(panel.get_by_role("columnheader", name="Ann")).to_be_visible()
    panel.locator("table button").first.press("Enter")
    expect(calm.page.locator("[popover]:popover-open")).to_be_visible()
    assert calm.page_problems(THEMES) == []


def test_reduced_motion_shows_none(new_visitor: NewVisitor, stage: Stage) -> None:
    lively, calm = new_visitor(reduced_motion="no-preference"), new_visitor(reduced_motion="reduce")
    for visitor in (lively, calm):
        stage.enter(visitor, "Ann")
        stage.visit(visitor, f"{next(iter(offered_variants()))} mine")
        visitor.page.wait_for_function(HAS_FITTING_LAYOUT)
        visitor.page.wait_for_function(POINTS_ARE_GONE)
        visitor.page.evaluate(RECORD_MOTION)
        visitor.page.locator("#hand .fits[form=choose]").first.click()
        expect(visitor.page.locator("#spots .place").first).to_be_visible()
        visitor.page.evaluate(TWO_FRAMES)
    expect(lively.page.locator("body[data-moved]")).to_be_attached()
    expect(calm.page.locator("body[data-moved]")).to_have_count(0)
    # Points are shown for a while without moving, which browsers also call an animation.
    assert calm.page.evaluate(POINTS_SHOWN) == [["1", 1], ["1", 0], ["1", 0]]


def invisible_parts(visitor: Visitor, sizes: Sequence[tuple[int, int]] = ALL_SIZES) -> dict[str, Sequence[str]]:
    """Return what is not visible, by window size, without reloading the page."""
    problems = {}
    for width, height in sizes:
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.page.wait_for_function(HAS_FITTING_LAYOUT)
        for _ in range(MAX_LAYOUT_PASSES):
            visitor.page.evaluate(TWO_FRAMES)
            if not (wrong := visitor.page.evaluate(NOT_VISIBLE)):
                break
        else:
            problems[f"{width} x {height}"] = wrong
    return problems


@pytest.fixture
def banner(site: Server) -> Iterator[str]:
    """The banner of the operators, on all pages of the site."""
    text = "The site is updated at ten."
    site.run_code(f"from games.models import SiteSwitches; SiteSwitches.objects.create(banner={text!r})")
    yield text
    site.run_code("from games.models import SiteSwitches; SiteSwitches.objects.all().delete()")


def test_banner_above_a_notice_keeps_the_turn_visible(calm: Visitor, stage: Stage, banner: str) -> None:
    stage.enter(calm, "Pat")
    stage.visit(calm, "notices")
    expect(calm.page.locator(".site-banner")).to_have_text(banner)
    expect(calm.page.locator(".notice-pending").first).to_be_visible()
    assert invisible_parts(calm, ((360, 740), (1440, 900))) == {}


def test_notice_keeps_the_turn_visible(calm: Visitor, stage: Stage) -> None:
    stage.enter(calm, "Pat")
    stage.visit(calm, "notices")
    assert calm.page_problems(THEMES) == []
    for pending in (2, 1):
        expect(calm.page.locator(".notice-pending")).to_have_count(pending)
        assert invisible_parts(calm, SMALLEST) == {}
        people.submit(calm, "Understood")


NAMES_CUT = """() => {
    const named = [...document.querySelectorAll(".seat .name, .score-table thead th, .move-list li > :first-child")];
    for (const element of named) element.textContent = "Konstantinopolitanen";
    const marks = [...document.querySelectorAll(".seat .mark")].filter((element) => !element.matches(".mark-partner"));
    for (const element of marks) if (element.textContent === "bot") element.textContent = "bot for now";
    const low = (element) => element.matches(".name") && element.scrollHeight > element.clientHeight + 2;
    const room = (element) => element.clientWidth + (element.matches(".mark") ? 0 : 1);
    const cut = (element) => element.clientWidth && (element.scrollWidth > room(element) || low(element));
    const problems = [...named, ...marks].filter((element) => element.checkVisibility() && cut(element));
    return problems.map((element) => element.outerHTML.slice(0, 90));
}"""


def test_long_names_and_their_marks_are_whole(calm: Visitor, stage: Stage) -> None:
    stage.enter(calm, "Ann")
    for state in ("held", "kozel pause", "kozel long", "kozel over"):
        stage.visit(calm, state)
        for width, height in ((360, 740), (740, 330), (1366, 650), (1440, 900)):
            calm.page.set_viewport_size({"width": width, "height": height})
            assert calm.page.evaluate(NAMES_CUT) == [], f"{state} {width}"


SHAPES = {(360, 740): "tall", (740, 360): "even", (1366, 650): "wide"}  # shape of felt by window size
VISIBLE_LAYOUTS = """() => [...document.querySelectorAll("#board > svg")]
    .filter((drawing) => drawing.checkVisibility())
    .map((drawing) => drawing.getAttribute("class"))"""


@pytest.mark.parametrize("javascript", [True, False])
def test_layout_fits_the_felt(new_visitor: NewVisitor, stage: Stage, *, javascript: bool) -> None:
    visitor, key = new_visitor(javascript=javascript, reduced_motion="reduce"), next(iter(offered_variants()))
    for (width, height), shape in SHAPES.items():
        visitor.page.set_viewport_size({"width": width, "height": height})
        if not javascript:
            visitor.visit(stage.tables[f"{key} long"])
        elif shape == "tall":
            stage.visit(visitor, f"{key} long")
        expect(visitor.page.locator(f"#board > svg.{shape}")).to_be_visible()
        assert visitor.page.evaluate(VISIBLE_LAYOUTS) == [shape]


def is_hand_visible(visitor: Visitor) -> bool:
    """Return whether the player's whole area is visible without scrolling."""
    box = visitor.page.locator("#hand").bounding_box()
    size = visitor.page.viewport_size
    assert box
    assert size
    return box["y"] >= 0 and box["y"] + box["height"] <= size["height"]
