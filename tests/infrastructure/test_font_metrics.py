"""Widths computed from the font match the rendered text, and shortened text ends with an ellipsis."""

from __future__ import annotations

import pytest

from games.sharing.png import svg_to_png
from games.sharing.preview import MIN_TEXT_SCALE, NAME_SIZE, TEXT_SIZE, TEXT_WIDTH, fitted_text, style_sheet, wrap_text
from infrastructure.font_metrics import FONT, shorten_text, text_width

LONG = ["W" * 30, "ű" * 30, "漢字" * 15, "Maximilian of Habsburg-Lorraine"[:30]]


def drawn(line: str, room: float) -> bytes:
    """Render a line as PNG, clipped ``room`` pixels after its start."""
    window = f'<svg x="20" width="{room}" height="60">{line}</svg>'
    return svg_to_png(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="900" height="60">{window}</svg>', style_sheet(FONT)
    )


@pytest.mark.parametrize("name", ["W", "W" * 12, *LONG])
def test_measured_width_is_the_drawn_width(name: str) -> None:
    wide = text_width(name, NAME_SIZE, bold=True)
    line = f'<text class="name" y="40" font-size="{NAME_SIZE}">{name}</text>'
    assert drawn(line, wide + 1) == drawn(line, 880)
    assert drawn(line, wide * 0.9) != drawn(line, 880)


def test_short_name_has_full_size() -> None:
    assert (
        fitted_text("name", "Rosa", (0, 0), NAME_SIZE, 300)
        == f'<text class="name" x="0" y="0" font-size="{NAME_SIZE}">Rosa</text>'
    )


@pytest.mark.parametrize("name", LONG[:3])
def test_long_name_is_drawn_smaller_and_then_shortened_with_an_ellipsis(name: str) -> None:
    line = fitted_text("name", name, (0, 40), NAME_SIZE, 276)
    assert f'font-size="{round(NAME_SIZE * MIN_TEXT_SCALE)}"' in line
    assert "…</text>" in line
    assert drawn(line, 276) == drawn(line, 880)


def test_ellipsis_replaces_as_little_as_possible() -> None:
    short = shorten_text("W" * 30, NAME_SIZE, 200, bold=True)
    assert text_width(short, NAME_SIZE, bold=True) <= 200 < text_width(f"W{short}", NAME_SIZE, bold=True)
    assert shorten_text("Rosa and Ben", NAME_SIZE, text_width("Rosa …", NAME_SIZE, bold=True), bold=True) == "Rosa…"


def test_sentence_takes_at_most_two_lines() -> None:
    assert wrap_text("Round 2") == ["Round 2"]
    assert wrap_text(f"{'W' * 12} won the match.") == [f"{'W' * 12} won the", "match."]
    texts = wrap_text("A sentence of many words " * 9)
    assert len(texts) == 2
    assert texts[1].endswith("…")
    assert all(text_width(line, TEXT_SIZE, bold=False) <= TEXT_WIDTH for line in texts)
    assert wrap_text(f"{'W' * 30} won the match.")[0].startswith("WWWWW")
