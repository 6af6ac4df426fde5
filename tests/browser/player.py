"""A player who reads the page of a table and acts on it."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import TimeoutError

from tests.browser.hands import tile_name
from tests.browser.mirror import Mirror
from tests.browser.visitor import Visitor

PRESS_TIMEOUT_MS = 3000
READ_PAGE_STATE = """() => {
    const sync = document.getElementById("sync").dataset;
    const lens = document.getElementById("lens");
    const felt = lens.parentElement.getBoundingClientRect(); // a transform moves only the lens
    const box = [lens.offsetLeft, lens.offsetTop, lens.offsetWidth, lens.offsetHeight];
    return {
        revision: Number(sync.revision),
        version: Number(document.getElementById("version").value),
        status: sync.status,
        is_own_turn: Boolean(document.querySelector("#hand.mine")),
        can_act: Boolean(document.querySelector("#hand .fits, #draw")),
        round_is_over: Boolean(document.getElementById("is-ready")),
        to_move: document.querySelector(".seat:has([id^=to-move] > i) .name")?.textContent ?? "",
        scrolls_sideways: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        board_position: document.querySelector("#result[hidden]") &&
            [felt.x, felt.y + scrollY, ...box].join(" "),
    };
}"""


@dataclass(frozen=True, slots=True)
class PageState:
    """What the page shows.

    ``can_act``: the player can play or draw (the site knocks by itself); ``round_is_over``: they can be ready;
    ``board_position``: of the board during a round.
    """

    revision: int
    version: int
    status: str
    is_own_turn: bool
    can_act: bool
    round_is_over: bool
    to_move: str
    scrolls_sideways: bool
    board_position: str | None


class Player:
    """Plays as badly as the rules allow, light tiles first, which keeps the match short.

    A ``mirrored`` page is compared with a fresh load at each revision, which costs several times as much as playing.
    """

    def __init__(self, visitor: Visitor, *, mirrored: bool = False) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.mirror = Mirror(visitor) if mirrored else None
        self.board_positions: set[str] = set()

    def read(self) -> PageState:
        self.state = PageState(**self.page.evaluate(READ_PAGE_STATE))
        if self.state.board_position:
            self.board_positions.add(self.state.board_position)
        return self.state

    def act(self) -> None:
        """Make the next possible action: play, draw or be ready."""
        if self.state.round_is_over:
            self.be_ready()
        elif tiles := self.fitting():
            self.play(min(tiles, key=pips))
        elif self.page.locator("#draw").count():
            self.page.locator("#draw").click()

    def be_ready(self) -> None:
        """Press the ready button, unless the pause has ended meanwhile."""
        try:
            self.page.locator("#is-ready").click(timeout=PRESS_TIMEOUT_MS)
        except TimeoutError:
            if self.read().round_is_over:
                raise

    def fitting(self) -> list[str]:
        return [tile_name(tile) for tile in self.page.locator("#hand .fits").all()]

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
