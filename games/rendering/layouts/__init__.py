"""Drawings and descriptions of layouts, one class for each layout family."""

from __future__ import annotations

from games.engine.layout import Layout
from games.engine.layout.grid import Grid
from games.engine.layout.lattice import Lattice
from games.engine.layout.line import Line
from games.engine.layout.spinner import SpinnerLine
from games.rendering.layouts.drawing import Drawing
from games.rendering.layouts.grid import GridDrawing
from games.rendering.layouts.lattice import LatticeDrawing
from games.rendering.layouts.line import LineDrawing
from games.rendering.layouts.spinner import SpinnerDrawing

DRAWINGS: dict[type[Layout], type[Drawing[Layout]]] = {
    Line: LineDrawing,
    SpinnerLine: SpinnerDrawing,
    Lattice: LatticeDrawing,
    Grid: GridDrawing,
}


def drawing_of(layout: Layout) -> Drawing[Layout]:
    """Return the drawing of a layout, by its family."""
    return DRAWINGS[type(layout)](layout)
