"""The words of every language have room on a narrow phone: at a table, in the settings and in the rules."""

from __future__ import annotations

from typing import Any

import pytest

from games.words import offered_variants
from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.test_languages import LANGUAGES
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

PREPARE_TABLES = """
from games.engine.moves import Draw
from tests.browser import stages
from tests.games import tables

ann = tables.person("Ann")


def must_draw(state):
    return state.round.to_move == 0 and stages.legal_moves(state) == (Draw(),)


def is_over(state):
    return bool(state.match_over)


matches = {
    **{f"{key} draw": stages.match_in_state([ann], must_draw, variant=key) for key in ("triominoes", "all_fives")},
    **{f"{key} over": stages.match_in_state([ann], is_over, variant=key) for key in ("gamezz", "rytmino")},
}
answer = {
    "session": stages.log_in(ann),
    "tables": {state: f"/match/{match.slug}/" for state, match in matches.items()},
}
"""
MAX_PROMPT_LINES = 3  # more would cover tiles on the table
# A long prompt, a mark that covers the number of tiles to draw, broken words and captions that are cut off.
CRAMPED_TEXTS = """maxLines => {
    const visible = (selector) => [...document.querySelectorAll(selector)].filter((part) => part.checkVisibility());
    const linesOf = (text, start, end) => {
        const range = document.createRange();
        range.setStart(text, start);
        range.setEnd(text, end);
        return [...range.getClientRects()].filter((box) => box.width).map((box) => Math.round(box.top));
    };
    const textsOf = (part) => {
        const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
        const texts = [];
        while (walker.nextNode()) texts.push(walker.currentNode);
        return texts;
    };
    const isLong = (prompt) =>
        new Set(textsOf(prompt).flatMap((text) => linesOf(text, 0, text.length))).size > maxLines;
    const isBroken = (part) => textsOf(part).some((text) =>
        [...text.data.matchAll(/\\S+/g)].some(({ 0: word, index }) =>
            !word.includes("\\u00ad") && new Set(linesOf(text, index, index + word.length)).size > 1));
    const isCovered = (part) => visible(".mark").some((mark) => {
        const [own, other] = [part.getBoundingClientRect(), mark.getBoundingClientRect()];
        return own.left < other.right && other.left < own.right && own.top < other.bottom && other.top < own.bottom;
    });
    return [
        ...visible("#task").filter(isLong),
        ...visible(".boneyard").filter(isCovered),
        ...visible(".score-table thead th:first-child, .task > .act, .choice").filter(isBroken),
        ...visible(".scroll-x caption").filter((part) =>
            part.getBoundingClientRect().right > part.closest(".scroll-x").getBoundingClientRect().right),
    ].map((part) => part.textContent.trim());
}"""


@pytest.fixture(scope="module")
def sample(site: Server) -> dict[str, Any]:
    return site.run_code(PREPARE_TABLES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_table_has_room_for_the_words(new_visitor: NewVisitor, sample: dict[str, Any], language: str) -> None:
    visitor = new_visitor(width=360, height=740, language=language, reduced_motion="reduce")
    visitor.enter(sample["session"])
    problems = {}
    for state, address in sample["tables"].items():
        people.visit_table(visitor, address)
        problems[state] = visitor.page.evaluate(CRAMPED_TEXTS, MAX_PROMPT_LINES)
        if "over" in state:
            visitor.visit(f"{address}review/?at=20")
            problems[f"{state}, review"] = visitor.page.evaluate(CRAMPED_TEXTS, MAX_PROMPT_LINES)
    assert {state: texts for state, texts in problems.items() if texts} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_settings_and_rules_have_room_for_the_words(
    new_visitor: NewVisitor, sample: dict[str, Any], language: str
) -> None:
    visitor = new_visitor(width=360, height=740, language=language, javascript=False)
    visitor.enter(sample["session"])
    problems = {}
    for page in ("/accounts/settings/", *(f"/rules/{key}/" for key in offered_variants())):
        visitor.visit(page)
        problems[page] = visitor.page.evaluate(CRAMPED_TEXTS, MAX_PROMPT_LINES)
    assert {page: texts for page, texts in problems.items() if texts} == {}
