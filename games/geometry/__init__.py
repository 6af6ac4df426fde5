"""Where tiles are drawn. Each layout family has a module; ``arrange`` and ``spot_of`` find it by the layout's type."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from games.engine.tiles import Tile
from games.geometry.families import take_up
from games.geometry.spots import Arrangement, Shape, Spot


@singledispatch
def shapes_of(layout: Any) -> tuple[Shape, ...]:
    """Return the shapes of felt that the layout is laid differently for; most lie as they are played."""
    return (Shape.EVEN,)


@singledispatch
def arrange(layout: Any, shape: Shape = Shape.EVEN) -> Arrangement:
    """Return where every tile of the layout lies."""
    raise TypeError(f"no geometry for {type(layout).__name__}")


@singledispatch
def spot_of(layout: Any, tile: Tile, place: str, shape: Shape = Shape.EVEN) -> Spot:
    """Return where a tile would lie at a place of the layout."""
    raise TypeError(f"no geometry for {type(layout).__name__}")


take_up(__name__, __path__, shapes_of, arrange, spot_of)
