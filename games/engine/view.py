"""What one viewer may see. The view is built from named pieces; nothing is copied and then deleted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.engine.events import MatchEnded, Played, RoundEnded, Standing
from games.engine.moves import Move
from games.engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat as the viewer sees it: how many tiles, and the tiles only where they are the viewer's or face up."""

    seat: int
    count: int
    hand: tuple[Tile, ...] | None
    standing: Standing
    score: str


@dataclass(frozen=True, slots=True)
class View:
    """One moment of a match for one viewer (``viewer``: a seat, or None for everybody else).

    ``score`` in a seat is the standing in notation (``+19``, ``=20``, ``0``). ``boneyard`` is a count.
    ``legal`` are the viewer's own moves, empty while it is not the viewer's turn. ``lead_rule`` is the rule id
    under which the viewer must lead exactly one of ``legal`` ("" if free).
    """

    variant: str
    viewer: int | None
    round: int
    seats: tuple[SeatView, ...]
    boneyard: int
    layout: Any
    plays: tuple[Played, ...]
    to_move: int | None
    legal: tuple[Move, ...]
    lead_rule: str
    drawn: int
    scored: int
    pot: int
    rounds: tuple[RoundEnded, ...]
    round_over: RoundEnded | None
    match_over: MatchEnded | None
