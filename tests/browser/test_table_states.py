"""A table in every state it can be in: no violation found by axe, nothing too wide, the hand always in sight."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from games.words import offered
from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.visitor import Visitor, Window
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

WINDOWS = (Window("phone-light", 360, 740), Window("desk-dark", 1440, 900, "dark"))
IN_EACH_GAME = (Window("phone-dark", 360, 740, "dark"), Window("desk-light", 1440, 900, colours_only=True))
STATES = ("open", "theirs", "watched")
TURNS = ("draw", "knock", "held", "absent", "out", "remembered")
"""Those alike in all games: in the second ones, all that the turn needs has to be in sight."""
NOTE_MOTION = """() => {
    const moving = () => document.getAnimations().filter(one => one.effect.getComputedTiming().duration > 0).length;
    for (const kind of ["transitionrun", "animationstart"])
        document.addEventListener(kind, () => { if (moving()) document.body.dataset.moved = kind; });
}"""
POINTS_SHOWN = """() => {
    const board = document.querySelector("#board > svg > g");
    board.innerHTML = "<g class='flash'><circle/><text>+5</text></g>";
    const flash = board.firstChild;
    return [flash, ...flash.children].map((part) => [getComputedStyle(part).opacity, part.getAnimations().length]);
}"""
TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""After as many whatever moves has begun to, and told so."""
LAID_FOR_THE_FELT = """() => {
    const board = document.getElementById("board"), drawing = board.querySelector(":scope > svg[class]");
    return !drawing || drawing.getAttribute("class") === getComputedStyle(board).getPropertyValue("--shape");
}"""
"""A window of another shape asks the server for another drawing."""
CRAMMED = """() => {
    const hand = document.querySelector("#hand .tiles");
    while (hand.children.length < 24) hand.append(hand.firstElementChild.cloneNode(true));
    const said = document.querySelectorAll("#task, #choice > span, #said, .round, .boneyard, .clock, .name, .mark");
    for (const each of said) each.append(" and whatever else is said");
    const backs = [...document.querySelectorAll("[id^=held] > svg")];
    for (const each of backs) each.setAttribute("width", "27em");
    return Math.min(...backs.map((each) => each.firstElementChild.getBoundingClientRect().height));
}"""
"""Let more be held and said than ever is. Return how high the lowest backs are then."""
HIGH_ENOUGH = 6
# The parts of telephones, tablets and desks that browsers leave to a page, the smallest of each layout and the largest
# of all; 640 by 400 is a desk zoomed to 200 %.
TELEPHONES = ((375, 553), (360, 640), (667, 331), (640, 400))
EVERYWHERE = (
    *TELEPHONES,
    (820, 1180),
    (1024, 768),
    (1366, 650),
    (1920, 1080),
)
OUT_OF_SIGHT = (Path(__file__).parent / "out_of_sight.js").read_text().rstrip(";\n")


@dataclass(frozen=True, slots=True)
class Stage:
    """The tables of ``stages.lay``: addresses by state, sessions by name."""

    tables: dict[str, str]
    sessions: dict[str, str]
    eve: int = 0

    def enter(self, visitor: Visitor, name: str) -> None:
        """Make the visitor this person."""
        visitor.enter(self.sessions[name])

    def visit(self, visitor: Visitor, state: str) -> None:
        """Open a table, and wait until its line stands."""
        people.visit_table(visitor, self.tables[state])


@pytest.fixture(scope="module")
def stage(site: Server) -> Stage:
    return Stage(**site.answer("from tests.browser import stages; answer = stages.lay()"))


@pytest.fixture
def calm(new_visitor: NewVisitor) -> Visitor:
    """Somebody for whom nothing moves."""
    return new_visitor(reduced_motion="reduce")


def test_no_state_of_a_table_shuts_anybody_out_or_is_out_of_sight(calm: Visitor, stage: Stage) -> None:
    stage.enter(calm, "Ann")
    found: dict[str, Any] = {state: looked_at(calm, stage, state, WINDOWS) for state in STATES}
    for state in TURNS:
        found[state] = looked_at(calm, stage, state, WINDOWS)
        found[f"{state}, in sight"] = wrong_in_windows(calm)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("key", offered())
