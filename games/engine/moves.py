"""What a player can do: play a tile, draw one, pass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from games.engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class Play:
    """Lay ``tile`` at ``place``, a text of the layout family: ``""`` for a lead, ``left``, ``U(0,0)=4/4/5``."""

    tile: Tile
    place: str


@dataclass(frozen=True, slots=True)
class Draw:
    """Take one tile from the boneyard."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Give the turn away (in Kozel: knock)."""


Move = Play | Draw | Pass


@lru_cache(maxsize=10_000)
def play(tile: Tile, place: str) -> Play:
    """Return a placement. Positions offer the same few again and again, and making one anew costs more."""
    return Play(tile, place)
