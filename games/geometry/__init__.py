"""Layout to x, y and angle. One module a layout family; ``arrange`` and ``spot_of`` find it by the layout's type."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from games.engine.layout.grid import Grid
from games.engine.layout.lattice import Lattice
from games.engine.layout.line import Line
from games.engine.layout.spinner import SpinnerLine
from games.engine.tiles import Tile
from games.geometry import grid, lattice, line, spinner
from games.geometry.spots import Arrangement, Spot


@singledispatch
def arrange(layout: Any) -> Arrangement:
    """Return where every tile of the layout lies."""
    raise TypeError(f"no geometry for {type(layout).__name__}")


@singledispatch
def spot_of(layout: Any, tile: Tile, place: str) -> Spot:
    """Return where a tile would lie at a place of the layout."""
    raise TypeError(f"no geometry for {type(layout).__name__}")


arrange.register(Line, line.arrange)
spot_of.register(Line, line.spot_of)
arrange.register(Grid, grid.arrange)
spot_of.register(Grid, grid.spot_of)
arrange.register(Lattice, lattice.arrange)
spot_of.register(Lattice, lattice.spot_of)
arrange.register(SpinnerLine, spinner.arrange)
spot_of.register(SpinnerLine, spinner.spot_of)
