"""What stands at the seats: the clock of the turn, and what numbers and marks mean."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.visitor import Visitor
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

LAY = """
from tests.browser import stages
from tests.games import tables
ann = tables.person("Ann")
terms = {"variant": "kozel", "bots": 3}
mine = stages.running([ann], stages.has_a_choice, **terms)
over = stages.running([ann, tables.person("Ben")], lambda state: bool(state.match_over), **terms | {"bots": 2})
answer = [stages.session(ann), f"/match/{mine.slug}/", f"/match/{over.slug}/"]
"""


class Tables(NamedTuple):
    """Ann's session, and the addresses of two of her tables."""

    session: str
    mine: str
    over: str

    def enter(self, visitor: Visitor) -> None:
        """Make the visitor Ann."""
        visitor.context.add_cookies([{"name": "sessionid", "value": self.session, "url": visitor.line.url}])


@pytest.fixture(scope="module")
def tables(site: Server) -> Tables:
    return Tables(*site.answer(LAY))


STOP_THE_TIME = """(left) => {
    const clock = document.getElementById("clock");
    const at = Number(left > 0 ? clock.dataset.free : clock.dataset.deadline) - Math.abs(left);
    window.ahead ??= Date.now() - performance.now();  // of the server, which runs on this machine
    performance.now = () => at - window.ahead;
}"""
"""So much before the end of the free time, or as a negative number before the end of all time."""
NOTE_THE_RING = """() => {
    window.gone = new Set();
    const note = () => {
        const ring = document.querySelector(".seat .ring rect");
        window.gone.add(-parseFloat(getComputedStyle(ring).strokeDashoffset));
        requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
}"""
WATCH_THE_CLOCK = """() => {
    const watched = { childList: true, characterData: true, subtree: true };
    window.changed = new Promise((done) => new MutationObserver((records) => done(records.map((each) => each.type)))
        .observe(document.getElementById("clock"), watched));
}"""
TURN = 30_000
PLATES = "() => [...document.querySelectorAll('.seat')].map((each) => JSON.stringify(each.getBoundingClientRect()))"
TICKED = "(gone) => Math.abs(gone + parseFloat(document.querySelector('.ring rect').style.strokeDashoffset)) < 0.1"


def test_a_clock_that_runs_changes_a_text_and_no_element(new_visitor: NewVisitor, tables: Tables) -> None:
    """For an element that comes or goes the browser works the style of the whole table out again: each second."""
    visitor = new_visitor()
    tables.enter(visitor)
    people.visit_table(visitor, tables.mine)
    visitor.page.evaluate(WATCH_THE_CLOCK)
    visitor.page.evaluate(STOP_THE_TIME, TURN / 3)
    assert set(visitor.page.evaluate("() => window.changed")) == {"characterData"}


def test_a_ring_round_the_seat_empties_with_the_turn_and_no_frame_moves_it(
    new_visitor: NewVisitor, tables: Tables
) -> None:
    visitor = new_visitor(width=360, height=740)
    tables.enter(visitor)
    people.visit_table(visitor, tables.mine)
    page, clock, said = visitor.page, visitor.page.locator("#clock"), visitor.page.locator("#hurry")
    before = page.evaluate(PLATES)
    page.evaluate(STOP_THE_TIME, TURN / 2)
    page.wait_for_function(TICKED, arg=0.5)
    page.evaluate(NOTE_THE_RING)
    page.set_viewport_size({"width": 740, "height": 330})  # another shape of felt: the server sends the table anew
    expect(page.locator("#board > svg.even")).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator("#board > svg.tall")).to_be_visible()
    assert len(page.evaluate("[...window.gone]")) == 1
    expect(clock).to_have_text(re.compile(r"^0:1\d \+ 2:00$"))
    expect(said).to_be_empty()
    page.evaluate(STOP_THE_TIME, -8000)
    expect(clock).to_have_text(re.compile(r"^([789]|10)$"))
    expect(said).to_have_text("Ten seconds left")
    assert page.evaluate(PLATES) == before


HOLD_THE_SOCKET = """window.WebSocket = class extends WebSocket {
    constructor(...given) {
        super(...given);
        const held = [];
        const hold = (event) => {
            if (this.stands) return;
            event.stopImmediatePropagation();
            held.push(event);
        };
        for (const kind of ["open", "message"]) this.addEventListener(kind, hold);
        window.letTheSocketStand = () => {
            this.stands = true;
            for (const event of held) this.dispatchEvent(new event.constructor(event.type, event));
        };
    }
    get readyState() {
        return this.stands ? super.readyState : WebSocket.CONNECTING;
    }
};"""


