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


def laid(*moves: str) -> State:
    return move(FIVES, position(FIVES, hands=HANDS, standing=[100, 100]), *moves)


def drawn(*moves: str) -> str:
    return zones(laid(*moves))["board"]


def own(state: State, chosen: str = "") -> str:
    return zones(state, state.round.to_move, chosen=chosen)["hand"]


def tally(html: str) -> str:
    return texts("".join(re.findall(r'<p id="tally.*?</p>', html)))


class TestTheCount:
    def test_stands_on_the_felt_with_its_sum_after_every_tile(self) -> None:
        assert tally(drawn("6-6")) == "Count: 2 × 6 = 12"
        assert tally(drawn(*CROSS[:2])) == "Count: 3 + 2 × 6 = 15"
        assert tally(drawn(*CROSS[:3])) == "Count: 3 + 1 = 4"
        assert tally(drawn(*CROSS)) == "Count: 3 + 1 + 4 + 2 = 10"

    def test_is_missing_before_the_lead_and_in_games_without_one(self) -> None:
        assert "tally" not in drawn()
        assert "tally" not in zones(None)["board"]


class TestAPlacementThatScores:
    def test_flashes_its_points_at_the_tile_laid_last_for_the_eye_alone(self) -> None:
        svg, _, rest = drawn(*CROSS).partition("</svg>")
        assert '<g class="flash" transform="translate(0 40)">' in svg
        assert "<text>+10</text>" in svg
        assert "aria-hidden" in svg
        assert 'class="tally scored"' in rest

    def test_none_flashes_where_nothing_was_scored(self) -> None:
        assert "flash" not in drawn(*CROSS[:3])
        assert 'class="tally"' in drawn(*CROSS[:3])

    def test_is_told_before_it_is_made_on_the_button_of_its_place(self) -> None:
        state = laid(*CROSS[:4])  # 3 + 1 + 4 = 8; 2 at the bottom makes it 10
        buttons = re.findall(r'value="(6-2 \w+)">(.*?)</button>', own(state, "6-2"))
        assert [(place, texts(text)) for place, text in buttons] == [
            ("6-2 down", "Down, on 6 3 + 1 + 4 + 2 = 10 points")
        ]


class TestTheSpinner:
    def test_carries_a_sign_of_its_own_and_later_doubles_do_not(self) -> None:
        assert drawn("6-6").count('href="#hub"') == 1
        state = position(FIVES, hands=["4-1 1-1", "4-4 5-5"], laid="5-4")
        assert 'href="#hub"' not in zones(move(FIVES, state, "4-1 right"))["board"]

    def test_is_told_in_words_with_the_open_ends_and_each_arm(self) -> None:
        assert texts(re.findall(r'<p id="board-text".*?</p>', drawn(*CROSS))[0]) == (
            "Open ends: 3 left, 1 right, 4 up, 2 down. The spinner is 6-6. "
            "The line from left to right: 6-3, 6-6, 6-1. Up from the spinner: 6-4. Down from the spinner: 6-2."
        )


class TestTheHand:
    def test_names_the_values_one_may_play_on_once_each(self) -> None:
        assert "Your turn: play a tile on 3, 1 or 6." in texts(own(laid(*CROSS[:3])))

    def test_says_on_which_arm_a_tile_fits(self) -> None:
        assert 'aria-label="4-1, fits in more than one place"' in own(laid(*CROSS))
        assert 'aria-label="2-2, fits at the bottom"' in own(laid(*CROSS, "4-1 right"))
