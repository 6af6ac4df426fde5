"""The font of pictures, and how wide a text is in it, read from the font itself; nothing else here sets type."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import font_source_sans_pro

FONT = "Source Sans Pro"
"""With the letters of all languages of the site; the machine's own fonts play no part."""
REGULAR, BOLD = (
    str(Path(font_source_sans_pro.font_directory, f"SourceSansPro-{weight}.ttf")) for weight in ("Regular", "Bold")
)
CUT = "…"


def width(text: str, size: float, *, bold: bool) -> float:
    """Return the length of a line, as if no pair of letters were set closer than others."""
    widths = _widths(BOLD if bold else REGULAR)
    return size * sum(widths.get(ord(letter), widths[None]) for letter in text)


def shortened(text: str, size: float, room: float, *, bold: bool) -> str:
    """Return the text if it is no longer than ``room``, otherwise as much of it as fits before an ellipsis."""
    if width(text, size, bold=bold) <= room:
        return text
    kept = text
    while kept and width(kept + CUT, size, bold=bold) > room:
        kept = kept[:-1].rstrip()
    return kept + CUT


@cache
def _widths(file: str) -> dict[int | None, float]:
    """Return the width of each character of a font as a part of its size; None: of the box for one it lacks."""
    # Five megabytes that only a process which is asked for a picture needs.
    from fontTools.ttLib import TTFont

    font: Any
    with TTFont(file, lazy=True) as font:
        unit, advances, glyphs = font["head"].unitsPerEm, font["hmtx"].metrics, font.getBestCmap()
    return {letter: advances[glyph][0] / unit for letter, glyph in ({None: ".notdef"} | glyphs).items()}
