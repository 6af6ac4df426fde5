"""Tables prepared for a move, and the player's hand as the page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.visitor import Visitor
from tests.server import Server

# Prepares a table where seat 0 has the turn and holds a tile that fits at both ends, one that fits at one end, and one
# that does not fit. At most five tiles have been played. The shortest blocked line has ten, so the round cannot end
# before the next turn of seat 0.
# The table has a chat line: without one, a table with bots only has no chat.
PREPARE_TABLE = """
from collections import Counter
from django.test import Client
from games.engine.moves import Play
from games.engine.variants import rules_for
from tests.games import tables

def is_suitable(state):
    places = Counter(move.tile for move in rules_for("kozel").legal_moves(state) if isinstance(move, Play))
    every_kind = {1, 2} <= set(places.values()) and len(places) < len(state.hands[0])
    return state.round.to_move == 0 and 2 < len(state.round.plays) < 6 and every_kind

def prepare_match(user):
    while True:
        match = tables.running_table([user], bots=3, clock="none")
        if not tables.play_until(match, is_suitable).match_over:
            match.messages.create(name="Ben", text="Good luck")
            return match.slug

def session(user):
    client = Client()
    client.force_login(user)
    return client.session.session_key

def prepare_table(**fields):
    ann = tables.person("Ann", **fields)
    return [session(ann), prepare_match(ann)]
"""


@dataclass(frozen=True)
class Hand:
    """The player's tiles as the page shows them."""

    visitor: Visitor

    @property
    def page(self) -> Page:
        return self.visitor.page

    @property
    def tiles(self) -> Locator:
        return self.page.locator("#hand .tiles button")

    @property
    def fitting_once(self) -> Locator:
        return self.page.locator("#hand .fits[name=move]").first

    @property
    def fitting_twice(self) -> Locator:
        return self.page.locator("#hand .fits[form=choose]").first

    @property
    def marks(self) -> Locator:
        return self.page.locator("#spots .place")

    @property
    def places(self) -> Locator:
        return self.page.locator("#choice button")

    def digit(self, tile: Locator) -> str:
        """Return the key that chooses the tile."""
        return str([tile_name(button) for button in self.tiles.all()].index(tile_name(tile)) + 1)

    def board_tile(self, tile: str) -> Locator:
        """Return the tile on the table, in either orientation."""
        names = {"".join(halves) for halves in (tile.split("-"), tile.split("-")[::-1])}
        turns = [f"#board [href='#{sprite}{name}']:visible" for name in sorted(names) for sprite in "su"]
        return self.page.locator(", ".join(turns))

    def expect_played(self, tile: str) -> None:
        """Expect the tile to be on the table and no longer in the hand."""
        expect(self.board_tile(tile)).to_be_attached()
        expect(self.page.locator(f"#h{tile.replace('-', '')}")).to_have_count(0)


def sit_at_prepared_table(new_visitor: NewVisitor, site: Server, *, two_taps: bool = False, **window: Any) -> Hand:
    """Sit somebody down at a table of their own."""
    visitor = new_visitor(**window)
    session, slug = site.run_code(f"{PREPARE_TABLE}\nanswer = prepare_table(two_taps={two_taps})")
    visitor.enter(session)
    assert visitor.visit(f"/match/{slug}/") == 200
    if window.get("javascript", True):
        people.await_connection(visitor)
    return Hand(visitor)


def tile_name(tile: Locator) -> str:
    return (tile.get_attribute("aria-label") or "").partition(",")[0]
