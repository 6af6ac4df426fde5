"""Where tiles are drawn. Each layout family has a module; ``arrange`` and ``spot_of`` find it by the layout's type."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from games.engine.tiles import Tile
from games.geometry.families import take_up
from games.geometry.spots import Arrangement, Spot


@singledispatch
def arrange(layout: Any) -> Arrangement:
    """Return where every tile of the layout lies."""
    raise TypeError(f"no geometry for {type(layout).__name__}")


@singledispatch
def spot_of(layout: Any, tile: Tile, place: str) -> Spot:
    """Return where a tile would lie at a place of the layout."""
    raise TypeError(f"no geometry for {type(layout).__name__}")


take_up(__name__, __path__, arrange, spot_of)
