"""Sentences of the pages about the rules that name numbers, held against the engine."""

from __future__ import annotations

from django.test import Client

from games.engine.moves import Play
from games.engine.state import Round
from games.engine.variants import rules_for
from games.examples.rytmino import EXAMPLES


def page(client: Client, variant: str) -> str:
    return client.get(f"/rules/{variant}/").content.decode().replace("\N{NON-BREAKING HYPHEN}", "-")


def test_rytmino_product__the_caption_names_the_column_of_the_figure(client: Client) -> None:
    values = EXAMPLES["joined"].before.values
    column = "-".join(str(values[0, y]) for y in range(3))
    assert f"3-2 extends the column {column} " in page(client, "rytmino")


def test_triominoes_start__the_page_gives_0_0_0_its_40_points_where_it_is_the_highest_triple(client: Client) -> None:
    rules = rules_for("triominoes")
    assert rules.play_points(Round(rules.layout), Play((0, 0, 0), "U(0,0)=0/0/0")).total == 40
    assert "plus 10 points; 0-0-0 scores 40." in page(client, "triominoes")
