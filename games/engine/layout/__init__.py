"""Layouts: the tiles on the table. Each family (line, spinner, lattice, grid) is one module."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Protocol, Self

from games.engine.moves import Play
from games.engine.tiles import Tile


class Layout(Hashable, Protocol):
    """What the shared code needs of a layout family. Immutable; a new one is empty."""

    def places(self, tile: Tile) -> tuple[str, ...]:
        """Return every place where the tile may lie by its values, as texts of the family."""

    def plays(self, tiles: Iterable[Tile]) -> list[Play]:
        """Return every placement of these tiles, tile by tile. Two copies of a tile make one."""

    def admits(self, tile: Tile, place: str) -> bool:
        """Return whether the place is one of those, without working out the others."""

    def place(self, tile: Tile, place: str) -> Self:
        """Return the layout with the tile laid. Whether it may lie there is not asked."""

    def text(self, tile: Tile, place: str) -> str:
        """Write a placement as a move: ``6-4 left``."""

    def read(self, text: str) -> tuple[Tile, str] | None:
        """Read what ``text`` writes, or return None. Whether the tile exists is not asked here."""
