"""The font of social previews, and the width of texts in it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import font_source_sans_pro

FONT = "Source Sans Pro"  # it has the letters of all languages of the site
REGULAR, BOLD = (
    str(Path(font_source_sans_pro.font_directory, f"SourceSansPro-{weight}.ttf")) for weight in ("Regular", "Bold")
)
ELLIPSIS = "…"


def text_width(text: str, size: float, *, bold: bool) -> float:
    """Return the length of a line, without kerning."""
    widths = _character_widths(BOLD if bold else REGULAR)
    return size * sum(widths.get(ord(letter), widths[None]) for letter in text)


def shorten_text(text: str, size: float, max_width: float, *, bold: bool) -> str:
    """Return the text, cut to ``max_width`` with an ellipsis if it is longer."""
    if text_width(text, size, bold=bold) <= max_width:
        return text
    while text and text_width(text + ELLIPSIS, size, bold=bold) > max_width:
        text = text[:-1].rstrip()
    return text + ELLIPSIS


@cache
def _character_widths(font_path: str) -> dict[int | None, float]:
    """Return the width of each character as a fraction of the font size. The key None is for missing characters."""
    # Imported here because it takes 5 MB, which only a process that draws pictures needs.
    from fontTools.ttLib import TTFont

    font: Any
    with TTFont(font_path, lazy=True) as font:
        units_per_em, advances, glyphs = font["head"].unitsPerEm, font["hmtx"].metrics, font.getBestCmap()
    return {letter: advances[glyph][0] / units_per_em for letter, glyph in ({None: ".notdef"} | glyphs).items()}
