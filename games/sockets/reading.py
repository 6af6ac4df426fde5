"""What one browser has been shown of the two chats of a table, and which tile its player looks at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.match.table import NOTHING_MUTED, ChatLine, Muted


class ChosenTile(NamedTuple):
    """The tile whose places are shown, as long as the match has this version."""

    tile: str
    version: int


NO_TILE_CHOSEN = ChosenTile("", 0)


@dataclass(slots=True)
class Reading:
    """The lines of both chats that the browser shows, and what it does not get of them."""

    muted: Muted = NOTHING_MUTED
    shows_muted: bool = False
    """Whether the browser says that the table is muted."""
    table: tuple[ChatLine, ...] = ()
    spectators: tuple[ChatLine, ...] | None = None
    follows_spectators: bool = False
    """Whether it gets the spectator chat: spectators do, players when their match is over."""
