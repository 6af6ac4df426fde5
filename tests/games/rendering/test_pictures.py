"""The pictures of the games: real positions, drawn by the table's renderer, side by side on a page."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.tiles import Tile
from games.engine.variants import rules_for
from games.rendering.pictures import game_picture, picture_layout
from games.words import offered_variants, words_of

GAMES = list(offered_variants())


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_is_a_position_that_the_set_and_the_places_of_the_game_allow(game: str) -> None:
    rules = rules_for(game)
    layout, used = rules.layout, Counter[Tile]()
    for move in words_of(game).picture:
        placement = layout.read(move)
        assert placement is not None, move
        tile, place = placement
        used[tile] += 1
        # If the deal begins with tiles on the table, nothing can be placed before them.
        assert place in layout.places(tile) or not any(map(layout.places, rules.tile_set)), move
        layout = layout.place(tile, place)
    assert used <= Counter(rules.tile_set)
    assert picture_layout(game) == layout


@pytest.mark.parametrize("game", GAMES)
def test_picture_has_its_own_unique_drawings(game: str) -> None:
    drawn = game_picture(game)
    symbol = drawn[drawn.index('<symbol id="picture-') :]
    assert symbol.count("<use ") >= len(words_of(game).picture) >= 5
    names = re.findall(r'\bid="([^"]+)"', drawn)
    assert len(names) == len(set(names))
    assert all(name.endswith(f"-{game}") for name in names)
    assert set(re.findall(r'href="#([^"]+)"', drawn)) <= set(names)


@pytest.mark.django_db
def test_drawings_of_the_lobby_have_unique_names(client: Client) -> None:
    html = client.get(reverse("lobby")).content.decode()
    names = re.findall(r'\bid="([^"]+)"', html)
    assert len(names) == len(set(names))
    assert {f"picture-{game}" for game in GAMES} <= set(names)