def test_no_game_shuts_anybody_out_or_puts_what_a_turn_needs_out_of_sight(
    calm: Visitor, stage: Stage, key: str
) -> None:
    stage.enter(calm, "Ann")
    found: dict[str, Any] = {}
    for state in ("pause", "over", "long"):
        found[state] = looked_at(calm, stage, f"{key} {state}", IN_EACH_GAME)
        found[f"{state}, in sight"] = wrong_in_windows(calm, EVERYWHERE if state == "long" else TELEPHONES)
        terms = calm.page.locator(".places button")
        if terms.count():  # where the places are worth points
            calm.show_in(IN_EACH_GAME[0])
            terms.first.click()
            found[f"{state}, terms"] = calm.complaints(IN_EACH_GAME[:1])
    boards = {window: calm.position_of("#lens") for window in calm.in_each(IN_EACH_GAME)}
    stage.visit(calm, f"{key} mine")
    found["mine, in sight"] = wrong_in_windows(calm)
    for what, shown in try_tiles(calm, key):
        for window in calm.in_each(boards):
            expect(shown).to_be_visible()
            assert hand_is_in_sight(calm)
            assert calm.position_of("#lens") == boards[window], what
        calm.show_in(IN_EACH_GAME[0])
        found[f"mine, {what}"] = calm.complaints(IN_EACH_GAME[:1])
        if what == "a tile chosen":
            found["choosing, in sight"] = wrong_in_windows(calm)
    for window in calm.in_each(boards):
        assert calm.page.evaluate(CRAMMED) > HIGH_ENOUGH
        assert calm.position_of("#lens") == boards[window]
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


def looked_at(visitor: Visitor, stage: Stage, state: str, windows: Sequence[Window]) -> list[str]:
    """Return what is wrong with the page of a table."""
    stage.visit(visitor, state)
    found = []
    for window in visitor.in_each(windows):
        assert hand_is_in_sight(visitor), f"{state} {window} {visitor.page.locator('#hand').bounding_box()}"
        found += visitor.complaints([window])
    return found


def try_tiles(visitor: Visitor, key: str) -> Iterator[tuple[str, Locator]]:
    """Choose a tile that asks where to go, then try one that does not fit; give what shows it."""
    page = visitor.page
    page.locator("#hand .fits[form=choose]").first.click()
    yield "a tile chosen", page.locator("#choice")
    page.keyboard.press("Escape")
    page.locator("#hand .tiles button:not(.fits)").first.click()
    cited = page.get_by_role("alert").get_by_role("link")
    expect(cited).to_have_attribute("href", re.compile(rf"^/rules/{key}/#{key}\."))
    yield "a tile refused", cited


def test_who_is_suspended_in_the_middle_of_a_match_is_told_so_at_the_table(
    new_visitor: NewVisitor, site: Server
) -> None:
    stage = Stage(**site.answer("from tests.browser import stages; answer = stages.lay_suspension()"))
    eve, root = new_visitor(reduced_motion="reduce"), new_visitor()
    stage.enter(eve, "Eve")
    stage.visit(eve, "doomed")
    stage.enter(root, "Root")
    root.visit(f"/admin/games/case/open/?user={stage.eve}")
    root.page.get_by_label("fair play").check()
    people.press(root, "Open a case")
    root.page.get_by_label("Suspend: they cannot play").check()
    root.page.get_by_role("combobox", name="Or in your own words").fill("Sold the match")
    people.press(root, "Decide, and take the next case")
    expect(eve.page.locator("#notice")).to_contain_text("You are suspended until")
    expect(eve.page.locator("#notice")).to_contain_text("Reason: Sold the match")
    expect(eve.page.locator("#connection-state")).to_contain_text("The connection was closed")
    assert eve.complaints(WINDOWS[:1]) == []


def test_spectators_read_when_players_will_read_them_until_these_do(new_visitor: NewVisitor, stage: Stage) -> None:
    visitor, key = new_visitor(), next(iter(offered()))
    said = visitor.page.get_by_text("Players see this after the match.")
    stage.visit(visitor, "watched")
    expect(said).to_be_visible()
    stage.visit(visitor, f"{key} over")
    expect(visitor.page.get_by_role("heading", name="Spectators")).to_be_visible()
    expect(said).to_be_hidden()


def test_whoever_opens_what_a_round_brought_sees_its_points_and_how_they_came_about(
    calm: Visitor, stage: Stage
) -> None:
    stage.enter(calm, "Ann")
    stage.visit(calm, "triominoes pause")
    panel = calm.page.locator("#result")
    expect(panel.locator("table")).to_have_count(0)
    panel.locator("summary").first.press("Enter")
    expect(panel.get_by_role("columnheader", name="Ann")).to_be_visible()
    panel.locator("table button").first.press("Enter")
    expect(calm.page.locator("[popover]:popover-open")).to_be_visible()
    assert calm.complaints(IN_EACH_GAME) == []


