"""Every language fits a narrow phone: no page is wider than the screen, and no button is cut."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest
from django.conf import settings

from tests.browser.conftest import NewVisitor
from tests.browser.visitor import Visitor
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock", INCOMPLETE_LANGUAGES="1", alone=True)

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "en"]
PREPARE_PAGES = """
from tests.browser.stages import log_in
from tests.language_pages import prepare_sample

sample = prepare_sample()
answer = {
    "general": sample.general_pages,
    "of games": [*sample.pages_of_games.values()],
    "own": sample.own_pages,
    "session": log_in(sample.player),
}
"""
CUT_BUTTONS = """() => [...document.querySelectorAll("button, .button")]
    .filter((button) => button.checkVisibility() && button.clientWidth > 1)
    .filter((button) => button.scrollWidth > button.clientWidth + 1)
    .map((button) => button.textContent.trim())"""


@pytest.fixture(scope="module")
def sample(site: Server) -> dict[str, Any]:
    return site.run_code(PREPARE_PAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_fit_a_narrow_phone(new_visitor: NewVisitor, sample: dict[str, Any], language: str) -> None:
    """Every language has pages of each kind; those of a game are in one language."""
    visitor = new_visitor(width=320, height=640, language=language, javascript=False)
    of_games = sample["of games"]
    own_games = of_games[LANGUAGES.index(language) % len(of_games) :: len(LANGUAGES)]
    problems = {page: problems_of(visitor, page) for page in [*sample["general"], *chain(*own_games)]}
    visitor.enter(sample["session"])
    problems |= {f"player: {page}": problems_of(visitor, page) for page in sample["own"]}
    assert {page: faults for page, faults in problems.items() if faults} == {}


def problems_of(visitor: Visitor, page: str) -> list[str]:
    assert visitor.visit(page) == 200
    cut_buttons: list[str] = visitor.page.evaluate(CUT_BUTTONS)
    return cut_buttons + ["wider than the screen"] * visitor.scrolls_sideways()
