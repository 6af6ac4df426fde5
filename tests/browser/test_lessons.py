"""A lesson of every game, played in a browser from the first task to the last."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from games.lessons import lesson_of
from games.templatetags.rules import unbroken_tiles
from games.words import offered_variants
from tests.browser.conftest import NewVisitor
from tests.browser.visitor import PHONE, THEMES, Visitor, Window
from tests.server import Server

MISTAKEN = """
from games.puzzles.mistakes import mistakes_of_seat
from tests.games.test_mistakes import client_of, match_with_report

match, report, _seat = match_with_report("kozel", 40)
seat = next(seat for seat in range(1, match.seat_count) if mistakes_of_seat(report, seat))
session = client_of(match, seat).cookies["sessionid"].value
answer = [f"/match/{match.slug}/", session, mistakes_of_seat(report, seat)[0].best]
"""
DESK = Window("desk", 1440, 900)
TELEPHONES = (PHONE, Window("small", 375, 553), Window("on its side", 740, 330))
TALL_AS_TILES = 150  # smallest height of the table in pixels, on a phone and on a desktop
OUT_OF_SIGHT = """() => [...document.querySelectorAll(".lesson-say, #lesson-text, .felt, #hand button, #notice")]
    .filter((each) => each.getBoundingClientRect().bottom > innerHeight || each.getBoundingClientRect().top < 0)
    .map((each) => each.id || each.className)"""
COVERED = """() => {
    const box = document.getElementById("lesson-text").getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.bottom - 3);
    return !document.querySelector(".lesson-say").contains(top);
}"""


@pytest.mark.parametrize("variant", offered_variants())
def test_lesson_is_played_through(new_visitor: NewVisitor, variant: str) -> None:
    play_lesson(new_visitor(width=375, height=553), variant)


def play_lesson(visitor: Visitor, variant: str) -> None:
    """Solve all tasks of a lesson in the active language."""
    page = visitor.page
    assert visitor.visit(f"/learn/{variant}/") == 200
    for task in lesson_of(variant):
        expect(page.locator("#lesson-title")).to_have_text(str(task.title))
        page.wait_for_load_state("domcontentloaded")  # the hand comes after the title
        assert page.evaluate(OUT_OF_SIGHT) == [], task.title
        move = page.locator(f'#hand button[name="move"][value="{task.solutions[0]}"]')
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
        expect(page.locator(".lesson-praise")).to_contain_text(unbroken_tiles(str(task.praise)))
        assert not visitor.scrolls_sideways()
        page.locator("#lesson-next").click()
    page.wait_for_url(f"**/?game={variant}")


def test_phone_shows_task_table_and_hand_together(new_visitor: NewVisitor) -> None:
    visitor = new_visitor(width=360, height=740)
    for variant in offered_variants():
        texts = [str(task.text) for task in lesson_of(variant)]
        visitor.visit(f"/learn/{variant}/{texts.index(max(texts, key=len)) + 1}/?move=draw")
        for window in visitor.each_window(TELEPHONES):
            assert visitor.page.evaluate(OUT_OF_SIGHT) == [], f"{variant} {window.name}"
            assert not visitor.page.evaluate(COVERED), f"{variant} {window.name}"
            expect(visitor.page.locator(".site-header")).to_be_hidden()


def test_named_tile_is_highlighted_until_chosen(new_visitor: NewVisitor) -> None:
    page = (visitor := new_visitor(width=375, height=553, reduced_motion="no-preference")).page
    visitor.visit("/learn/rytmino/1/")
    expect(page.locator(".named")).to_have_attribute("id", "h31")
    assert page.locator(".named").evaluate("tile => getComputedStyle(tile).animationName") == "beat"
    page.emulate_media(reduced_motion="reduce")
    styles = "tile => [getComputedStyle(tile).animationName, getComputedStyle(tile).outlineStyle]"
    assert page.locator(".named").evaluate(styles) == ["none", "solid"]
    page.locator(".named").click()
    expect(page.locator("#choice")).to_be_visible()
    assert page.locator(".named[aria-pressed]").evaluate("tile => getComputedStyle(tile).animationName") == "none"


def test_phone_menu_opens_the_game_in_a_minute(new_visitor: NewVisitor) -> None:
    page = (visitor := new_visitor(width=375, height=553)).page
    visitor.visit("/learn/kozel/1/")
    page.locator(".corner-menu > summary").click()
    page.locator(".corner-menu").get_by_role("button", name="How to play").click()
    expect(page.locator("#rules-sheet")).to_be_visible()
    page.locator("#rules-sheet").get_by_role("button", name="Close").click()
    expect(page.locator("#rules-sheet")).to_be_hidden()
    expect(page.locator(".corner-menu")).not_to_have_attribute("open", "")


def test_keyboard_continues_from_the_played_tile(new_visitor: NewVisitor) -> None:
    page = (visitor := new_visitor()).page
    visitor.visit("/learn/kozel/1/")
    page.keyboard.press("1")
    expect(page.locator("#hand .fits[aria-pressed=true]")).to_be_attached()
    page.locator("#hand .fits").first.press("Enter")
    expect(page.locator("#lesson-next")).to_be_focused()


def test_tasks_are_accessible(new_visitor: NewVisitor) -> None:
    visitor = new_visitor(reduced_motion="reduce")
    for variant in offered_variants():
        number = len(lesson_of(variant)) - 1
        visitor.visit(f"/learn/{variant}/{number}/")
        for window in visitor.each_window((DESK, PHONE)):
            board = visitor.page.locator(".felt").bounding_box()
            assert board is not None
            assert board["height"] > TALL_AS_TILES, f"{variant} {window.name}"
        assert visitor.page_problems([PHONE]) == []
    visitor.visit(f"/learn/{variant}/{number}/?move={lesson_of(variant)[number - 1].solutions[0]}")
    assert visitor.page_problems(THEMES) == []


def test_puzzle_of_today_is_solved(new_visitor: NewVisitor, site: Server) -> None:
    visitor = new_visitor(reduced_motion="reduce")
    page = visitor.page
    visitor.visit("/puzzles/")
    page.get_by_role("link", name="Kozel", exact=True).click()
    day = page.url.rstrip("/").rpartition("/")[2]
    best = site.run_code(
        "from games.models import PuzzleDay\n"
        "from games.puzzles import puzzle_from_data\n"
        f"row = PuzzleDay.objects.get(variant='kozel', day='{day}')\n"
        "answer = puzzle_from_data(row.puzzle.data).moves[0].move"
    )
    page.locator(f'#hand .fits[form=choose][value="{best.partition(" ")[0]}"]').click()
    move = page.locator(f'#hand button[name="move"][value="{best}"]')
    expect(move.first).to_be_attached()
    move.first.evaluate("button => button.click()")
    expect(page.locator(".lesson-praise")).to_contain_text("points more than the next best move.")
    page.get_by_text("What each move is worth").click()
    expect(page.get_by_text(re.compile(r"\d+ possible deals"))).to_be_visible()
    assert visitor.page_problems([PHONE]) == []


def test_mistake_of_a_match_is_replayed(new_visitor: NewVisitor, site: Server) -> None:
    """Uses a prepared report; other tests cover its creation."""
    address, session, best = site.run_code(MISTAKEN)
    visitor = new_visitor(reduced_motion="reduce")
    visitor.own_context.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])
    page = visitor.page
    visitor.visit(f"{address}review/")
    page.get_by_role("link", name=re.compile("Play your .*mistake")).click()
    expect(page.locator("#lesson-title")).to_contain_text("Mistake 1 of")
    assert visitor.page_problems([PHONE]) == []
    visitor.resize_to(PHONE)
    own = page.locator("#match").get_attribute("data-viewer")
    expect(page.locator(f"#seat{own}")).to_be_hidden()
    expect(page.locator(f".seat:not(#seat{own}):visible")).to_have_count(page.locator(".seat").count() - 1)
    choose = page.locator(f'#hand .fits[form=choose][value="{best.partition(" ")[0]}"]')
    if choose.count():  # it has several places
        choose.click()
    move = page.locator(f'#hand button[name="move"][value="{best}"]')
    expect(move.first).to_be_attached()
    move.first.evaluate("button => button.click()")
    expect(page.locator(".lesson-praise")).to_contain_text("more of 100 such matches than your move.")
    expect(page.get_by_text("1 fixed")).to_be_visible()
    page.get_by_text("What each move is worth").click()
    assert visitor.page_problems([PHONE]) == []
