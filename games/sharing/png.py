"""Converts SVG to PNG, for sites that show no SVG. It runs in a worker process and imports nothing of the site."""

from __future__ import annotations

import resvg_py

from infrastructure.font_metrics import BOLD, FONT, REGULAR


def svg_to_png(svg: str, style: str) -> bytes:
    """Return an SVG with a style sheet as a PNG in its own size. Raises ValueError if it is no SVG."""
    return resvg_py.svg_to_bytes(
        svg_string=svg, style_sheet=style, skip_system_fonts=True, font_files=[REGULAR, BOLD], font_family=FONT
    )
