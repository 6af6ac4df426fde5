"""The score that ends the match: next to the round in words, and under each score as a bar."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from games.engine.state import State
from games.engine.variants import rules_for
from tests.engine.positions import in_round, position
from tests.games.rendering.positions import table_at, zones

HANDS = {
    "kozel": (["6-4 6-6", "5-5 1-0"], "6-1"),
    "gamezz": (["6-4 6-6", "5-5 1-0"], "6-1"),
    "all_fives": (["6-4 6-6", "5-5 1-0"], "6-2"),
    "triominoes": (["1-1-2 3-4-5", "0-0-3"], "U(0,0)=1/1/5"),
}


def state_of(variant: str, standing: list[object], **options: str) -> State:
    hands, laid = HANDS[variant]
    return position(rules_for(variant), hands=hands, laid=laid, standing=standing, options=options)


def round_line(state: State) -> str:
    (line,) = re.findall(r'<p class="round">(.*?)</p>', zones(state)["status"])
    return re.sub(r"<[^>]+>", "", line)


def bars(state: State) -> list[tuple[int, int]]:
    values = re.findall(r'<progress id="way\d" value="(\d+)" max="(\d+)" inert>', zones(state)["seats"])
    return [(int(value), int(maximum)) for value, maximum in values]


@pytest.mark.parametrize(
    ("variant", "options", "text"),
    [
        ("kozel", {}, "Round 2 · 101 loses"),
        ("kozel", {"length": "quick"}, "Round 2 · 51 loses"),
        ("gamezz", {"length": "quick"}, "Round 2 · 51 loses"),
        ("all_fives", {}, "Round 2 · to 250"),
        ("all_fives", {"length": "quick"}, "Round 2 · to 100"),
        ("triominoes", {}, "Round 2 · 400, then the last round"),
    ],
)
def test_target_is_next_to_the_round(variant: str, options: dict[str, str], text: str) -> None:
    assert round_line(state_of(variant, [], **options)) == text


def test_quick_triominoes_shows_both_ends_before_the_last_round() -> None:
    state = state_of("triominoes", [], length="quick")
    assert round_line(in_round(state, number=1)) == "Round 1 · 2 rounds or 200"
    assert round_line(state) == "Round 2 Final round"


def test_scores_have_bars_towards_the_target() -> None:
    assert bars(state_of("all_fives", [105, -15])) == [(105, 250), (0, 250)]
    assert bars(state_of("gamezz", [120, 7], length="quick")) == [(51, 51), (7, 51)]


def test_remembered_points_fill_no_bar() -> None:
    assert bars(state_of("kozel", ["+35", "=40"])) == [(0, 101), (40, 101)]


def test_seats_without_a_score_have_no_bar() -> None:
    state = state_of("kozel", ["=1", "=2"])
    assert "<progress" not in zones(None, table=replace(table_at(state), status="open"))["seats"]
