"""A page translated by the browser still shows scripts' updates.

Translators put texts, also later ones, into elements of their own.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser import people
from tests.browser.typist import PREPARE_TABLE
from tests.browser.visitor import Visitor
from tests.server import Server

pytestmark = pytest.mark.site(PACE="0.1")

TRANSLATE = """respected => {
    const wrap = (text) => {
        const parent = text.parentElement;
        if (!text.data.trim() || !parent || parent.closest("font, svg, script, style")) return;
        if (respected && parent.closest(respected)) return;
        const outer = document.createElement("font");
        outer.append(document.createElement("font"));
        outer.firstChild.textContent = text.data;
        text.replaceWith(outer);
    };
    const translate = (root) => {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const texts = root.nodeType === Node.TEXT_NODE ? [root] : [];
        while (walker.nextNode()) texts.push(walker.currentNode);
        texts.forEach(wrap);
    };
    translate(document.body);
    const observer = new MutationObserver((changes) => changes.forEach((each) => each.addedNodes.forEach(translate)));
    observer.observe(document.body, { childList: true, subtree: true });
}"""
RESPECTED = pytest.mark.parametrize("respected", ["[translate=no]", ""], ids=["browser", "extension"])


@RESPECTED
def test_clock_runs_chat_appears_at_the_seat_and_names_stay(visitor: Visitor, site: Server, respected: str) -> None:
    session, address = site.run_code(
        PREPARE_TABLE.format('match_in_state([ann], stages.has_a_choice, variant="kozel")')
    )
    visitor.enter(session)
    people.visit_table(visitor, address)
    page = visitor.page
    page.evaluate(TRANSLATE, respected)
    name = page.locator("#seat0 .name")
    expect(name).to_have_attribute("translate", "no")
    if respected:
        expect(name.locator("font")).to_have_count(0)
    clock = page.locator("#clock")
    before = clock.inner_text()
    expect(clock).not_to_have_text(before)
    page.locator("#chat-text").fill("Nice move")
    page.locator("#chat-text").press("Enter")
    expect(page.locator(".bubble")).to_have_text("Nice move")


@RESPECTED
def test_step_number_is_updated(visitor: Visitor, site: Server, respected: str) -> None:
    session, address = site.run_code(PREPARE_TABLE.format('late_table(ann, "kozel")'))
    visitor.enter(session)
    visitor.visit(f"{address}review/?at=2")
    visitor.page.evaluate(TRANSLATE, respected)
    for _press in range(2):
        visitor.page.keyboard.press("ArrowRight")
    expect(visitor.page.locator(".review-at")).to_have_text(re.compile(r"^\s*Step\s+4 / \d+$"))