def test_a_window_that_is_turned_before_the_connection_stands_gets_the_table_for_its_felt(
    new_visitor: NewVisitor, tables: Tables
) -> None:
    visitor = new_visitor(width=740, height=330)
    visitor.context.add_init_script(HOLD_THE_SOCKET)
    page = visitor.page
    visitor.visit(tables.mine)
    page.wait_for_function("() => document.cookie.includes('shape=even')")
    page.set_viewport_size({"width": 360, "height": 740})
    page.wait_for_function("() => document.cookie.includes('shape=tall')")
    page.evaluate("() => window.letTheSocketStand()")
    expect(page.locator("#board > svg.tall")).to_be_visible()


def test_without_motion_the_ring_goes_by_the_second(new_visitor: NewVisitor, tables: Tables) -> None:
    calm = new_visitor(reduced_motion="reduce")
    people.visit_table(calm, tables.mine)
    calm.page.evaluate(STOP_THE_TIME, TURN / 2 + 500)
    calm.page.wait_for_function(TICKED, arg=14 / 30)
    calm.page.evaluate(NOTE_THE_RING)
    calm.page.wait_for_function("() => window.gone.size")
    seconds = [part * 30 for part in calm.page.evaluate("[...window.gone]")]  # two, if the page learns a better time
    assert seconds == pytest.approx([round(second) for second in seconds], abs=1e-3)
    calm.page.evaluate(STOP_THE_TIME, -8000)
    expect(calm.page.locator("#clock")).to_be_visible()
    expect(calm.page.locator("#hurry")).to_be_empty()


REACHED = """(button) => {
    const box = button.getBoundingClientRect();
    const [right, middle] = [box.right - 1, box.y + box.height / 2];
    const around = [[0, -20], [0, 20], [-42, -20], [-42, 20]];
    return around.every(([by, down]) => document.elementFromPoint(right + by, middle + down) === button);
}"""
BESIDE = """([at, told]) => {
    const [one, other] = [at, told].map((each) => document.querySelector(each).getBoundingClientRect());
    const inside = other.left >= 0 && other.top >= 0 && other.right <= innerWidth;
    const across = other.left <= one.right && other.right >= one.left;
    const gap = Math.min(Math.abs(other.top - one.bottom), Math.abs(one.top - other.bottom));
    return inside && other.bottom <= innerHeight && across && gap < 10;
}"""


WITHOUT_ANCHORS = """
const sheet = new CSSStyleSheet();
sheet.replaceSync("[popover] { position-area: none !important; position-try-fallbacks: none !important }");
document.adoptedStyleSheets = [sheet];
CSS.supports = (asked) => asked !== "position-area";
"""
"""As in a browser whose style sheets place nothing beside something else."""


@pytest.mark.parametrize("how", ["by the style sheet", "by a script", "without scripts"])
def test_a_number_at_a_seat_says_what_it_means_at_the_number(
    new_visitor: NewVisitor, tables: Tables, how: str
) -> None:
    visitor = new_visitor(width=360, height=740, javascript=how != "without scripts", reduced_motion="reduce")
    page = visitor.page
    if how == "by a script":
        visitor.context.add_init_script(WITHOUT_ANCHORS)
    tables.enter(visitor)
    visitor.visit(tables.over)
    for number in page.locator(".seat button[popovertarget]:visible").all():
        told = f"#{number.get_attribute('popovertarget')}"
        number.focus()
        page.keyboard.press("Enter")
        expect(page.locator(told)).to_be_visible()
        at = f"#{number.locator('xpath=ancestor::li').get_attribute('id')} [popovertarget={told[1:]}]"
        page.wait_for_function(BESIDE, arg=[at, told])
        page.keyboard.press("Escape")
        expect(page.locator(told)).to_be_hidden()
    page.locator(".mark-lost").first.click()
    expect(page.locator("#about-loser")).to_have_text(re.compile("^the goatThe goat: a player who"))
    page.mouse.click(180, 730)
    expect(page.locator("#about-loser")).to_be_hidden()
    assert page.locator(".seat .score").first.evaluate(REACHED)
    if how != "without scripts":
        account = page.locator(".seat .score-account").first  # some players end a match without an account
        seat = account.locator("xpath=ancestor::li").get_attribute("id")
        account.hover()
        expect(page.locator("#about-account")).to_have_text(re.compile(r"^account\d+Every point"))
        page.wait_for_function(BESIDE, arg=[f"#{seat} .score", "#about-account"])
        assert visitor.accessibility_violations() == []


@pytest.mark.parametrize("how", ["by the style sheet", "by a script"])
def test_a_number_of_the_score_table_opens_into_its_terms_at_the_number(
    new_visitor: NewVisitor, tables: Tables, how: str
) -> None:
    calm = new_visitor(reduced_motion="reduce")
    if how == "by a script":
        calm.context.add_init_script(WITHOUT_ANCHORS)
    calm.visit(tables.over + "scores/")
    number = calm.page.locator(".score-table button").first
    number.click()
    told = number.get_attribute("popovertarget")
    calm.page.wait_for_function(BESIDE, arg=[f"[popovertarget={told}]", f"#{told}"])
    expect(calm.page.locator(f"#{told} > b")).to_have_text(re.compile(r"^this round: \d+$"))
