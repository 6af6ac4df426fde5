"""A player who reads the page of a table and acts on it."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import TimeoutError

from tests.browser.hands import name_of
from tests.browser.mirror import Mirror
from tests.browser.visitor import Visitor

PRESS_MS = 3000
READ = """() => {
    const sync = document.getElementById("sync").dataset;
    const box = document.getElementById("lens").getBoundingClientRect();
    return {
        revision: Number(sync.revision),
        version: Number(document.getElementById("version").value),
        status: sync.status,
        mine: Boolean(document.querySelector("#hand.mine")),
        able: Boolean(document.querySelector("#hand .fits, #draw")),
        resting: Boolean(document.getElementById("is-ready")),
        to_move: document.querySelector(".seat:has([id^=to-move] > i) .name")?.textContent ?? "",
        wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        lens: document.querySelector("#result[hidden]") && [box.x, box.y + scrollY, box.width, box.height].join(" "),
    };
}"""


@dataclass(frozen=True, slots=True)
class PageState:
    """What the page shows.

    ``mine``: it is the player's turn; ``able``: they can play or draw (the site knocks by itself); ``resting``: the
    round is over and they can be ready; ``wide``: the page scrolls sideways; ``lens``: the position of the board
    during a round.
    """

    revision: int
    version: int
    status: str
    mine: bool
    able: bool
    resting: bool
    to_move: str
    wide: bool
    lens: str | None


class Player:
    """Plays as badly as the rules allow, light tiles first, which keeps the match short.

    A ``mirrored`` page is compared with a fresh load at each revision, which costs several times as much as playing.
    """

    def __init__(self, visitor: Visitor, *, mirrored: bool = False) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.mirror = Mirror(visitor) if mirrored else None
        self.lenses: set[str] = set()

    def read(self) -> PageState:
        self.state = PageState(**self.page.evaluate(READ))
        if self.state.lens:
            self.lenses.add(self.state.lens)
        return self.state

    def act(self) -> None:
        """Make the next possible action: play, draw or be ready."""
        if self.state.resting:
            self.be_ready()
        elif tiles := self.fitting():
            self.play(min(tiles, key=pips))
        elif self.page.locator("#draw").count():
            self.page.locator("#draw").click()

    def be_ready(self) -> None:
        """Press the ready button, unless the pause has ended meanwhile."""
        try:
            self.page.locator("#is-ready").click(timeout=PRESS_MS)
        except TimeoutError:
            if self.read().resting:
                raise

    def fitting(self) -> list[str]:
        return [name_of(tile) for tile in self.page.locator("#hand .fits").all()]

    def play(self, tile: str) -> None:
        """Play a tile; if it has several places, at the first one."""
        button = self.page.locator(f'#hand .fits[aria-label^="{tile}"]').first
        asks = button.get_attribute("form") == "choose"
        button.click()
        if asks:
            place = self.page.locator("#choice .act").first
            place.focus()  # with previews, only the highlighted place is visible
            place.click()


def pips(tile: str) -> int:
    return sum(map(int, tile.split("-")))
