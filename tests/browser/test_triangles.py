"""Triominoes: a bridge is previewed before it is built, on a phone, by keyboard and without scripts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.people import await_connection
from tests.browser.visitor import Visitor
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

# Prepares a table where seat 0 is to move and has a tile that fits twice: ``anywhere``, or one that builds a
# ``bridge``.
PREPARE_TABLE = """
from collections import Counter
from django.test import Client
from games.engine.moves import Play
from games.engine.tiles import tile_text
from games.engine.variants import rules_for
from tests.games import tables

RULES = rules_for("triominoes")

def bridge(state, move):
    return any(term.rule == "triominoes.bridge" for term in RULES.play_points(state.round, move).terms)

def choice(state, condition):
    if state.round.to_move != 0:
        return None
    plays = [move for move in RULES.legal_moves(state) if isinstance(move, Play)]
    often = Counter(move.tile for move in plays)
    return next((move for move in plays if often[move.tile] > 1 and condition(state, move)), None)

def prepare(condition):
    while True:
        match = tables.running_table([ann], bots=1, variant="triominoes", clock="none")
        state = tables.play_until(match, lambda state: choice(state, condition) or len(state.round.plays) > 30)
        if move := choice(state, condition):
            return {"address": f"/match/{match.slug}/", "tile": tile_text(move.tile), "move": move.place}

ann = tables.person("Ann")
client = Client()
client.force_login(ann)
anywhere = lambda state, move: True
answer = {"session": client.cookies["sessionid"].value, **prepare(%s)}
"""


def sit(new_visitor: NewVisitor, site: Server, condition: str, **window: Any) -> tuple[Visitor, dict[str, Any]]:
    """Visit a table and choose the tile that fits twice."""
    visitor, table = new_visitor(**window), site.run_code(PREPARE_TABLE % condition)
    visitor.enter(table["session"])
    visitor.visit(table["address"])
    if window.get("javascript", True):
        await_connection(visitor)
    visitor.page.locator(f"#hand [aria-label^='{table['tile']}']").click()
    expect(visitor.page.locator("#spots .place").nth(1)).to_be_attached()
    return visitor, table


def on_the_table(visitor: Visitor, table: dict[str, Any]) -> None:
    """Expect the tile to lie as in its preview."""
    name = table["move"][0].lower() + table["move"][-5:].replace("/", "")
    expect(visitor.page.locator(f"#board use[href='#{name}']:has(+ [data-by])")).to_be_attached()


def visible_places(visitor: Visitor) -> list[str]:
    """The placements visible as buttons."""
    places = visitor.page.locator("#choice .act")
    boxes = [place.bounding_box() for place in places.all()]
    return [place.inner_text() for place, box in zip(places.all(), boxes, strict=True) if box and box["width"] > 1]


def test_bridge_preview_shows_its_outline_and_points(new_visitor: NewVisitor, site: Server) -> None:
    visitor, table = sit(new_visitor, site, "bridge", width=360, height=740)
    page = visitor.page
    assert len(visible_places(visitor)) == 1
    expect(page.locator("#spots .near + .look")).to_be_visible()
    expect(page.locator("#choice .try")).to_have_text("Choose a gold spot for a preview")
    page.locator(f"#spots [data-move='{table['move']}']").hover()
    expect(page.locator("#spots .near")).to_have_attribute("data-move", table["move"])
    look = page.locator("#spots .near + .look")
    expect(look.locator("path.built")).to_be_visible()
    expect(look.locator("circle.built")).to_be_visible()
    points = (look.locator(".gain").text_content() or "").removeprefix("+")
    expect(page.locator("#choice .on")).to_have_accessible_name(re.compile("^Place here: ?\\w"))
    expect(page.locator("#choice .on small")).to_have_text(f"bridge, {int(points) - 40} + 40 = {points} points")
    assert len(visible_places(visitor)) == 1
    assert visitor.accessibility_violations() == []
    assert not visitor.scrolls_sideways()
    page.locator("#choice .on").click()
    on_the_table(visitor, table)


def test_every_place_is_reached_and_previewed_by_keyboard(new_visitor: NewVisitor, site: Server) -> None:
    visitor, table = sit(new_visitor, site, "anywhere")
    page = visitor.page
    count = page.locator("#choice .act").count()
    for key in ["ArrowRight"] * count + ["ArrowLeft"] * count:
        page.keyboard.press(key)
        assert len(visible_places(visitor)) == 1
        if page.locator("#choice .on").get_attribute("value") == table["move"]:
            break
    page.keyboard.press("Enter")
    on_the_table(visitor, table)


def test_places_are_listed_as_text_without_scripts(new_visitor: NewVisitor, site: Server) -> None:
    visitor, table = sit(new_visitor, site, "anywhere", width=360, height=740, javascript=False)
    assert all(" of " in name or "Above " in name or "Below " in name for name in visible_places(visitor))
    assert len(visible_places(visitor)) == visitor.page.locator("#spots .place").count()
    assert not visitor.scrolls_sideways()
    visitor.page.locator(f"#choice [value='{table['move']}']").click()
    on_the_table(visitor, table)
