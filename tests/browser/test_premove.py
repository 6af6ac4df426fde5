"""The player's tiles: sorted at will, and one of them prepared during others' turns."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import WebSocket, expect

from tests.browser.conftest import NewVisitor
from tests.browser.hands import Hand, tile_name
from tests.browser.people import visit_table
from tests.server import Server

pytestmark = pytest.mark.site("--no-clock")

# Prepares a table where seat 1 is to move, with a move after which one tile of seat 0 fits in one place.
PREPARE_TABLE = """
from collections import Counter
from functools import reduce
from django.test import Client
from games.engine.decide import decide
from games.engine.evolve import evolve
from games.engine.moves import Play
from games.engine.tiles import tile_text
from games.engine.variants import rules_for
from tests.games import tables

RULES = rules_for("kozel")

def premove_case(state):
    if state.round.to_move != 1 or len(state.round.plays) < 2:
        return None
    for move in RULES.legal_moves(state):
        if not isinstance(move, Play):
            continue
        after = reduce(evolve, decide(RULES, state, 1, move), state)
        if after.round.over or after.round.to_move != 0:
            continue
        fits = Counter(play.tile for play in RULES.legal_moves(after) if isinstance(play, Play))
        once = [tile for tile, times in fits.items() if times == 1]
        useless = [tile for tile in after.hands[0] if tile not in fits]
        if once and useless:
            return {"theirs": tile_text(move.tile), "move": RULES.move_text(move),
                    "once": tile_text(once[0]), "useless": tile_text(useless[0])}

def session(user):
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value

def prepare():
    while True:
        match = tables.running_table([ann, ben], clock="none")
        if case := premove_case(tables.play_until(match, premove_case)):
            return {"address": f"/match/{match.slug}/", **case}

ann, ben = tables.person("Ann"), tables.person("Ben")
answer = {"ann": session(ann), "ben": session(ben), **prepare()}
"""


AUTOMATIC = re.compile('"(seen|felt)"|/static/')
# changes a text in the middle of a round, as the site may
REWORDED = "() => { document.querySelector('.round').textContent = 'The last one'; }"


class Seated(Hand):
    """A player at a table, with the requests and messages of the browser except heartbeats and files."""

    sent: list[str]

    @classmethod
    def at(cls, new_visitor: NewVisitor, session: str, address: str) -> Seated:
        seated = cls(new_visitor(width=360, height=740))
        object.__setattr__(seated, "sent", [])

        def note(text: str | bytes) -> None:
            if not AUTOMATIC.search(str(text)):
                seated.sent.append(str(text))

        def listen(socket: WebSocket) -> None:
            socket.on("framesent", note)

        seated.page.on("websocket", listen)
        seated.visitor.enter(session)
        visit_table(seated.visitor, address)
        seated.page.on("request", lambda request: note(request.url))
        return seated

    def order(self) -> list[str]:
        return [tile_name(button) for button in self.tiles.all()]


def sit(new_visitor: NewVisitor, site: Server) -> tuple[Seated, Seated, dict[str, str]]:
    table = site.run_code(PREPARE_TABLE)
    ann, ben = (Seated.at(new_visitor, table[name], table["address"]) for name in ("ann", "ben"))
    return ann, ben, table


def play(hand: Seated, table: dict[str, str]) -> None:
    hand.page.locator(f"#hand [aria-label^='{table['theirs']}']").click()
    place = hand.page.locator(f"#choice [value='{table['move']}']")
    placed = hand.board_tile(table["theirs"])
    expect(place.or_(placed)).to_be_visible()
    if place.count():
        place.click()


def test_prepared_tile_is_sent_only_on_ones_turn(new_visitor: NewVisitor, site: Server) -> None:
    ann, ben, table = sit(new_visitor, site)
    line = ann.page.locator("#prepared")
    ann.page.evaluate(REWORDED)
    ann.page.locator(f"#hand [aria-label^='{table['once']}']").click()
    expect(line).to_contain_text(f"{table['once']} is next.")
    ann.page.keyboard.press("Escape")
    expect(line).to_be_hidden()
    ann.page.locator(f"#hand [aria-label^='{table['once']}']").click()
    expect(ann.page.locator("#hand .prepared")).to_have_attribute("aria-label", table["once"])
    assert ann.visitor.accessibility_violations() == []
    assert ann.sent == []
    play(ben, table)
    ann.expect_played(table["once"])
    assert len(ann.sent) == 1
    assert table["once"] in ann.sent[0]
    assert "is next" not in ben.page.content().replace("{tile} is next", "")


def test_prepared_tile_that_no_longer_fits_is_dropped_with_a_message(new_visitor: NewVisitor, site: Server) -> None:
    ann, ben, table = sit(new_visitor, site)
    ann.page.locator(f"#hand [aria-label^='{table['useless']}']").click()
    play(ben, table)
    expect(ann.page.locator("#prepared")).to_have_text(f"{table['useless']} no longer fits.")
    expect(ann.page.locator("#hand .prepared")).to_have_count(0)
    assert ann.sent == []


def test_hand_sorted_by_dragging_and_keys_stays_sorted(new_visitor: NewVisitor, site: Server) -> None:
    ann, ben, table = sit(new_visitor, site)
    before = ann.order()
    ann.page.evaluate(REWORDED)
    ann.visitor.await_animations()
    boxes = [button.bounding_box() for button in ann.tiles.all()]
    first, third = boxes[0], boxes[2]
    assert first is not None
    assert third is not None
    mouse = ann.page.mouse
    mouse.move(first["x"] + first["width"] / 2, first["y"] + first["height"] / 2)
    mouse.down()
    mouse.move(third["x"] + third["width"] / 2, third["y"] + third["height"] / 2, steps=8)
    mouse.up()
    dragged = [before[1], before[2], before[0], *before[3:]]
    assert ann.order() == dragged
    ann.tiles.first.focus()
    ann.page.keyboard.press("Control+ArrowRight")
    expect(ann.page.locator("#sorted")).to_have_text(f"{dragged[0]}: place 2 of {len(before)}")
    expect(ann.tiles.nth(1)).to_be_focused()
    mine = [dragged[1], dragged[0], *dragged[2:]]
    assert ann.order() == mine
    play(ben, table)
    expect(ann.page.locator("#hand.mine")).to_be_attached()
    assert ann.order() == mine
    assert ann.sent == []
    ann.page.reload()
    assert ann.order() == mine
