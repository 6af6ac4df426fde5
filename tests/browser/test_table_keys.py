"""A round of every game played to its end with the keyboard alone; the focus is always somewhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.words import offered
from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.hands import name_of
from tests.browser.play import Match
from tests.browser.player import Player, pips
from tests.server import Server

pytestmark = pytest.mark.site(PACE="0.1")

LAY = """
from tests.browser import stages
from tests.games import tables
ann = tables.person("Ann")
answer = [stages.session(ann), stages.{}.slug]
"""
FOCUSED = "() => document.activeElement?.id || document.activeElement?.localName"
TEN = 10


class Typist(Player):
    """A player without a mouse."""

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def act(self) -> None:
        if self.seen.resting:
            expect(self.page.locator("#is-ready")).to_be_focused()
            self.press("Enter")
        elif tiles := self.fitting():
            self.play(min(tiles, key=pips))
        elif self.page.locator("#draw").count():
            self.press("d")

    def play(self, tile: str) -> None:
        """Choose by its digit, a place by the arrows where there are several, and press Enter."""
        button = self.page.locator(f'#hand .fits[aria-label^="{tile}"]').first
        asks = button.get_attribute("form") == "choose"
        names = [name_of(each) for each in self.page.locator("#hand .tiles button").all()]
        place = names.index(tile) + 1
        if place <= TEN:
            self.press(str(place % TEN))
        else:
            button.focus()
            self.press("Enter")
        if place > TEN and not asks:
            return
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(button).to_be_focused()
        if asks:
            self.press("ArrowRight")
            expect(self.page.locator("#choice .act:focus")).to_be_attached()
            self.press("ArrowLeft")
            expect(self.page.locator("#choice .act").first).to_be_focused()
        self.press("Enter")

    @property
    def focused(self) -> str:
        return self.page.evaluate(FOCUSED)


@pytest.mark.parametrize("key", [key for key in offered() if key != "triominoes"])
def test_a_round_is_played_to_its_end_by_keys_alone(new_visitor: NewVisitor, site: Server, key: str) -> None:
    typist = play_by_keys(new_visitor, site, f'late_table(ann, "{key}")')
    if typist.seen.resting:
        typist.act()
        expect(typist.page.locator("#result")).to_be_hidden()
        expect(typist.page.locator("#hand:focus, #hand :focus")).to_be_visible()


def test_a_match_is_played_to_its_end_by_keys_alone(new_visitor: NewVisitor, site: Server) -> None:
    typist = play_by_keys(new_visitor, site, "last_table(ann)")
    assert typist.seen.status == "finished"
    expect(typist.page.locator("#result .headline")).to_be_visible()
    typist.press("Tab")
    expect(typist.page.locator("#hand :focus")).to_be_visible()


def play_by_keys(new_visitor: NewVisitor, site: Server, table: str) -> Typist:
    """Play what is left of the round, and return who did."""
    typist = Typist(new_visitor())
    session, slug = site.answer(LAY.format(table))
    typist.visitor.enter(session)
    people.come_to_table(typist.visitor, f"/match/{slug}/")
    match, moves = Match(typist), 0
    while not typist.seen.resting and typist.seen.status == "running":
        if typist.seen.mine and (typist.fitting() or typist.page.locator("#draw").count()):
            typist.act()
            moves += 1
        match.wait(typist)
        assert typist.focused != "body"
    assert moves
    return typist
