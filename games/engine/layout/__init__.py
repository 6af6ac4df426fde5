"""Layouts: the tiles on the table, one module for each family (line, spinner, lattice, grid)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Protocol, Self

from games.engine.moves import Play
from games.engine.tiles import Tile


class Layout(Hashable, Protocol):
    """The tiles on the table. Immutable; an object without arguments is empty."""

    def places(self, tile: Tile) -> tuple[str, ...]:
        """Return every place where the tile fits, in the notation of the family."""

    def possible_plays(self, tiles: Iterable[Tile]) -> list[Play]:
        """Return every placement of these tiles, tile by tile. Copies of a tile count once."""

    def admits(self, tile: Tile, place: str) -> bool:
        """Return True if the tile fits at the place, without computing the other places."""

    def place(self, tile: Tile, place: str) -> Self:
        """Return the layout with the tile added. Legality is not checked."""

    def text(self, tile: Tile, place: str) -> str:
        """Return the notation of a placement: ``6-4 left``."""

    def read(self, text: str) -> tuple[Tile, str] | None:
        """Read the result of ``text``; None for other texts. The tile need not exist."""
