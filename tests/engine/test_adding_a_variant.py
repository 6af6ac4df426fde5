"""The page on adding a variant tells the truth about the files and the hooks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.engine.rules import RulesOf
from games.engine.variants import registry
from games.models import Match
from games.words import offered_variants

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding-a-variant.md").read_text()
LISTED = re.findall(r"^\| `([^`]*<key>[^`]*)` \|", PAGE, flags=re.MULTILINE)
OF_THE_ENGINE = [name for name in LISTED if name.startswith(("games/engine/", "tests/"))]


def listed_files(key: str, names: list[str]) -> set[Path]:
    return {ROOT / name.replace("<key>", key) for name in names}


@pytest.mark.parametrize("key", registry())
def test_variant_keys_are_lowercase_and_fit_the_column(key: str) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)?", key)
    assert len(key) <= Match._meta.get_field("variant").max_length


@pytest.mark.parametrize("key", registry())
def test_every_listed_file_exists(key: str) -> None:
    """Of a game that the site does not offer, those of the engine."""
    assert len(LISTED) == 9
    for path in listed_files(key, LISTED if key in offered_variants() else OF_THE_ENGINE):
        assert path.exists(), path


@pytest.mark.parametrize("key", registry())
def test_no_other_file_is_named_after_a_variant(key: str) -> None:
    """Tests may have files beside ``test_<key>.py``; the pictures of the README are no part of a game."""
    tops = ("accounts", "docs", "domino_site", "games", "static", "templates")
    paths = {path for top in tops for path in (ROOT / top).rglob(f"*{key}*")}
    files = {path for path in paths if not {"__pycache__", "screenshots"}.intersection(path.parts)}
    assert files <= listed_files(key, LISTED)


def test_every_hook_and_constant_is_named() -> None:
    own = {name for name in vars(RulesOf) if not name.startswith("_")} | set(RulesOf.__annotations__)
    # They follow from the layout, the set and the ranking.
    derived = {"are_points_bad", "move_text", "parse_move", "read_play", "read_tiles", "tile_names"}
    assert own - derived <= set(re.findall(r"`(\w+)`", PAGE))


def test_listed_hooks_are_the_abstract_ones() -> None:
    written = re.search(r"Write these: (.+?)\. ", PAGE)
    assert written is not None
    assert set(re.findall(r"`(\w+)`", written[1])) == set(RulesOf.__abstractmethods__)
