"""The seats: the clock of the turn, and explanations of numbers and marks."""

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

PREPARE_TABLE = """
from tests.browser import stages
from tests.games import tables
ann = tables.person("Ann")
terms = {"variant": "kozel", "bots": 3}
mine = stages.match_in_state([ann], stages.has_a_choice, **terms)
over = stages.match_in_state([ann, tables.person("Ben")], lambda state: bool(state.match_over), **terms | {"bots": 2})
answer = [stages.log_in(ann), f"/match/{mine.slug}/", f"/match/{over.slug}/"]
"""


class Tables(NamedTuple):
    """Ann's session, and the addresses of two of her tables."""

    session: str
    mine: str
    over: str

    def enter(self, visitor: Visitor) -> None:
        """Make the visitor Ann."""
        visitor.enter(self.session)


@pytest.fixture(scope="module")
def tables(site: Server) -> Tables:
    return Tables(*site.run_code(PREPARE_TABLE))


# Stops the clock that long before the end of the free time or, with a negative number, of all time.
STOP_CLOCK = """(left) => {
    const clock = document.getElementById("clock");
    const at = Number(left > 0 ? clock.dataset.free : clock.dataset.deadline) - Math.abs(left);
    window.ahead ??= Date.now() - performance.now();  // of the server, which runs on this machine
    performance.now = () => at - window.ahead;
}"""
RECORD_RING = """() => {
    window.gone = new Set();
    const note = () => {
        const ring = document.querySelector(".seat .ring rect");
        window.gone.add(-parseFloat(getComputedStyle(ring).strokeDashoffset));
        requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
}"""
WATCH_CLOCK = """() => {
    const watched = { childList: true, characterData: true, subtree: true };
    window.changed = new Promise((done) => new MutationObserver((records) => done(records.map(({ type }) => type)))
        .observe(document.getElementById("clock"), watched));
}"""
TURN_MS = 30_000
PLATES = "() => [...document.querySelectorAll('.seat')].map((seat) => JSON.stringify(seat.getBoundingClientRect()))"
RING_SHOWS = "(gone) => Math.abs(gone + parseFloat(document.querySelector('.ring rect').style.strokeDashoffset)) < 0.1"


def test_running_clock_changes_text_but_no_elements(new_visitor: NewVisitor, tables: Tables) -> None:
    """Adding or removing elements would make the browser recalculate the table's styles every second."""
    visitor = new_visitor()
    tables.enter(visitor)
    people.visit_table(visitor, tables.mine)
    visitor.page.evaluate(WATCH_CLOCK)
    visitor.page.evaluate(STOP_CLOCK, TURN_MS / 3)
    assert set(visitor.page.evaluate("() => window.changed")) == {"characterData"}


def test_ring_empties_with_the_turn_and_frames_do_not_move_it(new_visitor: NewVisitor, tables: Tables) -> None:
    visitor = new_visitor(width=360, height=740)
    tables.enter(visitor)
    people.visit_table(visitor, tables.mine)
    page, clock, warning = visitor.page, visitor.page.locator("#clock"), visitor.page.locator("#hurry")
    before = page.evaluate(PLATES)
    page.evaluate(STOP_CLOCK, TURN_MS / 2)
    page.wait_for_function(RING_SHOWS, arg=0.5)
    page.evaluate(RECORD_RING)
    page.set_viewport_size({"width": 740, "height": 360})  # another shape of felt: the server sends the table again
    expect(page.locator("#board > svg.even")).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator("#board > svg.tall")).to_be_visible()
    assert len(page.evaluate("[...window.gone]")) == 1
    expect(clock).to_have_text(re.compile(r"^0:1\d$"))
    expect(warning).to_be_empty()
    page.evaluate(STOP_CLOCK, -8000)
    expect(clock).to_have_text(re.compile(r"^([789]|10)$"))
    expect(warning).to_have_text("Ten seconds left")
    assert page.evaluate(PLATES) == before


DELAY_SOCKET = """window.WebSocket = class extends WebSocket {
    constructor(...options) {
        super(...options);
        const delayed = [];
        const delay = (event) => {
            if (this.isOpen) return;
            event.stopImmediatePropagation();
            delayed.push(event);
        };
        for (const kind of ["open", "message"]) this.addEventListener(kind, delay);
        window.openSocket = () => {
            this.isOpen = true;
            for (const event of delayed) this.dispatchEvent(new event.constructor(event.type, event));
        };
    }
    get readyState() {
        return this.isOpen ? super.readyState : WebSocket.CONNECTING;
    }
};"""


def test_window_rotated_before_the_connection_opens_gets_the_right_layout(
    new_visitor: NewVisitor, tables: Tables
) -> None:
    visitor = new_visitor(width=740, height=360)
    visitor.page.add_init_script(DELAY_SOCKET)
    page = visitor.page
    visitor.visit(tables.mine)
    page.wait_for_function("() => document.cookie.includes('shape=even')")
    page.set_viewport_size({"width": 360, "height": 740})
    page.wait_for_function("() => document.cookie.includes('shape=tall')")
    page.evaluate("() => window.openSocket()")
    expect(page.locator("#board > svg.tall")).to_be_visible()


