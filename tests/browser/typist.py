"""A player who uses only the keyboard."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser import people
from tests.browser.hands import tile_name
from tests.browser.play import Match
from tests.browser.player import Player, pips
from tests.browser.visitor import Visitor
from tests.server import Server

PREPARE_TABLE = """
from tests.browser import stages
from tests.games import tables
ann = tables.person("Ann")
match = stages.{}
answer = [stages.log_in(ann), "/match/" + match.slug + "/"]
"""
READ_FOCUSED_ELEMENT = "() => document.activeElement?.id || document.activeElement?.localName"
DIGIT_KEYS = 10


class KeyboardPlayer(Player):
    """A player without a mouse."""

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def act(self) -> None:
        if self.state.round_is_over:
            expect(self.page.locator("#is-ready")).to_be_focused()
            self.press("Enter")
        elif tiles := self.fitting():
            self.play(min(tiles, key=pips))
        elif self.page.locator("#draw").count():
            self.press("d")

    def play(self, tile: str) -> None:
        """Choose a tile by its digit, a place on the board by the arrows if there are several, and press Enter."""
        button = self.page.locator(f'#hand .fits[aria-label^="{tile}"]').first
        has_several_places = button.get_attribute("form") == "choose"
        names = [tile_name(button) for button in self.page.locator("#hand .tiles button").all()]
        position = names.index(tile) + 1
        if position <= DIGIT_KEYS:
            self.press(str(position % DIGIT_KEYS))
        else:
            button.focus()
            self.press("Enter")
        if position > DIGIT_KEYS and not has_several_places:
            return  # Enter on the focused tile has played it
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(button).to_be_focused()
        if has_several_places:
            self.press("ArrowRight")
            expect(self.page.locator("#choice .act:focus")).to_be_attached()
            self.press("ArrowLeft")
            expect(self.page.locator("#choice .act").first).to_be_focused()
        self.press("Enter")

    @property
    def focused(self) -> str:
        return self.page.evaluate(READ_FOCUSED_ELEMENT)


def sit_at_table(visitor: Visitor, site: Server, table: str) -> KeyboardPlayer:
    """Prepare a table of ``tests.browser.stages`` for a keyboard player, and open its page."""
    typist = KeyboardPlayer(visitor)
    session, address = site.run_code(PREPARE_TABLE.format(table))
    visitor.enter(session)
    people.visit_table(visitor, address)
    return typist


def finish_round(typist: KeyboardPlayer) -> None:
    """Play the rest of the round."""
    match, moves = Match(typist), 0
    while not typist.state.round_is_over and typist.state.status == "running":
        if typist.state.is_own_turn and (typist.fitting() or typist.page.locator("#draw").count()):
            if moves:
                expect(typist.page.locator("#hand :is(.fits, .act):focus")).to_be_attached()
            typist.act()
            moves += 1
        match.wait(typist)
        assert typist.focused != "body"
    assert moves
