"""The width of a line as read from the font is its width in the drawing, and what is cut ends with an ellipsis."""

from __future__ import annotations

import pytest

from games.sharing.png import svg_to_png
from games.sharing.preview import MIN_TEXT_SCALE, NAME_SIZE, TEXT_SIZE, TEXT_WIDTH, fitted_text, style_sheet, wrap_text
from infrastructure.font_metrics import FONT, shortened, width

LONG = ["W" * 30, "ű" * 30, "漢字" * 15, "Maximilian of Habsburg-Lorraine"[:30]]


def drawn(line: str, room: float) -> bytes:
    """Return a picture of a line of which only what is within ``room`` of its beginning shows."""
    window = f'<svg x="20" width="{room}" height="60">{line}</svg>'
    return svg_to_png(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="900" height="60">{window}</svg>', style_sheet(FONT)
    )


@pytest.mark.parametrize("name", ["W", "W" * 12, *LONG])
def test_a_line_is_drawn_as_long_as_it_was_measured(name: str) -> None:
    wide = width(name, NAME_SIZE, bold=True)
    line = f'<text class="name" y="40" font-size="{NAME_SIZE}">{name}</text>'
    assert drawn(line, wide + 1) == drawn(line, 880)
    assert drawn(line, wide * 0.9) != drawn(line, 880)


def test_a_name_that_fits_is_as_large_as_others_and_whole() -> None:
    assert (
        fitted_text("name", "Rosa", (0, 0), NAME_SIZE, 300)
        == f'<text class="name" x="0" y="0" font-size="{NAME_SIZE}">Rosa</text>'
    )


@pytest.mark.parametrize("name", LONG[:3])
def test_a_long_name_gets_smaller_and_then_ends_with_an_ellipsis_within_its_room(name: str) -> None:
    line = fitted_text("name", name, (0, 40), NAME_SIZE, 276)
    assert f'font-size="{round(NAME_SIZE * MIN_TEXT_SCALE)}"' in line
    assert "…</text>" in line
    assert drawn(line, 276) == drawn(line, 880)


def test_an_ellipsis_takes_the_place_of_no_more_than_needed() -> None:
    short = shortened("W" * 30, NAME_SIZE, 200, bold=True)
    assert width(short, NAME_SIZE, bold=True) <= 200 < width(f"W{short}", NAME_SIZE, bold=True)
    assert shortened("Rosa and Ben", NAME_SIZE, width("Rosa …", NAME_SIZE, bold=True), bold=True) == "Rosa…"


def test_what_is_said_takes_two_lines_and_no_more() -> None:
    assert wrap_text("Round 2") == ["Round 2"]
    assert wrap_text(f"{'W' * 12} won the match.") == [f"{'W' * 12} won the", "match."]
    texts = wrap_text("Somebody of many words " * 9)
    assert len(texts) == 2
    assert texts[1].endswith("…")
    assert all(width(line, TEXT_SIZE, bold=False) <= TEXT_WIDTH for line in texts)
    assert wrap_text(f"{'W' * 30} won the match.")[0].startswith("WWWWW")
