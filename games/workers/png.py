"""A drawing as a PNG, for places that show no SVG. It is run in a process apart, which needs nothing of the site."""

from __future__ import annotations

import resvg_py

from infrastructure.font_metrics import BOLD, FONT, REGULAR


def engrave(svg: str, style: str) -> bytes:
    """Return the drawing, as large as it says, with a style sheet. Raises ValueError if it is no SVG."""
    return resvg_py.svg_to_bytes(
        svg_string=svg, style_sheet=style, skip_system_fonts=True, font_files=[REGULAR, BOLD], font_family=FONT
    )
