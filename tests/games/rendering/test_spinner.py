"""The table of All Fives: count, spinner, and points, as drawings and in words. Numbers are worked by hand."""

from __future__ import annotations

import re

from games.engine.state import State
from games.engine.variants import rules_for
from tests.engine.positions import move, position
from tests.games.rendering.positions import texts, zones

FIVES = rules_for("all_fives")
CROSS = ("6-6", "6-3 left", "6-1 right", "6-4 up", "6-2 down")
HANDS = ["6-6 6-1 6-2 2-2", "6-3 6-4 4-1 5-5"]


def state_after(*moves: str) -> State:
    return move(FIVES, position(FIVES, hands=HANDS, standing=[100, 100]), *moves)


def board_html(*moves: str) -> str:
    return zones(state_after(*moves))["board"]


def own(state: State, chosen: str = "") -> str:
    return zones(state, state.round.to_move, chosen=chosen)["hand"]


def tally(html: str) -> str:
    return texts("".join(re.findall(r'<p id="tally.*?</p>', html)))


class TestTheCount:
    def test_count_is_shown_after_every_tile(self) -> None:
        assert tally(board_html("6-6")) == "Count: 2 × 6 = 12"
        assert tally(board_html(*CROSS[:2])) == "Count: 3 + 2 × 6 = 15"
        assert tally(board_html(*CROSS[:3])) == "Count: 3 + 1 = 4"
        assert tally(board_html(*CROSS)) == "Count: 3 + 1 + 4 + 2 = 10"

    def test_count_is_missing_before_the_lead_and_in_other_games(self) -> None:
        assert '<div id="tally"></div>' in board_html()  # so that the tiles do not move when the count appears
        assert "tally" not in zones(None)["board"]


class TestAPlacementThatScores:
    def test_new_points_flash_at_the_last_tile_but_are_not_read_aloud(self) -> None:
        svg, _, rest = board_html(*CROSS).partition("</svg>")
        assert '<g class="flash" transform="translate(0 40)">' in svg
        assert "<text>+10</text>" in svg
        assert "aria-hidden" in svg
        assert 'class="tally scored"' in rest

    def test_nothing_flashes_without_points(self) -> None:
        assert "flash" not in board_html(*CROSS[:3])
        assert 'class="tally"' in board_html(*CROSS[:3])

    def test_buttons_of_places_show_the_count(self) -> None:
        state = state_after(*CROSS[:4])  # 3 + 1 + 4 = 8; 2 at the bottom makes it 10
        buttons = re.findall(r'value="(6-2 \w+)">(.*?)</button>', own(state, "6-2"))
        assert [(place, texts(text)) for place, text in buttons] == [
            ("6-2 down", "Down, on 6 3 + 1 + 4 + 2 = 10 points")
        ]


class TestTheSpinner:
    def test_spinner_is_marked_and_later_doubles_are_not(self) -> None:
        assert board_html("6-6").count('href="#hub"') == 1
        state = position(FIVES, hands=["4-1 1-1", "4-4 5-5"], laid="5-4")
        assert 'href="#hub"' not in zones(move(FIVES, state, "4-1 right"))["board"]

    def test_description_has_open_ends_and_arms(self) -> None:
        assert texts(re.findall(r'<p id="board-text".*?</p>', board_html(*CROSS))[0]) == (
            "Open ends: 3 left, 1 right, 4 up, 2 down. The spinner is 6-6. "
            "The line from left to right: 6-3, 6-6, 6-1. Up from the spinner: 6-4. Down from the spinner: 6-2."
        )


class TestTheHand:
    def test_open_values_are_named_once(self) -> None:
        assert "Your turn: play a tile on 3, 1 or 6." in texts(own(state_after(*CROSS[:3])))

    def test_places_name_their_arm(self) -> None:
        assert 'aria-label="4-1, fits in more than one place"' in own(state_after(*CROSS))
        assert 'aria-label="2-2, fits at the bottom"' in own(state_after(*CROSS, "4-1 right"))
