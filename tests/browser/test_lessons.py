"""A lesson of every game, played in a browser from its first task to its last."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.lessons import lesson_of
from games.words import offered
from tests.browser.conftest import NewVisitor
from tests.browser.visitor import Window

WINDOWS = (Window("phone-light", 360, 740), Window("desk-dark", 1440, 900, "dark"))
TALL_AS_TILES = 150
"""Pixels that the table keeps at least, on a phone and at a desk."""


@pytest.mark.parametrize("variant", offered())
def test_a_lesson_is_played_through(new_visitor: NewVisitor, variant: str) -> None:
    visitor = new_visitor(width=360, height=740)
    page = visitor.page
    assert visitor.visit(f"/learn/{variant}/") == 200
    for task in lesson_of(variant):
        expect(page.locator("#lesson-title")).to_have_text(str(task.title))
        move = page.locator(f'#hand button[name="move"][value="{task.wanted[0]}"]')
        if not move.count():
            page.locator("#hand .fits[form=choose]").first.click()
            tile = page.locator("#hand .fits[form=choose]")
            for place in range(tile.count()):
                if place:
                    tile.nth(place).click()
                expect(page.locator("#choice")).to_be_visible()
                if move.count():
                    break
        move.first.evaluate("button => button.click()")
        expect(page.locator(".lesson-praise")).to_contain_text(str(task.praise))
        assert not visitor.scrolls_sideways()
        page.locator("#lesson-next").click()
    page.wait_for_url(f"**/?game={variant}")


def test_tasks_shut_nobody_out(new_visitor: NewVisitor) -> None:
    visitor = new_visitor(reduced_motion="reduce")
    for variant in offered():
        number = len(lesson_of(variant)) - 1
        move = lesson_of(variant)[number - 1].wanted[0]
        visitor.visit(f"/learn/{variant}/{number}/")
        for window in visitor.in_each(WINDOWS):
            board = visitor.page.locator(".felt").bounding_box()
            assert board is not None
            assert board["height"] > TALL_AS_TILES, f"{variant} {window.name}"
        assert visitor.complaints(WINDOWS) == []
        visitor.visit(f"/learn/{variant}/{number}/?move={move}")
        assert visitor.complaints(WINDOWS) == []
