"""How to play: every rule has its place, and every example on the page is what the engine says."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.ending import Ending
from games.engine.layout.line import Line
from games.engine.variants.kozel import RULES as KOZEL
from games.engine.variants.kozel import is_void
from games.examples import examples_of
from games.examples.kozel import EMIL_SEAT, round_end
from games.examples.lines import CLOSED_LINE
from games.examples.positions import ScoreColumn
from games.words import offered_variants

EXAMPLES = examples_of("kozel")


def read(client: Client, name: str, *args: str) -> str:
    response = client.get(reverse(name, args=args))
    assert response.status_code == 200
    return response.content.decode()


def ids(text: str) -> list[str]:
    return re.findall(r'\bid="([^"]+)"', text)


class TestPages:
    @pytest.mark.parametrize("key", offered_variants())
    def test_every_rule_has_its_anchor_under_its_title(self, client: Client, key: str) -> None:
        text = read(client, "how-to-play", key)
        anchors = [row for row in ids(text) if row.startswith((f"{key}.", "quick."))]
        assert anchors == list(offered_variants()[key].rules_ids)

    @pytest.mark.parametrize("key", offered_variants())
    def test_ids_are_unique(self, client: Client, key: str) -> None:
        page = ids(read(client, "how-to-play", key))
        assert len(page) == len(set(page))

    @pytest.mark.parametrize("key", offered_variants())
    def test_the_index_leads_to_every_game(self, client: Client, key: str) -> None:
        assert reverse("how-to-play", args=[key]) in read(client, "rules")

    def test_an_unknown_game_is_not_found(self, client: Client) -> None:
        assert client.get("/rules/chess/").status_code == 404

    def test_fish_line_is_drawn_and_described(self, client: Client) -> None:
        text = read(client, "how-to-play", "kozel")
        assert text.count('<svg class="figure"') == 2
        assert "4-2, 4-1, 2-1, 2-2, 6-2, 6-0, 2-0, 3-2, 5-3, 5-2" in text


def scores(columns: tuple[ScoreColumn, ...]) -> list[tuple[int, str]]:
    return [(column.points.total, KOZEL.standing_text(column.after)) for column in columns]


class TestExamplesOfKozel:
    """The numbers are those of the rule file (../shared/rules/kozel.md), by the ids of its examples."""

    def test_k01_going_out(self) -> None:
        assert scores(EXAMPLES["out"]) == [(0, "0"), (3, "+3"), (13, "=20"), (5, "+9")]

    def test_k02_a_fish_for_one(self) -> None:
        assert scores(EXAMPLES["fish_one"]) == [(0, "0"), (0, "0"), (23, "=30"), (0, "0")]

    def test_k03_a_drawn_fish(self) -> None:
        assert [points for points, _after in scores(EXAMPLES["fish_drawn"])] == [0, 0, 0, 0]
        drawn = round_end(("1-1", "6-5 3-0", "5-5 4-0", "5-0"), "0 0 0 0", fish="one", line=CLOSED_LINE)
        assert KOZEL.score_round(drawn, Ending("fish_drawn", EMIL_SEAT, "kozel.fish_drawn")).pot == 35

    def test_k05_rating_after_a_timeout(self) -> None:
        assert [(name, points.total) for name, points in EXAMPLES["timeout_rating"]] == [
            ("Anna", 1),
            ("Adam", 0),
            ("Eva", 2),
        ]

    @pytest.mark.parametrize("name", ["fish_line", "fish_without_double"])
    def test_k06_and_k07_the_line_is_a_fish(self, name: str) -> None:
        line = EXAMPLES[name]
        assert (line.left_end, line.right_end) == (2, 2)
        assert line.tiles[-1].order == max(placed.order for placed in line.tiles)
        assert ends_with(line) == "fish"

    def test_k08_without_the_last_tile_play_goes_on(self) -> None:
        state = round_end(("0-0", "0-0"), "0 0", line=CLOSED_LINE.removesuffix(" 5-2"))
        assert KOZEL.ending(state, 1) is None

    def test_k10_the_goat(self) -> None:
        assert scores(EXAMPLES["goat"]) == [(0, "0"), (0, "0"), (0, "0"), (114, "=114")]
        assert [points.total for _name, points in EXAMPLES["goat_rating"]] == [10, 10, 10, 0]

    def test_k11_the_pot(self) -> None:
        assert scores(EXAMPLES["pot"]) == [(46, "=52"), (9, "=29"), (4, "=44"), (0, "0")]

    def test_k15_one_account(self) -> None:
        assert [after for _points, after in scores(EXAMPLES["account"])] == ["+12", "+24", "+25", "=38", "=39", "=39"]

    def test_k16_the_blank(self) -> None:
        assert [points for points, _after in scores(EXAMPLES["lone_blank"])] == [10, 1, 12]

    def test_k17_a_fish_for_all(self) -> None:
        assert scores(EXAMPLES["fish_all"]) == [(2, "+12"), (3, "=33"), (13, "=13"), (5, "+17")]

    def test_k19_hands_that_void_the_deal(self) -> None:
        assert all(map(is_void, EXAMPLES["void_hands"]))


def ends_with(line: Line) -> str:
    page = KOZEL.ending(round_end(("0-0", "1-1"), "0 0", line=text_of(line)), 1)
    return page.reason if page else ""


def text_of(line: Line) -> str:
    return " ".join(f"{placed.left_half}-{placed.right_half}" for placed in line.tiles)
