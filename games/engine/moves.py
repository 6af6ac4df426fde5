"""Moves: play a tile, draw one, or pass."""

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
    """Pass the turn to the next seat."""


Move = Play | Draw | Pass


@lru_cache(maxsize=10_000)
def play(tile: Tile, place: str) -> Play:
    """Return a placement. Positions offer the same few again and again, and the cache is cheaper than a new object."""
    return Play(tile, place)
