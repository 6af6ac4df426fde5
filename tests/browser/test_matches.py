"""A whole match of every game, played by two people and bots in Chromium, with pictures: ``make matches``."""

from __future__ import annotations

import time

import pytest

from games.engine.rules import Rules
from games.engine.variants import rules_for
from games.words import offered_variants
from tests.browser import people
from tests.browser.conftest import NewVisitor
from tests.browser.play import Match
from tests.browser.player import Player
from tests.engine.matches import last_choices
from tests.programs import ROOT

pytestmark = pytest.mark.site(PACE="0.35")

PICTURES = ROOT / "test-results" / "matches"
EARLY, MIDDLE = 4, 12  # tiles on the table
TILES = "document.querySelectorAll('#board svg:only-of-type > g > :is(use, g:has(> use))').length"


@pytest.mark.matches
@pytest.mark.parametrize("key", offered_variants())
def test_both_windows_show_a_whole_match_like_a_fresh_load(new_visitor: NewVisitor, key: str) -> None:
    ann = Player(new_visitor(width=1440, height=900, scheme="dark", reduced_motion="no-preference"), mirrored=True)
    ben = Player(new_visitor(width=360, height=740, reduced_motion="no-preference"), mirrored=True)
    sit_down(ann, ben, rules_for(key))
    begun = time.monotonic()
    match, album = Match(ann, ben), Album(key, desk=ann, phone=ben)

    while ann.state.status != "finished":
        album.update()
        match.step()
    album.take_all("over")

    revisions = match.revision - match.first
    for player in match.players:
        assert not player.mirror.differences, player.mirror.differences[0]
        assert len(player.mirror.compared) > 0.8 * revisions
    seconds = round(time.monotonic() - begun)
    tables = ann.page.locator(".round").inner_text()
    print(f"{key}: {revisions} moves, {tables}, at most {max(album.most.values())} tiles, {seconds} s")


def sit_down(ann: Player, ben: Player, rules: Rules) -> None:
    """Ann opens a full table, Ben joins by her link, and bots take the other seats."""
    people.enter_as_guest(ann.visitor, "Ann")
    ann.visitor.visit(f"/tables/new/?game={rules.key}")
    ann.page.get_by_text("More settings").click()
    for option, choice in short(rules).items():
        ann.page.locator(f"[name=option_{option}][value='{choice}']").check()
    ann.page.get_by_label("Unlisted").check()
    people.press(ann.visitor, "Open the table")
    ann.page.wait_for_url(people.TABLE_PATH)
    people.accept_invitation(ben.visitor, people.table_address(ann.visitor), "Ben")
    people.start_match(ann.visitor, ben.visitor)


def short(rules: Rules) -> dict[str, str]:
    """Return the rarely played rules, with the smallest choice of numbers."""
    seldom = last_choices(rules, max(rules.seat_counts))
    numbers = {
        option.name: min(filter(str.isdigit, option.choices), key=int)
        for option in rules.options
        if any(map(str.isdigit, option.choices))
    }
    return seldom | numbers


class Album:
    """Pictures of the windows at their turns: early, midway, with the longest table, and at the ends."""

    def __init__(self, key: str, **windows: Player) -> None:
        self.key = key
        self.windows = windows
        self.most = dict.fromkeys(windows, 0)
        self.rested = False
        PICTURES.mkdir(parents=True, exist_ok=True)

    def update(self) -> None:
        """Take the pictures that are due."""
        if not self.rested and any(player.state.round_is_over for player in self.windows.values()):
            self.rested = True
            self.take_all("pause")
        for name, player in self.windows.items():
            tiles = player.page.evaluate(TILES) if player.state.is_own_turn else 0
            if tiles > self.most[name]:
                self.most[name] = tiles
                self.take(name, "early" if tiles <= EARLY else "middle" if tiles <= MIDDLE else "longest")

    def take_all(self, moment: str) -> None:
        for name in self.windows:
            self.take(name, moment)

    def take(self, name: str, moment: str) -> None:
        page = self.windows[name].page
        page.mouse.move(0, 0)
        page.evaluate("scrollTo(0, 0)")
        self.windows[name].visitor.await_animations()
        # Hiding the caret would change the page.
        page.screenshot(path=PICTURES / f"{self.key}-{name}-{moment}.png", caret="initial")
