"""Moves: play a tile, draw one, or pass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from games.engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class Play:
    """Play ``tile`` at ``place``.

    ``place`` is in the notation of the layout: ``left`` on a line, ``U(0,0)=4/4/5`` on a lattice, ``""`` for a lead.
    """

    tile: Tile
    place: str


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw one tile from the boneyard."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass the turn to the next seat."""


Move = Play | Draw | Pass


@lru_cache(maxsize=10_000)
def cached_play(tile: Tile, place: str) -> Play:
    """Return a cached ``Play``: the same few occur in most positions."""
    return Play(tile, place)
