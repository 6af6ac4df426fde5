"""The page about bots lists the games as they are."""

from __future__ import annotations

from games.engine.variants import registry
from tests.programs import ROOT


def test_page_lists_every_option_of_every_game_with_the_default_first() -> None:
    page = (ROOT / "docs" / "bots.md").read_text()
    for rules in registry().values():
        assert rules.seat_counts == (2, 3, 4)
        row = next(line for line in page.splitlines() if line.startswith(f"| `{rules.key}` "))
        listed = [part.partition(": ") for part in row.split(" | ")[1].removesuffix(" |").split("; ")]
        choices = {name.strip("`"): text.partition(" (")[0].replace("`", "").split(", ") for name, _, text in listed}
        expected = {
            option.name: [option.default, *(choice for choice in option.choices if choice != option.default)]
            for option in rules.options
        }
        assert choices == expected, rules.key
