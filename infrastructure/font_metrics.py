"""The font of pictures, and how wide a text is in it, read from the font itself; nothing else here sets type."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from struct import iter_unpack, unpack_from

import font_source_sans_pro

FONT = "Source Sans Pro"
"""With the letters of all languages of the site; the machine's own fonts play no part."""
REGULAR, BOLD = (
    str(Path(font_source_sans_pro.font_directory, f"SourceSansPro-{weight}.ttf")) for weight in ("Regular", "Bold")
)
CUT = "…"
UNICODE = 3, 10
"""The platform and the encoding whose table of characters names every one that the font knows."""


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
    with open(file, "rb") as opened:
        font = opened.read()
    (count,) = unpack_from(">H", font, 4)
    tables = {name: at for name, _, at, _ in iter_unpack(">4sIII", font[12 : 12 + 16 * count])}
    (unit,) = unpack_from(">H", font, tables[b"head"] + 18)
    (known,) = unpack_from(">H", font, tables[b"hhea"] + 34)

    def of(glyph: int) -> float:
        advance: int = unpack_from(">H", font, tables[b"hmtx"] + 4 * min(glyph, known - 1))[0]
        return float(advance / unit)

    return {None: of(0)} | {letter: of(glyph) for letter, glyph in _glyphs(font, tables[b"cmap"])}


def _glyphs(font: bytes, cmap: int) -> Iterator[tuple[int, int]]:
    """Yield the characters of a font and the numbers of their glyphs (OpenType, cmap format 12)."""
    (count,) = unpack_from(">H", font, cmap + 2)
    records = iter_unpack(">HHI", font[cmap + 4 : cmap + 4 + 8 * count])
    table = cmap + next(offset for platform, encoding, offset in records if (platform, encoding) == UNICODE)
    (groups,) = unpack_from(">I", font, table + 12)
    for first, last, glyph in iter_unpack(">III", font[table + 16 : table + 16 + 12 * groups]):
        yield from zip(range(first, last + 1), range(glyph, glyph + last - first + 1), strict=True)
