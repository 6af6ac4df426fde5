"""The position of a match: immutable, complete, and secret (only ``view`` decides what leaves it)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.engine.events import MatchEnded, Played, RoundEnded, Standing
from games.engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class State:
    """A match at one moment. Seats are 0..seats-1 clockwise; ``boneyard`` is in drawing order.

    ``layout`` is the object of the variant's layout family (``games.engine.layout``), itself immutable;
    ``plays`` are this round's placements in order; ``rounds`` the ends of all finished rounds;
    ``drawn`` counts the tiles drawn in this turn, ``passes`` the turns in a row without a placement,
    ``scored`` the points of the last move.
    """

    variant: str
    seats: int
    options: tuple[tuple[str, str], ...]
    standing: tuple[Standing, ...]
    layout: Any
    round: int = 0
    hands: tuple[tuple[Tile, ...], ...] = ()
    boneyard: tuple[Tile, ...] = ()
    aside: tuple[Tile, ...] = ()
    plays: tuple[Played, ...] = ()
    to_move: int | None = None
    must_lead: tuple[Tile, ...] = ()
    lead: int | None = None
    drawn: int = 0
    passes: int = 0
    scored: int = 0
    pot: int = 0
    rounds: tuple[RoundEnded, ...] = ()
    round_over: RoundEnded | None = None
    match_over: MatchEnded | None = None