def test_who_wants_no_motion_sees_none(new_visitor: NewVisitor, stage: Stage) -> None:
    lively, calm = new_visitor(reduced_motion="no-preference"), new_visitor(reduced_motion="reduce")
    for visitor in (lively, calm):
        stage.enter(visitor, "Ann")
        stage.visit(visitor, f"{next(iter(offered()))} mine")
        visitor.page.evaluate(NOTE_MOTION)
        visitor.page.locator("#hand .fits[form=choose]").first.click()
        expect(visitor.page.locator("#spots .place").first).to_be_visible()
        visitor.page.evaluate(TWO_FRAMES)
    expect(lively.page.locator("body[data-moved]")).to_be_attached()
    expect(calm.page.locator("body[data-moved]")).to_have_count(0)
    # Points stay for a while without a move, which the browser calls an animation too.
    assert calm.page.evaluate(POINTS_SHOWN) == [["1", 1], ["1", 0], ["1", 0]]


def wrong_in_windows(visitor: Visitor, sizes: Sequence[tuple[int, int]] = EVERYWHERE) -> dict[str, Sequence[str]]:
    """Return what is out of sight, window by window: the page stays open."""
    found = {}
    for width, height in sizes:
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.page.wait_for_function(LAID_FOR_THE_FELT)
        visitor.page.evaluate(TWO_FRAMES)
        if wrong := visitor.page.evaluate(OUT_OF_SIGHT):
            found[f"{width} x {height}"] = wrong
    return found


def test_a_notice_leaves_all_that_a_turn_needs_in_sight(calm: Visitor, stage: Stage) -> None:
    stage.enter(calm, "Pat")
    stage.visit(calm, "notices")
    for left in (2, 1):
        expect(calm.page.locator(".notice-pending")).to_have_count(left)
        assert wrong_in_windows(calm) == {}
        assert calm.complaints(WINDOWS) == []
        people.submit(calm, "Understood")


NAMES_CUT = """() => {
    const named = [...document.querySelectorAll(".seat .name, .score-table thead th, .move-list li > :first-child")];
    for (const each of named) each.textContent = "Konstantinopolitanen";
    const marks = [...document.querySelectorAll(".seat .mark")].filter((each) => !each.matches(".mark-partner"));
    for (const each of marks) if (each.textContent === "bot") each.textContent = "stand-in";
    const low = (each) => each.matches(".name") && each.scrollHeight > each.clientHeight + 2;
    const room = (each) => each.clientWidth + (each.matches(".mark") ? 0 : 1);
    const cut = (each) => each.clientWidth && (each.scrollWidth > room(each) || low(each));
    const found = [...named, ...marks].filter((each) => each.checkVisibility() && cut(each));
    return found.map((each) => each.outerHTML.slice(0, 90));
}"""


def test_long_names_are_whole_and_so_is_what_stands_beside_them(calm: Visitor, stage: Stage) -> None:
    stage.enter(calm, "Ann")
    for state in ("held", "kozel pause", "kozel long", "kozel over"):
        stage.visit(calm, state)
        for width, height in ((360, 740), (740, 330), (1366, 650), (1440, 900)):
            calm.page.set_viewport_size({"width": width, "height": height})
            assert calm.page.evaluate(NAMES_CUT) == [], f"{state} {width}"


SHAPES = {(360, 740): "tall", (740, 330): "even", (1366, 650): "wide"}
"""The shape of felt that a window leaves to a table."""
LAID = """() => [...document.querySelectorAll("#board > svg")].filter((each) => each.checkVisibility()).map(
    (each) => each.getAttribute("class"))"""


@pytest.mark.parametrize("javascript", [True, False])
def test_the_line_is_laid_for_the_felt(new_visitor: NewVisitor, stage: Stage, *, javascript: bool) -> None:
    visitor, key = new_visitor(javascript=javascript, reduced_motion="reduce"), next(iter(offered()))
    for (width, height), shape in SHAPES.items():
        visitor.page.set_viewport_size({"width": width, "height": height})
        if not javascript:
            visitor.visit(stage.tables[f"{key} long"])
        elif shape == "tall":
            stage.visit(visitor, f"{key} long")
        expect(visitor.page.locator(f"#board > svg.{shape}")).to_be_visible()
        assert visitor.page.evaluate(LAID) == [shape]


def hand_is_in_sight(visitor: Visitor) -> bool:
    """Say whether all of one's own zone can be seen without scrolling."""
    box = visitor.page.locator("#hand").bounding_box()
    size = visitor.page.viewport_size
    assert box
    assert size
    return box["y"] >= 0 and box["y"] + box["height"] <= size["height"]