def test_ring_steps_by_seconds_with_reduced_motion(new_visitor: NewVisitor, tables: Tables) -> None:
    calm = new_visitor(reduced_motion="reduce")
    people.visit_table(calm, tables.mine)
    calm.page.evaluate(STOP_CLOCK, TURN_MS / 2 + 500)
    calm.page.wait_for_function(RING_SHOWS, arg=14 / 30)
    calm.page.evaluate(RECORD_RING)
    calm.page.wait_for_function("() => window.gone.size")
    # two, if the page measures a better offset
    seconds = [part * 30 for part in calm.page.evaluate("[...window.gone]")]
    assert seconds == pytest.approx([round(second) for second in seconds], abs=1e-3)
    calm.page.evaluate(STOP_CLOCK, -8000)
    expect(calm.page.locator("#clock")).to_be_visible()
    expect(calm.page.locator("#hurry")).to_be_empty()


IS_TARGET_LARGE = """(button) => {
    const box = button.getBoundingClientRect();
    const [right, middle] = [box.right - 1, box.y + box.height / 2];
    const around = [[0, -20], [0, 20], [-42, -20], [-42, 20]];
    return around.every(([by, down]) => document.elementFromPoint(right + by, middle + down) === button);
}"""
IS_ADJACENT = """([at, popover_id]) => {
    const [one, other] = [at, popover_id].map((element) => document.querySelector(element).getBoundingClientRect());
    const inside = other.left >= 0 && other.top >= 0 && other.right <= innerWidth;
    const across = other.left <= one.right && other.right >= one.left;
    const gap = Math.min(Math.abs(other.top - one.bottom), Math.abs(one.top - other.bottom));
    return inside && other.bottom <= innerHeight && across && gap < 10;
}"""


# Simulates a browser without anchor positioning.
OPENED_BY_MOUSE_MS = 600  # by then a number under the mouse has opened its explanation
WITHOUT_ANCHORS = """
const sheet = new CSSStyleSheet();
sheet.replaceSync("[popover] { position-area: none !important; position-try-fallbacks: none !important }");
document.adoptedStyleSheets = [sheet];
CSS.supports = (property) => property !== "position-area";
"""


@pytest.mark.parametrize("how", ["by the style sheet", "by a script", "without scripts"])
def test_seat_number_opens_its_explanation_next_to_it(new_visitor: NewVisitor, tables: Tables, how: str) -> None:
    visitor = new_visitor(width=360, height=740, javascript=how != "without scripts", reduced_motion="reduce")
    page = visitor.page
    if how == "by a script":
        visitor.page.add_init_script(WITHOUT_ANCHORS)
    tables.enter(visitor)
    visitor.visit(tables.over)
    for number in page.locator(".seat button[popovertarget]:visible").all():
        popover_id = f"#{number.get_attribute('popovertarget')}"
        number.focus()
        page.keyboard.press("Enter")
        expect(page.locator(popover_id)).to_be_visible()
        at = f"#{number.locator('xpath=ancestor::li').get_attribute('id')} [popovertarget={popover_id[1:]}]"
        page.wait_for_function(IS_ADJACENT, arg=[at, popover_id])
        page.keyboard.press("Escape")
        expect(page.locator(popover_id)).to_be_hidden()
    page.locator(".mark-lost").first.click()
    expect(page.locator("#about-loser")).to_have_text(re.compile("^the goatThe goat: a player who"))
    page.mouse.click(180, 730)
    expect(page.locator("#about-loser")).to_be_hidden()
    assert page.locator(".seat .score").first.evaluate(IS_TARGET_LARGE)
    if how != "without scripts":
        account = page.locator(".seat .score-account").first  # some players end a match without an account
        seat = account.locator("xpath=ancestor::li").get_attribute("id")
        account.hover()
        expect(page.locator("#about-account")).to_have_text(re.compile(r"^account\d+Every point"))
        page.wait_for_function(IS_ADJACENT, arg=[f"#{seat} .score", "#about-account"])
        assert visitor.accessibility_violations() == []


@pytest.mark.parametrize("how", ["by the style sheet", "by a script"])
def test_score_table_number_opens_its_terms_next_to_it(new_visitor: NewVisitor, tables: Tables, how: str) -> None:
    calm = new_visitor(reduced_motion="reduce")
    if how == "by a script":
        calm.page.add_init_script(WITHOUT_ANCHORS)
    calm.visit(tables.over + "scores/")
    number = calm.page.locator(".score-table button").first
    number.click()
    popover_id = number.get_attribute("popovertarget")
    calm.page.wait_for_function(IS_ADJACENT, arg=[f"[popovertarget={popover_id}]", f"#{popover_id}"])
    expect(calm.page.locator(f"#{popover_id} > b")).to_have_text(re.compile(r"^this round: \d+$"))
    calm.page.keyboard.press("Escape")
    calm.page.wait_for_timeout(OPENED_BY_MOUSE_MS)
    expect(calm.page.locator(f"#{popover_id}")).to_be_hidden()  # the mouse still rests on the number
